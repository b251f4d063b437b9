import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { testData } from "@stet/testkit/data";
import { cutPassages } from "./passages.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function isTiling(text: Text): void {
  let at = 0;
  for (const { from, to, startLine, endLine } of cutPassages(text, "txt")) {
    assert.equal(from, at);
    assert.ok(to > from);
    assert.equal(startLine, text.lineAt(from).number - 1);
    assert.equal(endLine, text.lineAt(to - 1).number - 1);
    at = to;
  }
  assert.equal(at, text.length);
}

test("passages tile a text, whatever its shape", () => {
  isTiling(textOf(""));
  isTiling(textOf("one line"));
  isTiling(textOf("\n\n\nafter blank lines\n\n"));
  isTiling(textOf("a line without any end ".repeat(20_000)));
  isTiling(textOf("x".repeat(300_000)));
  isTiling(textOf("a line\n".repeat(20_000)));
  isTiling(textOf("# Heading\n\nA paragraph that says something.\n\n".repeat(500)));
});

test("a passage does not run from one chapter into the next", () => {
  const paragraph = "Some words about the weather and the sea.\n\n";
  const text = textOf(`CHAPTER I. Sun\n\n${paragraph.repeat(7)}CHAPTER II. Rain\n\n${paragraph.repeat(7)}`);
  const second = text.toString().indexOf("CHAPTER II");
  const passages = [...cutPassages(text, "txt")];
  assert.ok(passages.some(({ from }) => from === second));
});

test("the lines of a table of contents are not passages of their own", () => {
  const contents = Array.from({ length: 12 }, (_, number) => `Chapter ${number}. A title`).join("\n\n");
  const passages = [...cutPassages(textOf(contents), "txt")];
  assert.equal(passages.length, 1);
});

test("a comment in a program is not a heading", () => {
  const text = textOf(`${"value = compute(value)\n".repeat(12)}\n# A comment.\nvalue = 1\n`);
  assert.equal([...cutPassages(text, "py")].length, 1);
  assert.equal([...cutPassages(text, "markdown")].length, 2);
});

test("one edit of a long book changes the passages near it only", (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const lines = readFileSync(path, "utf8").split(/\r?\n/);
  isTiling(Text.of(lines));
  const before = new Set(contents(Text.of(lines)));
  for (const line of [600, 5000, 11_111, 20_001]) {
    const edited = lines.with(line, "Here stands another sentence. It was not here before.");
    const fresh = contents(Text.of(edited)).filter((content) => !before.has(content));
    assert.ok(fresh.length > 0 && fresh.length <= 6, `${fresh.length} passages changed with line ${line}`);
  }
});

function contents(text: Text): string[] {
  return [...cutPassages(text, "txt")].map(({ from, to }) => text.sliceString(from, to));
}
