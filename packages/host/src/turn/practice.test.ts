// The practice model over the real tools of all four toolsets: what a person without an account gets.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { runTurn } from "@stet/agent/turn-loop";
import { practiceModel } from "@stet/model/practice/practice-model";
import type { Message } from "@stet/protocol/message";
import { redactionFor } from "@stet/protocol/redact";
import { type ToolsetName, toolsetNames } from "@stet/protocol/toolset";
import { bareCapabilities } from "@stet/testkit/capabilities";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { type CodeSettings, defaultCodeSettings } from "@stet/tools/code/code-settings";
import { openToolset } from "@stet/tools/open-toolset";
import { SessionRules } from "@stet/tools/permission/session-rules";
import type { Workspace } from "@stet/workspace/workspace";

const example = join(import.meta.dirname, "../../../../examples/lighthouse");

interface Options {
  readonly settings?: Partial<CodeSettings>;
  /** What the person answers to questions. */
  readonly answer?: string;
  /** Called after each message of the turn. */
  readonly between?: (workspace: Workspace, messages: readonly Message[]) => void;
}

interface Played {
  readonly answer: string;
  /** The names of the tools, in order. */
  readonly calls: readonly string[];
  /** What a file holds after the turn. */
  text(path: string): string;
}

async function play(
  t: TestContext,
  name: ToolsetName,
  request: string,
  files: Record<string, string>,
  { settings, answer = "", between = () => {} }: Options = {},
): Promise<Played> {
  const workspace = await new TestWorkspace(t, files).open();
  for (const path of Object.keys(files)) must(workspace.tabs.open(path));
  const turn = workspace.beginTurn({ summary: request, isImmediate: name === "code" });
  const messages: Message[] = [{ role: "user", content: request, timestamp: 0 }];
  const toolset = must(
    await openToolset(
      name,
      bareCapabilities({
        workspace,
        turn,
        ask: async () => answer,
        messages: () => messages,
        code: () => ({
          settings: { ...defaultCodeSettings, permissionMode: "full", sandbox: false, ...settings },
          session: "s",
          sessionRules: new SessionRules(),
          environment: process.env,
          isInteractive: true,
          configFolders: { project: undefined, user: undefined },
          keepArtifact: undefined,
        }),
      }),
    ),
  );
  const conversation = {
    messages: () => messages,
    append: (message: Message) => {
      messages.push(message);
      between(workspace, messages);
    },
    compact: () => {},
  };
  const { system, tools, hooks, state } = toolset;
  const model = practiceModel({ wordDelayMs: 0 });
  const redact = redactionFor(process.env);
  try {
    for await (const _ of runTurn({ model, system, conversation, tools, hooks, redact, state })) {
      // The messages are what is looked at.
    }
  } finally {
    await toolset.close?.();
  }
  must(turn.commit());
  const said = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
  const calls = said.flatMap((part) => (part.type === "toolCall" ? [part.name] : []));
  const last = said.at(-1);
  return {
    answer: last?.type === "text" ? last.text : "",
    calls,
    text: (path) => {
      const { id } = must(workspace.documents.open(path));
      return must(workspace.documents.state(id)).pending.current.toString();
    },
  };
}

