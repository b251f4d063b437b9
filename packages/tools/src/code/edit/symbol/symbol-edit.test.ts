import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type CodeDesk, openCodeDesk } from "@stet/testkit/code-desk";
import { symbolEdit } from "./symbol-edit.ts";

async function desk(t: TestContext, files: Record<string, string | Uint8Array>): Promise<CodeDesk> {
  return await openCodeDesk(t, [symbolEdit], { files, settings: { editMode: "symbol" } });
}

const read = (at: CodeDesk, path: string) => readFileSync(at.place.path(path), "utf8");

/** The content of a file after one edit that must go through. */
async function after(t: TestContext, path: string, content: string, ...edits: object[]): Promise<string> {
  const at = await desk(t, { [path]: content });
  const answer = await at.call("edit", { path, edits });
  assert.equal(answer.error, undefined, answer.text);
  return read(at, path);
}

/** The answer to one edit that must be refused, with the file as it was. */
async function refusal(t: TestContext, path: string, content: string, ...edits: object[]) {
  const at = await desk(t, { [path]: content });
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

test("a method is replaced at its indentation, and its comment stays", async (t) => {
  const content = "total(): number {\n  return this.items.length;\n}";
  const result = await after(t, "a.ts", shop, { op: "replace", symbol: "Cart.total", content });
  assert.equal(result, shop.replace("return 0;", "return this.items.length;"));
});

test("a comment that the content brings replaces the old one", async (t) => {
  const content = "  // Sum.\n  total(): number {\n    return 1;\n  }";
  const result = await after(t, "a.ts", shop, { op: "replace", symbol: "total", content });
  assert.equal(result, shop.replace("/** How much. */", "// Sum.").replace("return 0;", "return 1;"));
});

test("content with only its first line cut is put right", async (t) => {
  const content = "total(): number {\n    return 2;\n  }";
  const result = await after(t, "a.ts", shop, { op: "replace", symbol: "total", content });
  assert.equal(result, shop.replace("return 0;", "return 2;"));
});

test("a body is replaced between its braces, also on one line", async (t) => {
  const result = await after(
    t,
    "a.ts",
    shop,
    { op: "replace_body", symbol: "total", content: "const x = 1;\nreturn x;" },
    { op: "replace_body", symbol: "clear", content: "this.items = [];" },
  );
  assert.equal(
    result,
    shop
      .replace("    return 0;", "    const x = 1;\n    return x;")
      .replace("clear() {}", "clear() {\n    this.items = [];\n  }"),
  );
});

test("braces around a body are refused, for they would stand there twice", async (t) => {
  const edit = { op: "replace_body", symbol: "total", content: "{\n  return 1;\n}" };
  assert.equal((await refusal(t, "a.ts", shop, edit)).error, "invalid_arguments");
});

test("code that is put beside a symbol has the blank lines of its neighbours", async (t) => {
  const result = await after(
    t,
    "a.ts",
    shop,
    { op: "insert_after", symbol: "Cart.total", content: "size() {\n  return 1;\n}" },
    { op: "insert_before", symbol: "empty", content: "const one = 1;" },
    { op: "insert_after", symbol: "empty", content: "export const two = 2;" },
    { op: "insert_after", symbol: "imports", content: 'import { b } from "b";' },
  );
  assert.equal(
    result,
    shop
      .replace('from "a";\n', 'from "a";\nimport { b } from "b";\n')
      .replace("  clear()", "  size() {\n    return 1;\n  }\n\n  clear()")
      .replace("export function", "const one = 1;\n\nexport function")
      .replace(/$/, "\nexport const two = 2;\n"),
  );
});

test("several symbols are deleted with the blank lines that went with them", async (t) => {
  const result = await after(
    t,
    "a.ts",
    shop,
    { op: "delete", symbol: "Cart.items" },
    { op: "delete", symbol: "clear" },
    { op: "delete", symbol: "empty" },
  );
  assert.equal(
    result,
    'import { a } from "a";\n\n/** A cart. */\nexport class Cart {\n  /** How much. */\n  total(): number {\n    return 0;\n  }\n}\n',
  );
});

test("CRLF, a byte order mark and a missing last line end stay", async (t) => {
  const content = `\ufeff${shop.trimEnd().replaceAll("\n", "\r\n")}`;
  const result = await after(
    t,
    "a.ts",
    content,
    { op: "replace_body", symbol: "total", content: "return 'é😀';\nreturn 2;" },
    { op: "insert_after", symbol: "empty", content: "function last() {\n}" },
  );
  const expected = content.replace("return 0;", "return 'é😀';\r\n    return 2;");
  assert.equal(result, `${expected}\r\n\r\nfunction last() {\r\n}`);
});

test("mixed line ends stay as they were", async (t) => {
  const content = "function a() {\r\n  return 1;\r\n}\n\nfunction b() {\n  return 2;\n}\n";
  const result = await after(t, "a.ts", content, { op: "replace_body", symbol: "a", content: "return 3;" });
  assert.equal(result, content.replace("return 1", "return 3"));
});

test("a name that several symbols have is refused with all of them", async (t) => {
  const content = "class A { \n  m() {}\n}\nclass B {\n  m() {}\n}\n";
  const answer = await refusal(t, "a.ts", content, { op: "delete", symbol: "m" });
  assert.equal(answer.error, "ambiguous_match");
  assert.match(answer.text, /A\.m \(method, line 2\).*B\.m \(method, line 5\)/);
});

test("overloads are told apart by their occurrence", async (t) => {
  const content =
    "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {\n  return;\n}\n";
  const answer = await refusal(t, "a.ts", content, { op: "delete", symbol: "f" });
  assert.equal(answer.error, "ambiguous_match");
  const result = await after(t, "a.ts", content, { op: "delete", symbol: "f", occurrence: 2 });
  assert.equal(result, content.replace("function f(a: number): void;\n", ""));
  const beyond = await refusal(t, "a.ts", content, { op: "delete", symbol: "f", occurrence: 4 });
  assert.equal(beyond.error, "unknown_symbol");
});

test("an unknown name is refused with the nearest ones", async (t) => {
  const answer = await refusal(t, "a.ts", shop, { op: "delete", symbol: "Cart.totl" });
  assert.equal(answer.error, "unknown_symbol");
  assert.match(answer.text, /Cart\.total/);
});

test("a file whose structure is not known is refused", async (t) => {
  assert.equal((await refusal(t, "a.txt", "x\n", { op: "delete", symbol: "x" })).error, "unknown_symbol");
});

test("an edit that breaks the syntax is refused with the place", async (t) => {
  const answer = await refusal(t, "a.ts", shop, {
    op: "replace",
    symbol: "empty",
    content: "export function empty() {\n  return new Cart(;\n}",
  });
  assert.match(answer.text, /would break a\.ts.*line 16/s);
});

test("a file with mistakes of its own can still be edited", async (t) => {
  const content = "function a() {\n  return 1;\n}\n\nconst = ;\n";
  const result = await after(t, "a.ts", content, { op: "replace_body", symbol: "a", content: "return 2;" });
  assert.equal(result, content.replace("return 1", "return 2"));
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

test("a section in front of an underlined heading does not become part of it", async (t) => {
  const result = await after(t, "a.md", "# A\nB\n=\ny\n", {
    op: "insert_after",
    symbol: "A",
    content: "# C\n\ntext",
  });
  assert.equal(result, "# A\n\n# C\n\ntext\n\nB\n=\ny\n");
});

test("a symbol that the person changed after it was shown is a conflict with its current text", async (t) => {
  const at = await desk(t, { "a.ts": shop });
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

test("a symbol that has only moved is edited where it is now", async (t) => {
  const at = await desk(t, { "a.ts": shop });
  const opened = at.context.files.open("a.ts");
  assert.ok("history" in opened);
  at.context.sight.showAll(opened);
  const moved = `// one\n// two\n\n${shop.replace("clear() {}", "clear() { this.items = []; }")}`;
  writeFileSync(at.place.path("a.ts"), moved);
  const edit = { op: "replace_body", symbol: "Cart.total", content: "return 1;" };
  const answer = await at.call("edit", { path: "a.ts", edits: [edit] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(read(at, "a.ts"), moved.replace("return 0;", "return 1;"));
});

test("two calls of one message may edit one symbol after the other", async (t) => {
  const at = await desk(t, { "a.ts": shop });
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

test("two edits of one call that meet are refused", async (t) => {
  await refusal(
    t,
    "a.ts",
    shop,
    { op: "delete", symbol: "Cart" },
    { op: "replace_body", symbol: "Cart.total", content: "return 1;" },
  );
});

test("a file that a program writes is refused", async (t) => {
  const content = "// Code generated by x. DO NOT EDIT.\n\nexport const a = 1;\n";
  const answer = await refusal(t, "a.ts", content, { op: "delete", symbol: "a" });
  assert.equal(answer.error, "generated_file");
});

test("what a file is not, is refused: missing, outside, without content", async (t) => {
  const at = await desk(t, { "a.ts": shop });
  const one = [{ op: "delete", symbol: "a" }];
  assert.equal((await at.call("edit", { path: "b.ts", edits: one })).error, "file_not_found");
  assert.equal((await at.call("edit", { path: "../b.ts", edits: one })).error, "path_outside");
  assert.equal((await at.call("edit", { path: "a.ts", edits: [] })).error, "invalid_arguments");
  const bare = [{ op: "replace", symbol: "empty" }];
  assert.equal((await at.call("edit", { path: "a.ts", edits: bare })).error, "content_required");
  const full = [{ op: "delete", symbol: "empty", content: "x" }];
  assert.equal((await at.call("edit", { path: "a.ts", edits: full })).error, "invalid_arguments");
});
