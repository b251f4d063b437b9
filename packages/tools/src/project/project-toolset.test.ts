import assert from "node:assert/strict";
import { test } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import { runTurn } from "@stet/agent/turn-loop";
import type { Message } from "@stet/protocol/message";
import { questionText } from "@stet/protocol/question-text";
import { bareCapabilities } from "@stet/testkit/capabilities";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { must, personEdits, TestWorkspace, textOf } from "@stet/testkit/workspace";
import { hashText } from "@stet/text/hash";
import { openToolset } from "../open-toolset.ts";
import { SessionRules } from "../permission/session-rules.ts";
import { projectToolset } from "./project-toolset.ts";

const story = "# Title\n\nTobias went out.\nNobody saw Tobias.\nThe end.\n";

interface Answer {
  readonly [field: string]: unknown;
}

/** Plays calls against a workspace; `between` runs before the reply with that index. */
async function play(
  t: Parameters<Parameters<typeof test>[0] & object>[0],
  replies: PlayedReply[],
  between: Record<number, () => void> = {},
  files: Record<string, string> = {},
) {
  const given = { "story.md": story, "notes/people.md": "Tobias: harbour master\n", ...files };
  const place = new TestWorkspace(t, given);
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("story.md"));
  const person = (
    ...edits: Parameters<typeof personEdits> extends [unknown, unknown, ...infer E] ? E : never
  ) => personEdits(workspace, id, ...edits);
  return { workspace, id, person, answers: await run() };

  async function run(): Promise<Answer[]> {
    const turn = workspace.beginTurn({ summary: "test" });
    const toolset = projectToolset(workspace, turn, async () => "yes, please");
    const messages: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
    const model = modelOf((_, index) => {
      between[index]?.();
      return replies[index] ?? { text: "Done." };
    });
    const conversation = {
      messages: () => messages,
      append: (message: Message) => void messages.push(message),
      compact: () => {},
    };
    for await (const _ of runTurn({
      model,
      system: toolset.system,
      conversation,
      tools: toolset.tools,
      state: toolset.state,
    })) {
      // The messages are what is looked at.
    }
    must(turn.commit());
    return messages.flatMap((message) => {
      if (message.role !== "toolResult") return [];
      const [part] = message.content;
      return [JSON.parse(part?.type === "text" ? part.text : "null")];
    });
  }
}

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });

test("search, read with a hash, edit with that hash: the change is a hunk, not yet on disk", async (t) => {
  const { workspace, id, answers } = await play(t, [
    { calls: [call("search_project", { query: "Tobias" }), call("list_files", {})] },
    { calls: [call("read_file", { file_path: "story.md", start_line: 3, end_line: 4 })] },
    {
      calls: [
        call("edit_file", {
          file_path: "story.md",
          operation: "replace",
          start_line: 3,
          end_line: 4,
          new_text: "Elias went out.\nNobody saw Elias.",
          expected_hash: hashText("Tobias went out.\nNobody saw Tobias."),
          rationale: "renamed",
        }),
      ],
    },
  ]);
  const [found, listed, read, edited] = answers;
  assert.deepEqual(
    ((found?.results ?? []) as Answer[]).map((result) => result.file_path),
    ["notes/people.md", "story.md"],
  );
  assert.deepEqual(listed?.files, ["notes/people.md", "story.md"]);
  assert.deepEqual(
    [read?.total_lines, read?.content, read?.has_more],
    [5, "Tobias went out.\nNobody saw Tobias.", true],
  );
  assert.equal(read?.hash, hashText("Tobias went out.\nNobody saw Tobias."));
  assert.deepEqual([edited?.ok, edited?.lines_removed, edited?.lines_added], [true, 2, 2]);
  assert.deepEqual(
    workspace.review.file(id)?.hunks.map((hunk) => hunk.added),
    [["Elias went out.", "Nobody saw Elias."]],
  );
});

test("several edits of one message refer to the file before that message, the next message to the file after it", async (t) => {
  const { workspace, id } = await play(t, [
    { calls: [call("read_file", { file_path: "story.md" })] },
    {
      calls: [
        call("edit_file", {
          file_path: "story.md",
          operation: "insert",
          start_line: 1,
          new_text: "A new first line",
        }),
        call("edit_file", { file_path: "story.md", operation: "replace", start_line: 5, new_text: "FIN" }),
      ],
    },
    { calls: [call("edit_file", { file_path: "story.md", operation: "delete", start_line: 4 })] },
  ]);
  assert.equal(textOf(workspace, id), "A new first line\n# Title\n\nNobody saw Tobias.\nFIN\n");
});

test("a line that the person changes meanwhile refuses the edit and shows the line; others move", async (t) => {
  let person: (...edits: never[]) => void = () => {};
  const between = {
    1: () =>
      person(
        { op: "insert", after: 0, content: "typed" } as never,
        { op: "replace", from: 3, to: 3, content: "Tobias stayed in." } as never,
      ),
  };
  const place = new TestWorkspace(t, { "story.md": story });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("story.md"));
  person = (...edits) => personEdits(workspace, id, ...edits);
  const turn = workspace.beginTurn();
  const { tools } = projectToolset(workspace, turn, async () => "");
  const messages: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
  const hash = hashText("Tobias went out.");
  const edit = (line: number, expected_hash?: string) =>
    call("edit_file", {
      file_path: "story.md",
      operation: "replace",
      start_line: line,
      new_text: "X",
      expected_hash,
    });
  const model = modelOf((_, index) => {
    (between as Record<number, () => void>)[index]?.();
    return (
      [
        { calls: [call("read_file", { file_path: "story.md" })] },
        { calls: [edit(3, hash), edit(5)] },
        // The refusal has shown the line under its new number.
        { calls: [edit(4)] },
      ][index] ?? {}
    );
  });
  const conversation = {
    messages: () => messages,
    append: (message: Message) => void messages.push(message),
    compact: () => {},
  };
  for await (const _ of runTurn({ model, system: "", conversation, tools })) {
    // The messages are what is looked at.
  }
  const [, refusal, moved, again] = messages.flatMap((message) =>
    message.role === "toolResult" && message.content[0]?.type === "text"
      ? [JSON.parse(message.content[0].text)]
      : [],
  );
  assert.equal(refusal.error, "conflict");
  assert.match(JSON.stringify(refusal.details.current), /Tobias stayed in/);
  assert.deepEqual([moved.ok, moved.moved_to_line], [true, 6]);
  assert.deepEqual([again.ok, again.moved_to_line], [true, undefined]);
  assert.equal(must(turn.read(id)).text.toString(), "typed\n# Title\n\nX\nNobody saw Tobias.\nX\n");
});

