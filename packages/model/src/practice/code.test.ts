// Toolset code as the practice model hears it: answers in plain text, of which some are cut, elided, refused or about files
// that cannot be edited. The real tools are in the server's tests.

import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { ToolCall } from "@stet/protocol/message";
import { quotations } from "./code-edit.ts";
import { replacementsOf } from "./edits.ts";
import { fault, play, tool, type Values } from "./rehearsal.ts";

const inputDescription = { type: "string", description: "Sections: §PATH, then ops with their lines" };
const hashlineEdit = {
  name: "edit",
  description: "Edits files by anchors.",
  parameters: { type: "object", properties: { input: inputDescription } },
};
const quotationItems = { type: "object", properties: { old_text: {}, new_text: {} } };
const replaceEdit = {
  name: "edit",
  description: "Replaces text.",
  parameters: { type: "object", properties: { path: {}, edits: { type: "array", items: quotationItems } } },
};
const others = [
  tool("read", { path: "string" }),
  tool("search", { pattern: "string", paths: "array", literal: "boolean", i: "boolean", skip: "integer" }),
  tool("find", { pattern: "string", path: "string", limit: "integer" }),
  tool("write", { path: "string", content: "string" }),
  tool("bash", { command: "string", cwd: "string" }),
];
const tools = [...others, hashlineEdit];

type Answers = Readonly<
  Record<string, Values | string | ((call: ToolCall, count: number) => Values | string)>
>;

function answered(answers: Answers) {
  const counts = new Map<string, number>();
  return (call: ToolCall): Values | string => {
    const count = counts.get(call.name) ?? 0;
    counts.set(call.name, count + 1);
    const answer = answers[call.name];
    if (answer === undefined) throw new Error(`unexpected: ${call.name} ${JSON.stringify(call.arguments)}`);
    return typeof answer === "function" ? answer(call, count) : answer;
  };
}

const names = (calls: readonly ToolCall[]) => calls.map(({ name }) => name);

test("anchors of the newest read name the lines of an edit; places that meet are one op", async () => {
  const { calls, answer } = await play({
    request: "replace Mara with Nora in a.md",
    tools,
    carryOut: answered({
      find: "b.md\na.md",
      read: "1ab|one\n2cd|Mara\n3ef|Mara said\n4gh|\n5ij|and Mara",
      edit: "a.md:\n-2|Mara\n+2zz|Nora",
      search: "No matches found",
    }),
  });
  assert.deepEqual(calls[1]?.arguments, { path: "a.md:1" });
  assert.deepEqual(calls[2]?.arguments, { input: "§a.md\n≔2cd..3ef\nNora\nNora said\n≔5ij\nand Nora\n" });
  assert.match(answer, /3 times in 1 file: a\.md \(3\)\. I searched again: none is left/);
});

test("a refused edit is repeated once with fresh anchors, then given up with the first line of the reason", async () => {
  const stale = fault(
    "stale_anchor",
    "a.md: 2cd does not fit the file as it is now.\nThe lines there now:\n*2kk|x",
  );
  const reads = ["1ab|one\n2cd|Mara", "1mm|new\n2ab|one\n3cd|Mara"];
  const again = await play({
    request: "replace Mara with Nora in a.md",
    tools,
    carryOut: answered({
      find: "a.md",
      read: (_, count) => reads[count] ?? "",
      edit: (_, count) => (count === 0 ? stale : "a.md:\n+3zz|Nora"),
      search: "No matches found",
    }),
  });
  const edits = again.calls.filter(({ name }) => name === "edit").map((call) => call.arguments.input);
  assert.deepEqual(edits, ["§a.md\n≔2cd\nNora\n", "§a.md\n≔3cd\nNora\n"]);
  assert.match(again.answer, /read it again and repeated the edit/);
  const never = await play({
    request: "replace Mara with Nora in a.md",
    tools,
    carryOut: answered({ find: "a.md", read: "1cd|Mara", edit: stale }),
  });
  assert.match(never.answer, /could not change it: a\.md: 2cd does not fit the file as it is now\.$/);
});

test("a file whose lines are not all shown, or shown without anchors, is left as it is", async () => {
  const reads: readonly (readonly [text: string, reason: RegExp])[] = [
    ["1ab|Mara\n...\n9cd|Mara", /could not be read whole/],
    ["1|Mara\n[A notebook with 1 cells, as text.]", /shown without anchors/],
    ["[An image of 3 by 4 pixels.]", /not shown as lines of text/],
    ["1ab|key = Mara [redacted:secret]", /holds a secret/],
  ];
  for (const [read, reason] of reads) {
    const { answer, calls } = await play({
      request: "replace Mara with Nora in a.md",
      tools,
      carryOut: answered({ find: "a.md", read }),
    });
    assert.match(answer, reason);
    assert.ok(!names(calls).includes("edit"), answer);
  }
});

test("an answer that was left out to save space is asked for once more", async () => {
  const elided =
    "[The answer of read (9000 characters) was left out to save space. Call it again if you need it.]";
  const { answer, calls } = await play({
    request: "how many lines are in a.md?",
    tools,
    carryOut: answered({ find: "a.md", read: (_, count) => (count === 0 ? elided : "1ab|one\n2cd|two") }),
  });
  assert.equal(names(calls).filter((name) => name === "read").length, 2);
  assert.match(answer, /a\.md has 2 lines/);
});

