// Quotes, hunks, keys and names mean what the model was shown, whatever the file has become since.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeDesk } from "@stet/testkit/code-desk";
import { readAnchors } from "@stet/testkit/read-anchors";
import { must, personEdits } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import type { CodeTool } from "../code-context.ts";
import type { EditMode } from "../code-settings.ts";
import { search } from "../search/search.ts";
import { patch } from "./patch/patch.ts";
import { replaceEdit } from "./replace/replace-edit.ts";
import { symbolEdit } from "./symbol/symbol-edit.ts";
import { vimEdit } from "./vim/vim-edit.ts";

const text = "alpha();\nbeta();\n\ngamma();\ndelta();\n";

async function openDesk(t: TestContext, mode: EditMode, tool: CodeTool, content = text, name = "a.ts") {
  const desk = await openCodeDesk(t, [tool], { files: { [name]: content }, settings: { editMode: mode } });
  readAnchors(desk, name);
  const { document } = must(desk.context.files.open(name));
  return {
    call: (input: Record<string, unknown>) => desk.call("edit", { path: name, ...input }),
    /** In one message, so that none of them was answered when the others were written. */
    callAll: (...inputs: Record<string, unknown>[]) =>
      desk.callAll(inputs.map((input) => ({ tool: "edit", input: { path: name, ...input } }))),
    person: (...edits: LineEdit[]) => personEdits(desk.workspace, document, ...edits),
    disk: () => readFileSync(desk.place.path(name), "utf8"),
  };
}

const quote = { edits: [{ old_text: "beta();\n\ngamma();", new_text: "beta();\n\nGAMMA();" }] };
const hunk = { edits: [{ path: "a.ts", diff: "@@\n beta();\n \n-gamma();\n+GAMMA();\n delta();\n" }] };