test("a hash that fits nowhere is a conflict that brings what stands there and its hash", async (t) => {
  const { answers } = await play(t, [
    {
      calls: [
        call("edit_file", {
          file_path: "story.md",
          operation: "delete",
          start_line: 3,
          expected_hash: "sha256:0",
        }),
      ],
    },
  ]);
  const details = answers[0]?.details as Answer;
  assert.deepEqual(
    [answers[0]?.error, details.current, details.current_hash],
    ["conflict", "Tobias went out.", hashText("Tobias went out.")],
  );
});

test("paths outside, lines that do not exist, wrong operations and files that are not text are refused with what to do", async (t) => {
  const { answers, workspace } = await play(t, [
    {
      calls: [
        call("read_file", { file_path: "../secret" }),
        call("read_file", { file_path: ".git/config" }),
        call("read_file", { file_path: "story.md", start_line: 99 }),
        call("edit_file", {
          file_path: "story.md",
          operation: "replace",
          start_line: 4,
          end_line: 99,
          new_text: "x",
        }),
        call("edit_file", { file_path: "story.md", operation: "delete", start_line: 1, new_text: "x" }),
        call("edit_file", { file_path: "missing.md", operation: "replace", start_line: 1, new_text: "x" }),
        call("edit_file", { file_path: "story.md", operation: "upend", start_line: 1 }),
      ],
    },
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.error),
    [
      "path_outside",
      "protected_path",
      "invalid_line_range",
      "invalid_line_range",
      "invalid_arguments",
      "file_not_found",
      "invalid_arguments",
    ],
  );
  for (const answer of answers) assert.ok(String(answer.suggestion).length > 10);
  assert.deepEqual(workspace.review.list(), []);
});

test("a file is created by inserting at its first line, and a question reaches the person", async (t) => {
  const { answers, workspace } = await play(t, [
    { calls: [call("clarify_user", { question: "Shall I?" })] },
    {
      calls: [
        call("edit_file", {
          file_path: "new/todo.md",
          operation: "insert",
          start_line: 1,
          new_text: "- one",
        }),
      ],
    },
  ]);
  assert.equal(answers[0]?.answer, "yes, please");
  assert.equal(answers[1]?.created, true);
  assert.deepEqual(
    workspace.review.list().map((file) => [file.path, file.hunks[0]?.added]),
    [["new/todo.md", ["- one"]]],
  );
});

test("however many places a model asks for, it gets at most fifty", async (t) => {
  const files = Array.from({ length: 80 }, (_, index) => [`many/${index}.md`, "Hale\n"] as const);
  const search = call("search_project", { query: "Hale", limit: 1000 });
  const { answers } = await play(t, [{ calls: [search] }], {}, Object.fromEntries(files));
  const [{ results, truncated } = {}] = answers;
  assert.ok(Array.isArray(results));
  assert.deepEqual([results.length, truncated], [50, true]);
});

test("rules about reading hold in toolset project, and secrets are in no search", async (t) => {
  const files = { "private/a.md": "WORD denied\n", "key.pem": "WORD secret\n", "open.md": "WORD plain\n" };
  const workspace = await new TestWorkspace(t, files).open();
  const asked: string[] = [];
  const toolset = must(
    await openToolset(
      "project",
      bareCapabilities({
        workspace,
        turn: workspace.beginTurn({ summary: "test" }),
        ask: async (question) => {
          asked.push(questionText(question));
          return "Deny";
        },
        readRules: {
          mode: () => "ask",
          rules: [{ tool: "read", target: "private/**", effect: "deny" }],
          session: { id: "one", rules: new SessionRules() },
          isInteractive: true,
        },
      }),
    ),
  );
  const call = async (name: string, input: Record<string, unknown>) => {
    const called = await callTool(
      { type: "toolCall", id: "one", name, arguments: input },
      { batch: "1", tools: toolset.tools, signal: new AbortController().signal, progress() {} },
    );
    return JSON.stringify(called.result.content);
  };
  const found = await call("search_project", { query: "WORD" });
  assert.match(found, /WORD plain/);
  assert.match(found, /may hold secrets: key\.pem\..*a rule denies reading: 1 file/);
  assert.doesNotMatch(found, /WORD denied|WORD secret/);
  assert.doesNotMatch(await call("list_files", {}), /private\//);
  const edit = { operation: "replace", start_line: 1, end_line: 1, new_text: "x" };
  assert.doesNotMatch(await call("edit_file", { file_path: "private/a.md", ...edit }), /WORD denied/);
  assert.doesNotMatch(await call("read_file", { file_path: "private/a.md" }), /WORD denied/);
  assert.deepEqual(asked, []);
  assert.doesNotMatch(await call("read_file", { file_path: "key.pem" }), /WORD secret/);
  assert.equal(asked.length, 1);
  assert.match(await call("read_file", { file_path: "open.md" }), /WORD plain/);
});
