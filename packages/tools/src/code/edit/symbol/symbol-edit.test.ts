import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { symbolEdit } from "./symbol-edit.ts";

async function fixture(t: TestContext, files: Record<string, string | Uint8Array>): Promise<CodeFixture> {
  return await openCodeFixture(t, [symbolEdit], { files, settings: { editMode: "symbol" } });
}

const read = (at: CodeFixture, path: string) => readFileSync(at.place.path(path), "utf8");

/** The content of a file after one edit that must go through. */
async function after(t: TestContext, path: string, content: string, ...edits: object[]): Promise<string> {
  const at = await fixture(t, { [path]: content });
  const answer = await at.call("edit", { path, edits });
  assert.equal(answer.error, undefined, answer.text);
  return read(at, path);
}

/** The answer to one edit that must be refused, with the file as it was. */
async function refusal(t: TestContext, path: string, content: string, ...edits: object[]) {
  const at = await fixture(t, { [path]: content });
  const answer = await at.call("edit", { path, edits });
  assert.notEqual(answer.error, undefined, answer.text);
  assert.equal(read(at, path), content);
  return answer;
}

const shop = `import { a } from "a";

/** A cart. */
export class Cart {
  items = [];

  /** How much. */
  total(): number {
    return 0;
  }

  clear() {}
}

export function empty() {
  return new Cart();
}
`;

test("a name that several symbols have is refused with all of them", async (t) => {
  const content = "class A { \n  m() {}\n}\nclass B {\n  m() {}\n}\n";
  const answer = await refusal(t, "a.ts", content, { op: "delete", symbol: "m" });
  assert.equal(answer.error, "ambiguous_match");
  assert.match(answer.text, /A\.m \(method, line 2\).*B\.m \(method, line 5\)/);
});

test("an unknown name is refused with the nearest ones", async (t) => {
  const answer = await refusal(t, "a.ts", shop, { op: "delete", symbol: "Cart.totl" });
  assert.equal(answer.error, "unknown_symbol");
  assert.match(answer.text, /Cart\.total/);
});

test("an edit that breaks the syntax is refused with the place", async (t) => {
  const answer = await refusal(t, "a.ts", shop, {
    op: "replace",
    symbol: "empty",
    content: "export function empty() {\n  return new Cart(;\n}",
  });
  assert.match(answer.text, /would break a\.ts.*line 16/s);
});

test("a symbol whose end is not understood is not replaced up to the middle of a line", async (t) => {
  const source = 'declare const kept: import("a").Lazy<{\n  x?: string;\n}>;\n';
  const content = source.replace("x?", "y?");
  const replaced = await refusal(t, "a.ts", source, { op: "replace", symbol: "kept", content });
  assert.match(replaced.text, /kept ends in line 1 of a\.ts cannot be told/);
  await refusal(t, "a.ts", source, { op: "delete", symbol: "kept" });
});

test("a replacement with another name is refused unless it is meant", async (t) => {
  const edit = { op: "replace", symbol: "empty", content: "export function fresh() {\n  return 1;\n}" };
  assert.match((await refusal(t, "a.ts", shop, edit)).text, /does not declare empty/);
  const result = await after(t, "a.ts", shop, { ...edit, rename: true });
  assert.match(result, /export function fresh/);
});

test("only the inside of a function as its replacement is refused", async (t) => {
  const edit = { op: "replace", symbol: "empty", content: "return new Cart();" };
  assert.match((await refusal(t, "a.ts", shop, edit)).text, /does not declare empty/);
});

test("a code fence that is not closed does not swallow the sections behind it", async (t) => {
  const content = "# A\n\ntext\n\n# B\n\nmore\n";
  const edit = { op: "replace_body", symbol: "A", content: "```\ncode" };
  assert.match((await refusal(t, "a.md", content, edit)).text, /take in B/);
});

test("a symbol that the person changed after it was shown is a conflict with its current text", async (t) => {
  const at = await fixture(t, { "a.ts": shop });
  const opened = at.context.files.open("a.ts");
  assert.ok("history" in opened);
  at.context.sight.showAll(opened);
  writeFileSync(at.place.path("a.ts"), shop.replace("return 0;", "return 41;"));
  const edit = { op: "replace_body", symbol: "Cart.total", content: "return 1;" };
  const answer = await at.call("edit", { path: "a.ts", edits: [edit] });
  assert.equal(answer.error, "conflict");
  assert.match(answer.text, /return 41;/);
  assert.match(read(at, "a.ts"), /return 41;/);
  const again = await at.call("edit", { path: "a.ts", edits: [edit] });
  assert.equal(again.error, undefined, again.text);
});

test("two calls of one message may edit one symbol after the other", async (t) => {
  const at = await fixture(t, { "a.ts": shop });
  const edits = (value: number) => [
    { op: "replace_body", symbol: "Cart.total", content: `return ${value};` },
  ];
  const answers = await at.callAll([
    { tool: "edit", input: { path: "a.ts", edits: edits(1) } },
    { tool: "edit", input: { path: at.place.path("a.ts"), edits: edits(2) } },
  ]);
  assert.deepEqual(
    answers.map(({ error }) => error),
    [undefined, undefined],
  );
  assert.match(read(at, "a.ts"), /return 2;/);
});
