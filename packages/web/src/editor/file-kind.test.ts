import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { burdenOf, fileKindOf } from "./file-kind.ts";

test("texts are set as prose, everything else as code", () => {
  for (const name of ["notes.md", "book/chapter one.TXT", "README", "Untitled 3", "LICENSE"])
    assert.equal(fileKindOf(name), "prose", name);
  for (const name of ["a.ts", "data.json", "x.yaml", "Makefile", ".gitignore", "table.csv"])
    assert.equal(fileKindOf(name), "code", name);
});

test("a book is no burden; ten megabytes are, and one endless line is", () => {
  const lines = (count: number) =>
    Text.of(Array.from({ length: count }, (_, index) => `${index} `.repeat(8)));
  assert.equal(burdenOf(lines(20_000)), "none");
  assert.equal(burdenOf(lines(200_000)), "size");
  const long = Text.of(["x".repeat(200_000), "short"]);
  assert.equal(burdenOf(long), "lines");
  assert.equal(burdenOf(Text.of(["short"]), Text.empty, "lines"), "lines", "until it is opened again");
});

test("a line that is just too long is found wherever it stands", () => {
  const short = Array.from({ length: 3000 }, (_, index) => "x".repeat(index % 90));
  for (const at of [0, 1, 1500, 2999, 3000]) {
    const withLine = (length: number) =>
      burdenOf(Text.of([...short.slice(0, at), "y".repeat(length), ...short.slice(at)]));
    assert.equal(withLine(100_000), "none", `line ${at}`);
    assert.equal(withLine(100_001), "lines", `line ${at}`);
  }
});

test("a line that grows too long by pasting is noticed", () => {
  const half = "x".repeat(60_000);
  assert.equal(burdenOf(Text.of([half + half]), Text.of([half])), "lines");
});