test("in a project with more files than are listed, a named file is found and a folder is asked for", async () => {
  const many = `${Array.from({ length: 1000 }, (_, index) => `src/f${index}.ts`).join("\n")}\n[4000 more; narrow the pattern]`;
  const carryOut = () =>
    answered({
      find: ({ arguments: { pattern } }) => (pattern === "*" ? many : "deep/down/a.md"),
      read: "1ab|one",
    });
  const shown = await play({ request: "show a.md", tools, carryOut: carryOut() });
  assert.match(shown.answer, /^deep\/down\/a\.md \(1 line\):\n\none/);
  const listed = await play({ request: "list the files", tools, carryOut: carryOut() });
  assert.match(listed.answer, /more than 1,000 files here, which is as many as I list\. Name a folder/);
});

test("lines that the edit tool would take for instructions are not sent", async () => {
  for (const text of ["≔1ab", "§src/a.ts", "»12ab", "*** End Patch"]) {
    const { answer, calls } = await play({
      request: `append "${text}" to a.md`,
      tools,
      carryOut: answered({ find: "a.md", read: "1ab|one" }),
    });
    assert.match(answer, /it would be an instruction/, text);
    assert.ok(!names(calls).includes("edit"));
  }
  for (const text of ["§ 5 of the statute", "»Wait!« she said", "=1"]) {
    const { calls } = await play({
      request: `append "${text}" to a.md`,
      tools,
      carryOut: answered({ find: "a.md", read: "1ab|one", edit: "a.md:\n+2zz|x" }),
    });
    assert.deepEqual(calls.at(-1)?.arguments, { input: `§a.md\n»EOF\n${text}\n` });
  }
});

test("an edit that the tool made in another way is told so", async () => {
  const { answer } = await play({
    request: 'append "1st|2nd" to a.md',
    tools,
    carryOut: answered({
      find: "a.md",
      read: "1ab|one",
      edit: "a.md:\n+2zz|2nd\n\nWarnings:\na.md, line 2: the payload was copied with its anchors; they were left out.",
    }),
  });
  assert.match(answer, /added 1 line to a\.md/);
  assert.match(answer, /not quite as I meant it: a\.md, line 2: the payload/);
});

test("by quotations, each text is quoted with as many lines as make it the only one", async () => {
  const { calls } = await play({
    request: 'delete all lines that contain "x" in a.md',
    tools: [...others, replaceEdit],
    carryOut: answered({ find: "a.md", read: "1|a\n2|x\n3|a\n4|x\n5|b\n6|c\n7|x\n8|d", edit: "a.md:\n-2|x" }),
  });
  assert.deepEqual(calls.at(-1)?.arguments, {
    path: "a.md",
    edits: [
      { old_text: "a\nx\na\nx", new_text: "a\na" },
      { old_text: "c\nx", new_text: "c" },
    ],
  });
});

test("a long text that repeats itself is quoted without delay", () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? "Mara" : "x"));
  const edits = replacementsOf(lines, (line) => line.replace("Mara", "Nora"));
  const started = performance.now();
  const made = quotations(lines, edits);
  assert.ok(performance.now() - started < 3_000);
  assert.equal(made.length, 1);
  assert.equal(made[0]?.new_text.split("Nora").length, 10_001);
});

test("when no calls are left, what was done by quotations is told", async () => {
  const { answer } = await play({
    request: "replace Mara with Nora in all files",
    tools: [...others, replaceEdit],
    maxCalls: 4,
    carryOut: answered({
      search: "a.md\n*1|Mara\n\nb.md\n*1|Mara",
      read: "1|Mara",
      edit: "a.md:\n-1|Mara\n+1|Nora",
    }),
  });
  assert.match(answer, /replaced “Mara” with “Nora” 1 time in 1 file: a\.md \(1\)/);
  assert.match(answer, /tool calls of this turn are used up. Say “go on”/);
});

test("a command that was stopped, or lacks what the sandbox does not give, is told in words for people", async () => {
  const run = (bash: string) => play({ request: "run `make`", tools, carryOut: answered({ bash }) });
  const stopped = await run("working\n[Stopped after 300 s, with all its processes. Give a longer timeout.]");
  assert.match(stopped.answer, /^`make` was stopped after 300 s\. It printed:\n\n```\nworking\n```$/);
  const offline = await run(
    "could not resolve host\n[Command exited with code 6]\n[sandboxed: network is off. If the command needs it, call bash again with network: true]",
  );
  assert.match(
    offline.answer,
    /ended with exit code 6\. It may need the network, which commands do not have here\./,
  );
});

test("a tool that is not offered is named", async () => {
  const without = (name: string) => tools.filter((one) => one.name !== name);
  const run = await play({ request: "run `make`", tools: without("bash"), carryOut: answered({}) });
  assert.match(run.answer, /no tool here that runs commands/);
  const create = await play({ request: "create a.md", tools: without("write"), carryOut: answered({}) });
  assert.match(create.answer, /no tool here that creates a file/);
  const edit = await play({
    request: "replace Mara with Nora in a.md",
    tools: without("edit"),
    carryOut: answered({ find: "a.md", read: "1ab|Mara" }),
  });
  assert.match(edit.answer, /The tool edit is not offered here/);
});