test("a rename in all files of a book changes every whole word and nothing else", async (t) => {
  const given = Object.fromEntries(
    readdirSync(example, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(example.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
  );
  for (const name of ["project", "code", "tabs"] as const) {
    const { answer, text } = await play(t, name, "Rename Tobias to Elias in all files", given);
    for (const [path, before] of Object.entries(given))
      assert.equal(text(path), before.replaceAll(/\bTobias\b/g, "Elias"), `${name}: ${path}`);
    assert.match(
      answer,
      /^I replaced “Tobias” with “Elias” \d+ times in 6 (?:files|tabs): .*novel\.md \(\d+\)/,
    );
  }
});

test("lines are set, inserted, appended and deleted where they were meant, in every toolset", async (t) => {
  const text = "# A\n\nalpha\nbeta\n\nalpha\n\ngamma\n";
  const cases: readonly (readonly [request: string, text: string])[] = [
    ['replace line 4 in a.md with "BETA"', "# A\n\nalpha\nBETA\n\nalpha\n\ngamma\n"],
    ['insert "first" before line 1 of a.md', `first\n${text}`],
    ['insert "next" after line 6 of a.md', "# A\n\nalpha\nbeta\n\nalpha\nnext\n\ngamma\n"],
    ['append "last" to a.md', `${text}last\n`],
    ["append to a.md: ```\ngamma\ndelta\n```", `${text}gamma\ndelta\n`],
    ["delete lines 1 to 2 of a.md", "alpha\nbeta\n\nalpha\n\ngamma\n"],
    ["delete the last line of a.md", "# A\n\nalpha\nbeta\n\nalpha\n\n"],
    ["remove the word alpha from a.md", "# A\n\n\nbeta\n\n\n\ngamma\n"],
    ["sửa gamma thành delta trong a.md", text.replace("gamma", "delta")],
    ["thêm “cuối” vào cuối a.md", `${text}cuối\n`],
    ["xóa dòng 3 đến 4 trong a.md", "# A\n\n\nalpha\n\ngamma\n"],
  ];
  for (const name of toolsetNames) {
    for (const [request, expected] of cases) {
      const played = await play(t, name, request, { "a.md": text });
      assert.equal(played.text("a.md"), expected, `${name}: ${request}: ${played.answer}`);
    }
  }
});

test("a missing last line break stays, and an empty file takes a line", async (t) => {
  const files = { "win.txt": "\ufeffone Mara\r\ntwo\r\nMara three", "empty.txt": "" };
  for (const name of ["project", "code", "tabs"] as const) {
    const renamed = await play(t, name, "replace Mara with Nora in win.txt", files);
    assert.equal(renamed.text("win.txt"), "one Nora\ntwo\nNora three", name);
    const filled = await play(t, name, 'append "hello" to empty.txt', files);
    assert.equal(filled.text("empty.txt").trimEnd(), "hello", `${name}: ${filled.answer}`);
  }
});

test("files are listed, outlined and searched, and a missing one is told", async (t) => {
  const files = { "a.md": "# One\n\n## Two\nMara\n", "b/c.md": "Mara\n" };
  for (const name of ["project", "code", "tabs"] as const) {
    const say = async (request: string) => (await play(t, name, request, files)).answer;
    assert.match(
      await say("Which files are there?"),
      /^There are \d (?:files|tabs) here:\n.*- a\.md\n- (?:b\/)?c\.md$/s,
    );
    assert.match(
      await say("outline a.md"),
      /^a\.md \(4 lines, 5 words\):\n- One \(line 1\)\n {2}- Two \(line 3\)$/,
    );
    assert.match(
      await say("Where is Mara mentioned?"),
      /^I found “Mara” in \d lines? of \d (?:file|tab)s?:\n- /,
    );
    assert.match(await say("find Zebedee"), /^I found no “Zebedee” in /);
    assert.match(await say("replace Mara with Nora in poem.md"), /I find no (?:file|tab) “poem\.md” here/);
  }
  const inFolder = await play(t, "project", "rename Mara to Nora in the b folder", files);
  assert.deepEqual([inFolder.text("a.md"), inFolder.text("b/c.md")], [files["a.md"], "Nora\n"]);
});

test("where several files hold the text and none was named, the person is asked", async (t) => {
  const files = { "a.md": "Mara\n", "b.md": "Mara\n" };
  const asked = await play(t, "project", "replace Mara with Nora", files, { answer: "b.md" });
  assert.deepEqual([asked.text("a.md"), asked.text("b.md")], ["Mara\n", "Nora\n"]);
  assert.ok(asked.calls.includes("clarify_user"));
  const silent = await play(t, "code", "replace Mara with Nora", files);
  assert.equal(silent.text("a.md"), "Mara\n");
  assert.match(
    silent.answer,
    /In which of them shall I change it\? Ask again and name one of: “all 2 files”/,
  );
});

test("a file that the person changes between reading and editing is read again, not overwritten", async (t) => {
  const files = { "a.md": "one\nMara\nthree\n" };
  for (const name of ["project", "code"] as const) {
    let isChanged = false;
    const between = (workspace: Workspace, messages: readonly Message[]) => {
      const last = messages.at(-1);
      if (isChanged || last?.role !== "toolResult" || !/^read/.test(last.toolName)) return;
      isChanged = true;
      const { id } = must(workspace.documents.open("a.md"));
      personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "My Mara stays.\nMara" });
    };
    const played = await play(t, name, "replace Mara with Nora in a.md", files, { between });
    assert.match(played.answer, /read it again and repeated the edit/, name);
    assert.equal(played.text("a.md"), "one\nMy Nora stays.\nNora\nthree\n", name);
  }
});

