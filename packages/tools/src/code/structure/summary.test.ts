import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { samples } from "@stet/testkit/symbol-samples";
import { countLines, lineContent } from "@stet/text/lines";
import { type Summary, summarise } from "./summary.ts";

const textOf = (source: string) => Text.of(source.split("\n"));

/** As a reader would print it. */
function printed(text: Text, summary: Summary | undefined): string {
  assert.ok(summary !== undefined);
  const lines: string[] = [];
  let next = 1;
  let hidden = 0;
  for (const part of summary.parts) {
    assert.equal(part.from, next, "parts cover all lines in order");
    next = part.to + 1;
    if (part.kind === "folded") {
      lines.push(part.text);
      hidden += part.to - part.from - 1;
    } else if (part.kind === "elided") {
      lines.push("...");
      hidden += part.to - part.from + 1;
    } else for (let line = part.from; line <= part.to; line += 1) lines.push(lineContent(text, line - 1));
  }
  assert.equal(next, countLines(text) + 1);
  assert.equal(summary.elidedLines, hidden);
  assert.equal(summary.lines, lines.length);
  return lines.join("\n");
}

const statements = (indent: string, count = 12) => `${indent}x = 1;\n`.repeat(count);

test("bodies of functions and methods are left out, declarations and comments stay", async () => {
  const source = `import a from "a";

/** Adds. */
export function add(
  one: number,
): number {
${statements("  ", 40)}}

class Cart {
  items = [];

  /**
   * First line.
   * 2
   * 3
   * 4
   * 5
   * 6
   */
  total() {
${statements("    ", 40)}  }

  short() {
    return 1;
  }
}

const table = [
${"  1,\n".repeat(20)}];
`;
  const text = textOf(source);
  assert.equal(
    printed(text, await summarise("a.ts", text)),
    `import a from "a";

/** Adds. */
export function add(
  one: number,
): number { ... }

class Cart {
  items = [];

  /**
   * First line.
...
   */
  total() { ... }

  short() {
    return 1;
  }
}

const table = [ ... ];`,
  );
});

test("a function of Python keeps the first line of what it says about itself", async () => {
  const source = `class A:\n    def f(self):\n        """Says it.\n\n        More.\n        """\n${"        x = 1\n".repeat(80)}\n    def g(self):\n${"        y = 1\n".repeat(10)}`;
  const text = textOf(source);
  assert.equal(
    printed(text, await summarise("a.py", text)),
    'class A:\n    def f(self):\n        """Says it.\n...\n\n    def g(self):\n...',
  );
});

test("of long statements outside of every symbol the inside is left out", async () => {
  const source = `it("a", () => {\n${statements("  ", 50)}});\n\nit("b", () => {\n${statements("  ", 50)}});\n`;
  const text = textOf(source);
  assert.equal(
    printed(text, await summarise("a.test.ts", text)),
    'it("a", () => { ... });\n\nit("b", () => { ... });',
  );
});

test("line ends and characters do not matter", async () => {
  const source = `function größe() {\r\n${"  // 😀\r\n".repeat(90)}}\r\n`;
  const text = textOf(source);
  assert.equal(printed(text, await summarise("a.ts", text)), "function größe() { ... }");
});

test("every language has summaries, and their parts always cover the file", async () => {
  for (const { path, source } of samples) {
    const text = textOf(source.repeat(6));
    const summary = await summarise(path, text);
    if (summary !== undefined) printed(text, summary);
  }
  const bodies: [string, string][] = [
    ["a.go", "package a\n\nfunc f() {\nBODY}\n"],
    ["a.rs", "fn f() {\nBODY}\n"],
    ["A.java", "class A {\n  void f() {\nBODY  }\n}\n"],
    ["a.c", "int f(void) {\nBODY}\n"],
    ["a.js", "const f = () => {\nBODY};\n"],
  ];
  for (const [path, source] of bodies) {
    const text = textOf(source.replace("BODY", statements("  ", 90)));
    assert.match(printed(text, await summarise(path, text)), /\{ \.\.\. \}/, path);
  }
});

test("what is short, no code, has nothing to leave out or is too long has no summary", async () => {
  const body = (count: number) => `function f() {\n${statements("  ", count)}}\n`;
  assert.equal(await summarise("a.ts", textOf(body(20))), undefined);
  assert.equal(await summarise("a.txt", textOf(body(200))), undefined);
  assert.equal(await summarise("a.md", textOf(body(200))), undefined);
  assert.equal(await summarise("a.ts", textOf("const a = 1;\n".repeat(200))), undefined);
  assert.equal(await summarise("a.ts", textOf(body(20_000))), undefined);
  assert.equal(await summarise("a.ts", textOf(`// ${"é".repeat(1_100_000)}\n${body(200)}`)), undefined);
  assert.notEqual(await summarise("a.ts", textOf(body(19_000))), undefined);
});
