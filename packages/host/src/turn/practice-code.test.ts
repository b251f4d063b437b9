// The practice model over the real tools of toolset code: what a person without an account gets.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Tool } from "@stet/agent/tool";
import { runTurn } from "@stet/agent/turn-loop";
import { practiceModel } from "@stet/model/practice/practice-model";
import { Fault } from "@stet/protocol/fault";
import type { Message, ToolCall } from "@stet/protocol/message";
import { type CodeDeskOptions, openCodeDesk } from "@stet/testkit/code-desk";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { hashlineEdit } from "@stet/tools/code/edit/hashline/hashline-edit";
import { replaceEdit } from "@stet/tools/code/edit/replace/replace-edit";
import { ask } from "@stet/tools/code/plan/ask";
import { read } from "@stet/tools/code/read/read";
import { find } from "@stet/tools/code/search/find";
import { search } from "@stet/tools/code/search/search";
import { write } from "@stet/tools/code/write/write";
import { projectToolset } from "@stet/tools/project/project-toolset";

const example = join(import.meta.dirname, "../../../../examples/lighthouse");

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths
      .map(
        (path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")] as const,
      )
      .filter(([path]) => !path.startsWith(".stet/") && path !== ".keep"),
  );
}

interface Turn {
  readonly answer: string;
  readonly calls: readonly ToolCall[];
  readonly messages: readonly Message[];
}

async function turnOf(
  tools: readonly Tool[],
  request: string,
  between: (messages: readonly Message[]) => void = () => {},
): Promise<Turn> {
  const messages: Message[] = [{ role: "user", content: request, timestamp: 0 }];
  const conversation = {
    messages: () => messages,
    append: (message: Message) => {
      messages.push(message);
      between(messages);
    },
    compact: () => {},
  };
  const model = practiceModel({ wordDelayMs: 0 });
  const limits = { toolCalls: 200, iterations: 250 };
  for await (const _ of runTurn({ model, system: "", conversation, tools, limits })) {
    // The messages are what is looked at.
  }
  const said = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
  const calls = said.filter((part) => part.type === "toolCall");
  const last = messages.at(-1);
  const texts = last?.role === "assistant" ? last.content : [];
  return { answer: texts.map((part) => (part.type === "text" ? part.text : "")).join(""), calls, messages };
}

async function play(t: TestContext, request: string, options: CodeDeskOptions = {}) {
  const edit = options.settings?.editMode === "replace" ? replaceEdit : hashlineEdit;
  const desk = await openCodeDesk(t, [read, search, find, edit, write], options);
  const turn = await turnOf(desk.context.shelf.offered, request);
  return { ...turn, desk, files: filesIn(desk.place.root) };
}

const names = (calls: readonly ToolCall[]) => calls.map(({ name }) => name);

test("a rename in all files of a book leaves the same files as toolset project", async (t) => {
  const given = filesIn(example);
  const request = "Rename Tobias to Elias in all files";
  for (const editMode of ["hashline", "replace"] as const) {
    const { answer, calls, files } = await play(t, request, { files: given, settings: { editMode } });
    const places = Object.values(given).join("\n").split("Tobias").length - 1;
    assert.ok(answer.includes(`replaced “Tobias” with “Elias” ${places} times in 6 files`), answer);
    assert.match(answer, /none is left/);
    assert.equal(names(calls).filter((name) => name === "edit").length, 6, "one edit a file");
    assert.deepEqual(files, await inToolsetProject(t, given, request));
  }
});

async function inToolsetProject(t: TestContext, given: Record<string, string>, request: string) {
  const place = new TestWorkspace(t, given);
  const workspace = await place.open();
  const turn = workspace.beginTurn({ summary: request });
  const toolset = projectToolset(workspace, turn, async () => "");
  await turnOf(toolset.tools, request);
  must(turn.commit());
  const report = must(workspace.review.accept("everything"));
  must(await workspace.saving.save(report.documents));
  return filesIn(place.root);
}

test("line ends, a byte order mark and a missing last line break stay as they are", async (t) => {
  const files = { "win.txt": "\ufeffone Mara\r\ntwo\r\nMara three", "mixed.md": "Mara\r\nx\nMara\n" };
  for (const editMode of ["hashline", "replace"] as const) {
    const renamed = await play(t, "replace Mara with Nora everywhere", { files, settings: { editMode } });
    assert.deepEqual(renamed.files, {
      "win.txt": "\ufeffone Nora\r\ntwo\r\nNora three",
      "mixed.md": "Nora\r\nx\nNora\n",
    });
    const longer = await play(t, 'append "four" to win.txt', { files, settings: { editMode } });
    assert.equal(longer.files["win.txt"], "\ufeffone Mara\r\ntwo\r\nMara three\r\nfour");
  }
});

