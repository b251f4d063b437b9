// Quotes, hunks, keys and names mean what the model was shown, whatever the file has become since.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors } from "@stet/testkit/read-anchors";
import { must, personEdits } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import type { CodeTool } from "../code-context.ts";
import type { EditMode } from "../code-settings.ts";
import { search } from "../search/search.ts";
import { patch } from "./patch/patch.ts";
import { replaceEdit } from "./replace/replace-edit.ts";
import { vimEdit } from "./vim/vim-edit.ts";

const text = "alpha();\nbeta();\n\ngamma();\ndelta();\n";

async function openFixture(t: TestContext, mode: EditMode, tool: CodeTool, content = text, name = "a.ts") {
  const fixture = await openCodeFixture(t, [tool], {
    files: { [name]: content },
    settings: { editMode: mode },
  });
  readAnchors(fixture, name);
  const { document } = must(fixture.context.files.open(name));
  return {
    call: (input: Record<string, unknown>) => fixture.call("edit", { path: name, ...input }),
    /** In one message, so that none of them was answered when the others were written. */
    callAll: (...inputs: Record<string, unknown>[]) =>
      fixture.callAll(inputs.map((input) => ({ tool: "edit", input: { path: name, ...input } }))),
    person: (...edits: LineEdit[]) => personEdits(fixture.workspace, document, ...edits),
    disk: () => readFileSync(fixture.place.path(name), "utf8"),
  };
}

const quote = { edits: [{ old_text: "beta();\n\ngamma();", new_text: "beta();\n\nGAMMA();" }] };
const hunk = { edits: [{ path: "a.ts", diff: "@@\n beta();\n \n-gamma();\n+GAMMA();\n delta();\n" }] };

for (const [mode, tool, input] of [
  ["replace", replaceEdit, quote],
  ["patch", patch, hunk],
] as const) {
  test(`${mode}: a neighbour that the person changed keeps an edit from landing`, async (t) => {
    const { call, person, disk } = await openFixture(t, mode, tool);
    person({ op: "replace", from: 2, to: 2, content: "mine();" });
    const answer = await call(input);
    assert.equal(answer.error, undefined, answer.text);
    assert.equal(disk(), "alpha();\nmine();\n\nGAMMA();\ndelta();\n");
  });

  test(`${mode}: an edit lands in a copy that the person made`, async (t) => {
    const { call, person, disk } = await openFixture(t, mode, tool);
    person({ op: "insert", after: 0, content: text });
    const answer = await call(input);
    assert.equal(answer.error, undefined, answer.text);
    assert.equal(disk(), text + text.replace("gamma", "GAMMA"));
  });

  test(`${mode}: a line that the person changed is overwritten, or found with other white space`, async (t) => {
    const { call, person, disk } = await openFixture(t, mode, tool);
    person({ op: "replace", from: 4, to: 4, content: "  gamma();" });
    assert.equal((await call(input)).error, "conflict");
    assert.equal(disk(), text);
  });
}

for (const [mode, tool, input] of [
  [
    "replace",
    replaceEdit,
    { edits: [{ old_text: "alpha();\n\ngamma();", new_text: "alpha();\n\nGAMMA();" }] },
  ],
  [
    "patch",
    patch,
    { edits: [{ path: "a.ts", diff: "@@\n alpha();\n \n-gamma();\n+GAMMA();\n delta();\n" }] },
  ],
] as const) {
  test(`${mode}: an edit that leaves a line out lands, since the person took that line away`, async (t) => {
    const { call, person, disk } = await openFixture(t, mode, tool);
    person({ op: "delete", from: 2, to: 2 });
    const answer = await call(input);
    assert.equal(answer.error, "no_match", answer.text);
    assert.match(answer.text, /since someone changed/);
    assert.equal(disk(), text);
    // Now that the place was shown, the same edit means it.
    const again = await call(input);
    assert.equal(again.error, undefined, again.text);
    assert.equal(disk(), "alpha();\n\nGAMMA();\ndelta();\n");
  });
}

test("keys that are off by one change the line beside", async (t) => {
  const { call, disk } = await openFixture(t, "vim", vimEdit);
  for (const keys of [":5d", "5GccGAMMA();<Esc>", "5Gonew();<Esc>"]) {
    const answer = await call({ keys, expect: ["4|gamma();"] });
    assert.equal(answer.error, "no_match", keys);
    assert.match(answer.text, /\*4\|gamma\(\);/);
  }
  assert.equal((await call({ keys: ":4d", expect: ["4|delta();"] })).error, "no_match");
  assert.equal((await call({ keys: ":4d", expect: ["gamma();"] })).error, "invalid_arguments");
  assert.equal(disk(), text);
});

test("vim: numbers that a search showed mean the lines that they were shown with", async (t) => {
  const items = "abcdefghij".split("").map((letter) => `item ${letter}`);
  const open = async (isRead: boolean) => {
    const fixture = await openCodeFixture(t, [search, vimEdit], {
      files: { "a.txt": `${items.join("\n")}\n` },
      settings: { editMode: "vim" },
    });
    if (isRead) readAnchors(fixture, "a.txt");
    return fixture;
  };
  const change = (line: number) => ({ path: "a.txt", keys: `${line}GccCHANGED<Esc>` });
  const disk = (fixture: Awaited<ReturnType<typeof open>>) =>
    readFileSync(fixture.place.path("a.txt"), "utf8");
  const expected = `new 1\nnew 2\n${items.with(4, "CHANGED").join("\n")}\n`;
  const typeAbove = (fixture: Awaited<ReturnType<typeof open>>) =>
    writeFileSync(fixture.place.path("a.txt"), `new 1\nnew 2\n${items.join("\n")}\n`);

  const searched = await open(false);
  assert.match((await searched.call("search", { pattern: "item e" })).text, /5\|item e/);
  typeAbove(searched);
  await searched.call("edit", change(5));
  assert.equal(disk(searched), expected);

  const both = await open(true);
  typeAbove(both);
  assert.match((await both.call("search", { pattern: "item e" })).text, /7\|item e/);
  await both.call("edit", change(7));
  assert.equal(disk(both), expected);
});
