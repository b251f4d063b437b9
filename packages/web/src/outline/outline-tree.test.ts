import assert from "node:assert/strict";
import { test } from "node:test";
import { itemsOf, type OutlineItem, outlineRows, rowAtLine } from "./outline-tree.ts";

const item = (title: string, line: number, ...children: OutlineItem[]): OutlineItem => {
  return { title, level: 1, line_start: line, line_end: null, children };
};
const book = [
  item("Part One", 0, item("Loomings", 2), item("The Carpet-Bag", 10)),
  item("Part Two", 20, item("Loomings", 22), item("Loomings", 30)),
];
const none = new Set<string>();

test("folding a part hides its chapters and nothing else", () => {
  const all = outlineRows(book, none, "");
  assert.deepEqual(
    all.map(({ title, level, line }) => [title, level, line]),
    [
      ["Part One", 0, 1],
      ["Loomings", 1, 3],
      ["The Carpet-Bag", 1, 11],
      ["Part Two", 0, 21],
      ["Loomings", 1, 23],
      ["Loomings", 1, 31],
    ],
  );
  assert.equal(new Set(all.map(({ key }) => key)).size, 6, "equal titles are told apart");
  const folded = outlineRows(book, new Set([all[0]?.key ?? ""]), "");
  assert.deepEqual(
    folded.map(({ title }) => title),
    ["Part One", "Part Two", "Loomings", "Loomings"],
  );
});

test("a filter shows what fits with the parts above it, also in what is folded", () => {
  const [first] = outlineRows(book, none, "");
  const rows = outlineRows(book, new Set([first?.key ?? ""]), "bag CARPET");
  assert.deepEqual(
    rows.map(({ title }) => title),
    ["Part One", "The Carpet-Bag"],
  );
  assert.deepEqual(outlineRows(book, none, "nowhere"), []);
});

test("the cursor's place is the last title at or before its line", () => {
  const rows = outlineRows(book, none, "");
  assert.equal(rowAtLine(rows, 11), 2);
  assert.equal(rowAtLine(rows, 20), 2);
  assert.equal(rowAtLine(rows, 500), 5);
  assert.equal(rowAtLine(rows.slice(1), 1), -1);
});

test("a text that is only cut at its blank lines has no outline", () => {
  const reply = { version: "1", file_type: "txt", detection_method: "heuristic", outline: [item("a", 0)] };
  assert.deepEqual(itemsOf({ ...reply, detection_confidence: "low" }), []);
  assert.equal(itemsOf({ ...reply, detection_confidence: "high" }).length, 1);
});