test("lines are set, inserted and deleted where they were meant, in both modes", async (t) => {
  const files = { "a.md": "# A\n\nalpha\nbeta\n\nalpha\n\ngamma\n" };
  const cases: readonly (readonly [request: string, text: string])[] = [
    ['replace line 4 in a.md with "BETA"', "# A\n\nalpha\nBETA\n\nalpha\n\ngamma\n"],
    ['insert "first" before line 1 of a.md', "first\n# A\n\nalpha\nbeta\n\nalpha\n\ngamma\n"],
    ['insert "next" after line 6 of a.md', "# A\n\nalpha\nbeta\n\nalpha\nnext\n\ngamma\n"],
    ['append "last" to a.md', "# A\n\nalpha\nbeta\n\nalpha\n\ngamma\nlast\n"],
    ["delete lines 1 to 2 of a.md", "alpha\nbeta\n\nalpha\n\ngamma\n"],
    ["delete the last line of a.md", "# A\n\nalpha\nbeta\n\nalpha\n\n"],
    ['delete all lines that contain "alpha" in a.md', "# A\n\nbeta\n\n\ngamma\n"],
    ["delete line 5 of a.md", "# A\n\nalpha\nbeta\nalpha\n\ngamma\n"],
    // What repeats the lines around its place is meant all the same.
    ["insert ```\ngamma\ndelta\n``` after line 8 of a.md", `${files["a.md"]}gamma\ndelta\n`],
    ["append to a.md: ```\ngamma\ndelta\n```", `${files["a.md"]}gamma\ndelta\n`],
    ["insert ```\nnew\nbeta\n``` before line 4 of a.md", "# A\n\nalpha\nnew\nbeta\nbeta\n\nalpha\n\ngamma\n"],
    ["replace line 4 in a.md with ```\nalpha\nB\n```", "# A\n\nalpha\nalpha\nB\n\nalpha\n\ngamma\n"],
    ["demote all headings in a.md", "## A\n\nalpha\nbeta\n\nalpha\n\ngamma\n"],
  ];
  for (const editMode of ["hashline", "replace"] as const) {
    for (const [request, text] of cases) {
      const played = await play(t, request, { files, settings: { editMode } });
      assert.equal(played.files["a.md"], text, `${editMode}: ${request}: ${played.answer}`);
      assert.equal(names(played.calls).filter((name) => name === "edit").length, 1, played.answer);
    }
  }
});

test("white space at the ends of many lines goes in one edit, also where only white space is left", async (t) => {
  const files = {
    "a.md": `${Array.from({ length: 60 }, (_, index) => `line ${index}${index % 3 === 0 ? "  " : ""}`).join("\n")}\n   \nend\n`,
  };
  for (const editMode of ["hashline", "replace"] as const) {
    const played = await play(t, "remove trailing white space in a.md", { files, settings: { editMode } });
    assert.equal(played.files["a.md"], files["a.md"].replaceAll(/ +$/gm, ""));
    assert.match(played.answer, /in 21 lines of 1 file: a\.md \(21\).*it is as it should be/);
    assert.deepEqual(names(played.calls), ["find", "read", "edit", "read"]);
  }
});

test("long files, long lines and an empty file are read whole", async (t) => {
  const long = `${Array.from({ length: 7000 }, (_, index) => `row ${index + 1} of Mara`).join("\n")}\n`;
  const wide = `short Mara\n${"x".repeat(9_000)} Mara ${"y".repeat(9_000)}\nMara\n`;
  const files = { "long.txt": long, "wide.txt": wide, "empty.txt": "" };
  const counted = await play(t, "how many lines are in long.txt?", { files });
  assert.match(counted.answer, /long\.txt has 7,000 lines/);
  const renamed = await play(t, "replace Mara with Nora in long.txt", { files });
  assert.equal(renamed.files["long.txt"], long.replaceAll("Mara", "Nora"));
  const widened = await play(t, "replace Mara with Nora in wide.txt", { files });
  assert.equal(widened.files["wide.txt"], wide.replaceAll("Mara", "Nora"), widened.answer);
  const filled = await play(t, 'append "hello" to empty.txt', { files });
  assert.equal(filled.files["empty.txt"], "hello\n", filled.answer);
});

test("a file in code whose reading is summarised is edited at its real lines", async (t) => {
  const body = Array.from({ length: 40 }, (_, index) => `  const step${index} = count + ${index};`).join(
    "\n",
  );
  const code = Array.from({ length: 12 }, (_, index) => `function f${index}(count) {\n${body}\n}\n`).join(
    "\n",
  );
  const { files, answer } = await play(t, "replace step7 with stride in a.ts", { files: { "a.ts": code } });
  assert.equal(files["a.ts"], code.replaceAll(/\bstep7\b/g, "stride"));
  assert.match(answer, /12 times/);
});