for (const [mode, tool, input] of [
  ["replace", replaceEdit, quote],
  ["patch", patch, hunk],
] as const) {
  test(`${mode}: a neighbour that the person changed keeps an edit from landing`, async (t) => {
    const { call, person, disk } = await openDesk(t, mode, tool);
    person({ op: "replace", from: 2, to: 2, content: "mine();" });
    const answer = await call(input);
    assert.equal(answer.error, undefined, answer.text);
    assert.equal(disk(), "alpha();\nmine();\n\nGAMMA();\ndelta();\n");
  });

  test(`${mode}: an edit lands in a copy that the person made`, async (t) => {
    const { call, person, disk } = await openDesk(t, mode, tool);
    person({ op: "insert", after: 0, content: text });
    const answer = await call(input);
    assert.equal(answer.error, undefined, answer.text);
    assert.equal(disk(), text + text.replace("gamma", "GAMMA"));
  });

  test(`${mode}: a line that the person changed is overwritten, or found with other white space`, async (t) => {
    const { call, person, disk } = await openDesk(t, mode, tool);
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
    const { call, person, disk } = await openDesk(t, mode, tool);
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

test("an edit that quotes what the one before it in the same message wrote is refused", async (t) => {
  const quoting = await openDesk(t, "replace", replaceEdit);
  const replaced = await quoting.callAll(
    { edits: [{ old_text: "beta();", new_text: "BETA();" }] },
    { edits: [{ old_text: "BETA();", new_text: "BETA(1);" }] },
  );
  assert.deepEqual(
    replaced.map(({ error }) => error),
    [undefined, undefined],
  );
  const patching = await openDesk(t, "patch", patch);
  const patched = await patching.callAll(
    { edits: [{ path: "a.ts", diff: "@@\n alpha();\n-beta();\n+BETA();\n" }] },
    { edits: [{ path: "a.ts", diff: "@@\n alpha();\n-BETA();\n+BETA(1);\n" }] },
  );
  assert.deepEqual(
    patched.map(({ error }) => error),
    [undefined, undefined],
  );
  for (const { disk } of [quoting, patching]) assert.equal(disk(), text.replace("beta()", "BETA(1)"));
});

test("a hunk that leaves a line out lands elsewhere, where what remains stands too", async (t) => {
  const twice = "one();\nmore();\ntwo();\nthree();\nend();\none();\ntwo();\nthree();\n";
  const { call, disk } = await openDesk(t, "patch", patch, twice);
  const diff = (line: number) => `@@ -${line},3 +${line},3 @@\n one();\n two();\n-three();\n+THREE();\n`;
  const answer = await call({ edits: [{ path: "a.ts", diff: diff(1) }] });
  assert.equal(answer.error, "ambiguous_match", answer.text);
  assert.equal(disk(), twice);
  const meant = await call({ edits: [{ path: "a.ts", diff: diff(6) }] });
  assert.equal(meant.error, undefined, meant.text);
  assert.equal(disk(), twice.replace(/three\(\);\n$/, "THREE();\n"));
});

test("a line that is added without the indentation of the file lands with another one", async (t) => {
  const source = "  if (a) {\n    if (b) {\n      go();\n    }\n  }\n";
  const { call, disk } = await openDesk(t, "patch", patch, source);
  const diff = (added: string) => `@@\n if (a) {\n   if (b) {\n+${added}\n     go();\n`;
  // Written like the rest of the hunk, or as the file is: nobody can tell.
  const unclear = await call({ edits: [{ path: "a.ts", diff: diff("      more();") }] });
  assert.equal(unclear.error, "no_match", unclear.text);
  assert.equal(disk(), source);
  const clear = await call({ edits: [{ path: "a.ts", diff: diff("    more();") }] });
  assert.equal(clear.error, undefined, clear.text);
  assert.equal(disk(), source.replace("      go", "      more();\n      go"));
});

test("of equal lines another one goes than the keys say, with its line end and what the person wrote beside it", async (t) => {
  const mixed = await openDesk(t, "vim", vimEdit, "a();\r\n\nb();\n\r\nc();\r\n");
  const answer = await mixed.call({ keys: ":2,3d", expect: ["2|", "3|b();"] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(mixed.disk(), "a();\r\n\r\nc();\r\n");

  const typed = await openDesk(t, "vim", vimEdit, "a();\n\nb();\n\nc();\n");
  typed.person({ op: "insert", after: 2, content: "mine();\n" });
  const landed = await typed.call({ keys: ":3,4d", expect: ["3|b();", "4|"] });
  assert.equal(landed.error, undefined, landed.text);
  assert.equal(typed.disk(), "a();\n\nmine();\nc();\n");
});

test("a quote of whole lines takes the line end of the line behind them", async (t) => {
  const { call, disk } = await openDesk(t, "replace", replaceEdit, "a();\r\n\nb();\n\r\nc();\r\n");
  const answer = await call({ edits: [{ old_text: "\nb();\n", new_text: "" }] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(disk(), "a();\r\n\r\nc();\r\n");
});

test("a number in keys means another line since the person wrote above it", async (t) => {
  const { call, person, disk } = await openDesk(t, "vim", vimEdit);
  person({ op: "insert", after: 0, content: "mine();\n" });
  const answer = await call({ keys: "4GccGAMMA();<Esc>", expect: ["4|gamma();"] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(disk(), `mine();\n${text.replace("gamma", "GAMMA")}`);
});

test("keys that are off by one change the line beside", async (t) => {
  const { call, disk } = await openDesk(t, "vim", vimEdit);
  for (const keys of [":5d", "5GccGAMMA();<Esc>", "5Gonew();<Esc>"]) {
    const answer = await call({ keys, expect: ["4|gamma();"] });
    assert.equal(answer.error, "no_match", keys);
    assert.match(answer.text, / 4\|gamma\(\);/);
  }
  assert.equal((await call({ keys: ":4d", expect: ["4|delta();"] })).error, "no_match");
  assert.equal((await call({ keys: ":4d", expect: ["gamma();"] })).error, "invalid_arguments");
  assert.equal(disk(), text);
});

test("a name means another symbol since the one that was shown has changed", async (t) => {
  const json = '{\n  "type": "module",\n  "repository": {\n    "type": "git"\n  }\n}\n';
  const { call, person, disk } = await openDesk(t, "symbol", symbolEdit, json, "a.json");
  person({ op: "replace", from: 2, to: 2, content: '  "kind": "mine",' });
  const answer = await call({ edits: [{ op: "replace", symbol: "type", content: '"type": "commonjs"' }] });
  assert.equal(answer.error, "conflict", answer.text);
  assert.equal(disk(), json);
});

test("lines of a symbol that the person took away come back", async (t) => {
  const source = "function a() {\n  one();\n  two();\n}\n";
  const { call, person, disk } = await openDesk(t, "symbol", symbolEdit, source);
  person({ op: "delete", from: 3, to: 3 });
  const content = "function a() {\n  ONE();\n  two();\n}";
  assert.equal((await call({ edits: [{ op: "replace", symbol: "a", content }] })).error, "conflict");
  assert.equal(disk(), source);
});

test("typographic quotes of a model come into the file", async (t) => {
  const { call, disk } = await openDesk(t, "replace", replaceEdit, 'say("hello");\nsay("it\'s");\n');
  const fine = await call({ edits: [{ old_text: "say(“hello”);", new_text: "say(“hello”);\nsay(“new”);" }] });
  assert.equal(fine.error, undefined, fine.text);
  assert.equal(disk(), 'say("hello");\nsay("new");\nsay("it\'s");\n');
  // Nothing there shows which kind of apostrophe belongs into the new line.
  const unclear = await call({ edits: [{ old_text: "say(“hello”);", new_text: "say(“isn’t”);" }] });
  assert.equal(unclear.error, "no_match");
});

test("a line that was quoted without its indentation leaves it behind, or new lines come without any", async (t) => {
  const source = "if (x) {\n    one();\n    two();\n}\n";
  const { call, disk } = await openDesk(t, "replace", replaceEdit, source);
  const unclear = await call({ edits: [{ old_text: "one();", new_text: "one();\nmore();" }] });
  assert.equal(unclear.error, "no_match");
  const gone = await call({ edits: [{ old_text: "one();\n", new_text: "" }] });
  assert.equal(gone.error, undefined, gone.text);
  assert.equal(disk(), "if (x) {\n    two();\n}\n");
});

test("a hunk that leaves out the line beside its added ones lands beside its place", async (t) => {
  const { call, disk } = await openDesk(t, "patch", patch);
  for (const diff of ["@@\n+new();\n gamma();\n delta();\n", "@@\n beta();\n+new();\n"]) {
    const answer = await call({ edits: [{ path: "a.ts", diff }] });
    assert.equal(answer.error, "ambiguous_match", answer.text);
  }
  assert.equal(disk(), text);
});

test("a hunk that ends with added lines is taken where it says enough of what they follow", async (t) => {
  const { call, disk } = await openDesk(t, "patch", patch);
  const answer = await call({ edits: [{ path: "a.ts", diff: "@@\n alpha();\n beta();\n+new();\n" }] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(disk(), text.replace("beta();\n", "beta();\nnew();\n"));
});

test("vim: numbers that a search showed mean the lines that they were shown with", async (t) => {
  const items = "abcdefghij".split("").map((letter) => `item ${letter}`);
  const open = async (isRead: boolean) => {
    const desk = await openCodeDesk(t, [search, vimEdit], {
      files: { "a.txt": `${items.join("\n")}\n` },
      settings: { editMode: "vim" },
    });
    if (isRead) readAnchors(desk, "a.txt");
    return desk;
  };
  const change = (line: number) => ({ path: "a.txt", keys: `${line}GccCHANGED<Esc>` });
  const disk = (desk: Awaited<ReturnType<typeof open>>) => readFileSync(desk.place.path("a.txt"), "utf8");
  const expected = `new 1\nnew 2\n${items.with(4, "CHANGED").join("\n")}\n`;
  const typeAbove = (desk: Awaited<ReturnType<typeof open>>) =>
    writeFileSync(desk.place.path("a.txt"), `new 1\nnew 2\n${items.join("\n")}\n`);

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

test("a file is edited under the spelling under which it was read", async (t) => {
  const onDisk = "Re\u0301sume\u0301 \u2019s.txt";
  const desk = await openCodeDesk(t, [replaceEdit], {
    files: { [onDisk]: "one\n" },
    settings: { editMode: "replace" },
  });
  const edits = [{ old_text: "one", new_text: "two" }];
  const answer = await desk.call("edit", { path: "R\u00e9sum\u00e9 's.txt", edits });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(readFileSync(desk.place.path(onDisk), "utf8"), "two\n");
});
