import assert from "node:assert/strict";
import { test } from "node:test";
import { foundFiles } from "./found-lines.ts";

const shown = (text: string, marks: readonly (readonly [number, number])[]) =>
  marks.map(([from, to]) => text.slice(from, to));

test("lines that hold the text stand under their file with their own numbers", () => {
  const files = foundFiles(
    [
      { file_path: "a.md", start_line: 3, snippet: "Mara came.\nNobody else.\nMara and Mara." },
      { file_path: "b.md", start_line: 1, snippet: "  Mara" },
    ],
    "Mara",
  );
  assert.deepEqual(
    files.map(({ path, lines }) => [path, lines.map(({ line }) => line)]),
    [
      ["a.md", [3, 5]],
      ["b.md", [1]],
    ],
  );
  const last = files[0]?.lines[1];
  assert.deepEqual(shown(last?.text ?? "", last?.marks ?? []), ["Mara", "Mara"]);
  assert.equal(files[1]?.lines[0]?.text, "Mara");
});

test("in a long line, the place itself is shown", () => {
  const [file] = foundFiles(
    [{ file_path: "a.md", start_line: 1, snippet: `${"x".repeat(400)} here it is` }],
    "here",
  );
  const line = file?.lines[0];
  assert.ok(line?.text.startsWith("…"));
  assert.deepEqual(shown(line?.text ?? "", line?.marks ?? []), ["here"]);
});

test("a line that is short enough is shown from its beginning, and one that is found as a whole, too", () => {
  const textOf = (snippet: string, query: string) =>
    foundFiles([{ file_path: "a.md", start_line: 1, snippet }], query)[0]?.lines[0]?.text;
  assert.equal(textOf("## Chapter 1: The Lamp", "lamp"), "## Chapter 1: The Lamp");
  const sentence = "Mara climbed the last forty steps without counting them.";
  assert.equal(textOf(sentence, sentence.slice(5)), sentence);
});

test("a result whose place is cut off can still be gone to", () => {
  const [file] = foundFiles([{ file_path: "a.md", start_line: 9, snippet: "cut…" }], "gone");
  assert.deepEqual(file?.lines, [{ path: "a.md", line: 9, text: "cut…", marks: [] }]);
});

test("small letters find capitals, capitals only find themselves", () => {
  const snippet = { file_path: "a.md", start_line: 1, snippet: "Mara and mara" };
  const marksOf = (query: string) => foundFiles([snippet], query)[0]?.lines[0]?.marks;
  assert.deepEqual(marksOf("mara"), [
    [0, 4],
    [9, 13],
  ]);
  assert.deepEqual(marksOf("Mara"), [[0, 4]]);
});