test("find, count, show, list, outline and summarise answer from the files", async (t) => {
  const files = filesIn(example);
  const say = async (request: string) => (await play(t, request, { files })).answer;
  const characters = files["notes/characters.md"] ?? "";
  const first = characters.split("\n").findIndex((line) => line.includes("Tobias")) + 1;
  const found = await say("find Tobias in notes/characters.md");
  assert.ok(found.includes(`notes/characters.md:${first}: `), found);
  assert.match(await say("how often does Tobias occur in book.yaml?"), /occurs 1 time in book\.yaml/);
  const total = Object.values(files).join("\n").split("Tobias").length - 1;
  assert.match(await say("count “Tobias”"), new RegExp(`occurs ${total} times in 6 files`));
  assert.ok((await say("show book.yaml")).includes(files["book.yaml"]?.trimEnd() ?? "?"));
  const listed = await say("list the files");
  for (const path of Object.keys(files)) assert.ok(listed.includes(`- ${path}`), `${path}: ${listed}`);
  assert.match(await say("list the files in notes/"), /3 files in notes:\n- notes\/characters\.md/);
  assert.match(await say("outline of notes/places.md"), /^notes\/places\.md \(\d+ lines, \d+ words\):\n- /);
  assert.match(await say("summarise notes/places.md"), /carry most of it:\n- /);
  assert.match(await say("find Zebedee"), /found no “Zebedee” in any file/);
  assert.match(await say("show poem.md"), /I find no file “poem\.md” here/);
});

test("more places than one page of a search, and upper and lower case where that is wished", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [`part-${index}.md`, `Mara, mara\nand Mara ${index}\n`]),
  );
  const found = await play(t, "find Mara", { files });
  assert.match(found.answer, /in 140 lines of 70 files/);
  const few = Object.fromEntries(Object.entries(files).slice(0, 3));
  const { answer } = await play(t, "replace mara with Nora everywhere, ignoring case", { files: few });
  assert.match(answer, /9 times in 3 files/);
});

test("a file is created with its folders, and one that is there is left alone", async (t) => {
  const made = await play(t, 'create src/hello.ts with "export const hello = 1;"');
  assert.equal(made.files["src/hello.ts"], "export const hello = 1;\n");
  assert.match(made.answer, /created src\/hello\.ts, with 1 line/);
  const files = { "src/hello.ts": "mine\n" };
  const kept = await play(t, "create src/hello.ts with the text other", { files });
  assert.deepEqual(kept.files, files);
  assert.match(kept.answer, /is there already/);
});

test("a file that the person changes between reading and editing is read again, not overwritten", async (t) => {
  const files = { "a.md": "one\nMara\nthree\n" };
  for (const editMode of ["hashline", "replace"] as const) {
    const edit = editMode === "replace" ? replaceEdit : hashlineEdit;
    const desk = await openCodeDesk(t, [read, search, find, edit, write], { files, settings: { editMode } });
    let isChanged = false;
    const { answer } = await turnOf(
      desk.context.shelf.offered,
      "replace Mara with Nora in a.md",
      (messages) => {
        const last = messages.at(-1);
        if (isChanged || last?.role !== "toolResult" || last.toolName !== "read") return;
        isChanged = true;
        const { id } = must(desk.workspace.documents.open("a.md"));
        const { revision } = must(desk.workspace.documents.state(id)).history;
        must(
          desk.workspace.documents.edit(id, {
            revision,
            policy: { kind: "strict" },
            edits: [{ op: "replace", from: 2, to: 2, content: "My Mara stays.\nMara" }],
            origin: "user",
          }),
        );
      },
    );
    assert.match(answer, /read it again and repeated the edit/, editMode);
    assert.equal(filesIn(desk.place.root)["a.md"], "one\nMy Nora stays.\nNora\nthree\n");
  }
});

test("where an edit is not allowed, nothing more is tried", async (t) => {
  const files = { "a.md": "Mara\n", "b.md": "Mara\n" };
  const permit: CodeDeskOptions["permit"] = async ({ tool }) =>
    tool === "edit"
      ? new Fault("not_allowed", "The person did not allow edit to do this.", "Stop.", { tool })
      : undefined;
  const played = await play(t, "replace Mara with Nora everywhere, then create c.md", { files, permit });
  assert.deepEqual(played.files, files);
  assert.match(
    played.answer,
    /could not change it: You did not allow the tool edit to do this\. So I stop here\.$/,
  );
  assert.equal(names(played.calls).at(-1), "edit");
});

test("with a tool for asking, the person is asked which file is meant", async (t) => {
  const files = { "a.md": "Mara\n", "b.md": "Mara\n" };
  const asked: string[] = [];
  const answer = (question: string) => {
    asked.push(question);
    return "b.md";
  };
  const desk = await openCodeDesk(t, [read, search, find, hashlineEdit, write, ask], { files, answer });
  await turnOf(desk.context.shelf.offered, "replace Mara with Nora");
  assert.match(asked.join(), /In which of them shall I change it\?/);
  assert.deepEqual(filesIn(desk.place.root), { "a.md": "Mara\n", "b.md": "Nora\n" });
});