test("the paper is changed line by line, and what came of it is verified", async (t) => {
  const played = await play(t, "paper", "sửa 1 thành 2", { "a.md": "số 1, số 10\nđèn\nsố 1\n" });
  assert.equal(played.text("a.md"), "số 2, số 10\nđèn\nsố 2\n");
  assert.deepEqual(played.calls, [
    "search_paper",
    "get_context_lines",
    "write_replace_line",
    "write_replace_line",
    "verify",
  ]);
  assert.match(
    played.answer,
    /^Đã đổi “1” thành “2”: 2 chỗ trong bài viết\. Kiểm tra: .*thêm 2 dòng, bớt 2 dòng/,
  );
});

test("a command is run once, and its exit code and last lines are told", async (t) => {
  const files = { "count.sh": "for n in $(seq 1 30); do echo line $n; done\nexit 3\n" };
  const { answer, calls } = await play(t, "code", "run `sh count.sh`", files);
  assert.deepEqual(calls, ["bash"]);
  assert.match(answer, /^`sh count\.sh` ended with exit code 3\. Its last 12 of 30 lines:\n\n```\nline 19\n/);
  const silent = await play(t, "code", "execute true", files);
  assert.equal(silent.answer, "`true` ended with exit code 0. It printed nothing.");
  const elsewhere = await play(t, "project", "run `sh count.sh`", files);
  assert.match(elsewhere.answer, /Toolset code has one/);
});

test("a command that goes on as a job is waited for", async (t) => {
  const settings = { bashBackgroundAfter: 200 };
  const { answer, calls } = await play(t, "code", "run `sleep 1.5; echo late; exit 4`", {}, { settings });
  assert.deepEqual(calls.slice(0, 2), ["bash", "job"]);
  assert.match(answer, /ended with exit code 4\. It printed:\n\n```\nlate\n```/);
});

test("what is not allowed is not tried again", async (t) => {
  const options = { settings: { permissionMode: "ask" as const }, answer: "Deny" };
  const command = await play(t, "code", "run `touch x.md`", {}, options);
  assert.equal(command.calls.length, 1);
  assert.match(command.answer, /did not run `touch x\.md`: .*not allow.* So I stop here\.$/s);
  const files = { "a.md": "Mara\n", "b.md": "Mara\n" };
  const edit = await play(t, "code", "replace Mara with Nora everywhere", files, options);
  assert.equal(edit.calls.filter((name) => name === "edit").length, 1);
  assert.deepEqual([edit.text("a.md"), edit.text("b.md")], ["Mara\n", "Mara\n"]);
});

test("in a mode of editing that it does not know, it says which one it knows", async (t) => {
  const settings = { editMode: "apply_patch" as const };
  const played = await play(t, "code", "replace Mara with Nora in a.md", { "a.md": "Mara\n" }, { settings });
  assert.match(played.answer, /edits in the mode hashline only/);
  assert.ok(!played.calls.includes("edit"));
});
