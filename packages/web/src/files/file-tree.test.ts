import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTree, filteredRows, foldersAbove, sumsByPath, treeRows, typedAhead } from "./file-tree.ts";

const paths = ["readme.md", "book/ch10.md", "book/ch2.md", "book/notes/Mara.md", "Zoo.txt", "apple.txt"];
const shown = (rows: readonly { level: number; node: { name: string } }[]) =>
  rows.map(({ level, node }) => `${"  ".repeat(level - 1)}${node.name}`);

test("folders come first, and chapter 2 before chapter 10", () => {
  const rows = treeRows(buildTree(paths), () => true);
  assert.deepEqual(shown(rows), [
    "book",
    "  notes",
    "    Mara.md",
    "  ch2.md",
    "  ch10.md",
    "apple.txt",
    "readme.md",
    "Zoo.txt",
  ]);
  assert.deepEqual([rows[3]?.position, rows[3]?.siblings], [2, 3]);
});

test("what is in a closed folder is not shown", () => {
  const rows = treeRows(buildTree(paths), (path) => path === "book");
  assert.deepEqual(shown(rows).slice(0, 3), ["book", "  notes", "  ch2.md"]);
});

test("a filter shows what it finds under its folders, marked, and knows the best", () => {
  const { rows, best } = filteredRows(buildTree(paths), "mara");
  assert.deepEqual(shown(rows), ["book", "  notes", "    Mara.md"]);
  assert.deepEqual(rows[2]?.marks, [[0, 4]]);
  assert.equal(best, "book/notes/Mara.md");
  assert.deepEqual(
    rows.map(({ position, siblings }) => [position, siblings]),
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  );
});

test("a filter that goes over a folder marks both parts", () => {
  const { rows } = filteredRows(buildTree(paths), "bookch2");
  assert.deepEqual(
    rows.map(({ node, marks }) => [node.name, marks]),
    [
      ["book", [[0, 4]]],
      ["ch2.md", [[0, 3]]],
    ],
  );
});

test("typing ahead finds the next name, and goes around", () => {
  const rows = treeRows(buildTree(paths), () => true);
  assert.equal(typedAhead(rows, 0, "r"), 6);
  assert.equal(typedAhead(rows, 6, "b"), 0);
  assert.equal(typedAhead(rows, 3, "ch1"), 4);
  assert.equal(typedAhead(rows, 0, "q"), undefined);
});

test("the changes of a file count for the folders above it", () => {
  const sums = sumsByPath([
    ["book/ch2.md", 2],
    ["book/notes/Mara.md", 3],
  ]);
  assert.deepEqual([sums.get("book"), sums.get("book/notes"), sums.get("book/ch2.md")], [5, 3, 2]);
  assert.deepEqual(foldersAbove("a/b/c.md"), ["a", "a/b"]);
});

test("a folder of 20,000 files is a tree, and one of them is found", (t) => {
  const many = Array.from(
    { length: 20_000 },
    (_, index) => `p${index % 50}/q${index % 400}/file-${index}.ts`,
  );
  const start = performance.now();
  assert.ok(treeRows(buildTree(many), () => true).length > 20_000);
  assert.equal(filteredRows(buildTree(many), "file19999").best, "p49/q399/file-19999.ts");
  t.diagnostic(`built and searched in ${Math.round(performance.now() - start)} ms`);
});
