import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import {
  blocksBetween,
  blocksOfPatch,
  changeOfReverse,
  type DiffBlock,
  isProse,
  withVerdicts,
} from "./diff-blocks.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

function changed(count: number, ...places: readonly number[]): string {
  return numbered(count)
    .map((line, index) => (places.includes(index + 1) ? `${line} changed` : line))
    .join("\n");
}

/** The text after the change, put together from the blocks; lines that are left out are counted. */
function linesShown(blocks: readonly DiffBlock[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === "fold") return sum + block.lines;
    if (block.kind === "context") return sum + block.lines.length;
    return block.kind === "change" ? sum + block.added.length : sum;
  }, 0);
}

test("a change in the middle is shown with three lines around it, and says how many are left out", () => {
  const blocks = blocksBetween(changed(40), changed(40, 20));
  assert.deepEqual(
    blocks.map((block) => block.kind),
    ["fold", "context", "change", "context", "fold"],
  );
  assert.deepEqual(blocks[0], { kind: "fold", lines: 16 });
  assert.deepEqual(blocks[1], { kind: "context", line: 17, lines: ["line 17", "line 18", "line 19"] });
  assert.deepEqual(blocks[2], {
    kind: "change",
    line: 20,
    removed: ["line 20"],
    added: ["line 20 changed"],
  });
  assert.equal(linesShown(blocks), 40);
});

test("two changes near each other have no fold between them that hides a single line", () => {
  const blocks = blocksBetween(changed(20), changed(20, 5, 13));
  assert.deepEqual(
    blocks.map((block) => block.kind),
    ["context", "change", "context", "change", "context", "fold"],
  );
});

test("equal texts, empty texts and a line break at the end make no false changes", () => {
  assert.deepEqual(blocksBetween("a\nb\n", "a\nb\n"), []);
  assert.deepEqual(blocksBetween("", ""), []);
  assert.deepEqual(blocksBetween("", "a\n"), [{ kind: "change", line: 1, removed: [], added: ["a"] }]);
  assert.deepEqual(blocksBetween("a\n", ""), [{ kind: "change", line: 1, removed: ["a"], added: [] }]);
  assert.equal(
    blocksBetween("a", "a\n").some((block) => block.kind === "change"),
    true,
  );
});

test("a whole rewrite is many blocks, none of which is too long to draw", () => {
  const blocks = blocksBetween(numbered(5000).join("\n"), numbered(5000).join("!\n"));
  assert.ok(blocks.length > 50);
  for (const block of blocks) {
    if (block.kind === "change") assert.ok(block.removed.length + block.added.length <= 120);
  }
});

test("a preview shows exactly what a unified diff says", () => {
  const before = Text.of([...numbered(30), ""]);
  const after = Text.of([...numbered(30).toSpliced(4, 1, "other").toSpliced(20, 2), ""]);
  const patch = formatUnified({ path: "a.md", before, after, splices: diffTexts(before, after) });
  const blocks = blocksOfPatch(patch);
  assert.ok(blocks !== undefined);
  assert.deepEqual(
    blocks.filter((block) => block.kind === "change"),
    [
      { kind: "change", line: 5, removed: ["line 5"], added: ["other"] },
      { kind: "change", line: 21, removed: ["line 21", "line 22"], added: [] },
    ],
  );
  const places = blocks.flatMap((block) => (block.kind === "context" ? [block.line] : []));
  assert.deepEqual(places, [2, 6, 18, 21]);
});

test("what cannot be read as a diff is not shown as one", () => {
  assert.equal(blocksOfPatch("nothing of the kind"), undefined);
});

test("the way back is told as what the turn did", () => {
  assert.deepEqual(changeOfReverse("@@ -3,2 +3 @@\n-new one\n-new two\n+old"), {
    kind: "change",
    line: 3,
    removed: ["old"],
    added: ["new one", "new two"],
  });
  assert.equal(changeOfReverse("@@ -6,0 +7 @@\n+gone").line, 7);
});

test("what was rejected of a turn is told beside what was accepted and what is open", () => {
  const blocks = blocksBetween(changed(30), changed(30, 3, 12, 20, 21, 28));
  const hunk = (line: number, verdict: "accepted" | "rejected" | null) => {
    return { reverse_patch: `@@ -${line} +${line} @@\n-line ${line} changed\n+line ${line}`, verdict };
  };
  const told = withVerdicts(blocks, [
    hunk(3, "rejected"),
    hunk(12, "accepted"),
    hunk(20, "accepted"),
    hunk(21, "rejected"),
    hunk(28, null),
  ]);
  assert.deepEqual(
    told.flatMap((block) => (block.kind === "change" ? [block.verdict] : [])),
    ["rejected", "accepted", "mixed", "open"],
  );
  assert.deepEqual(withVerdicts(blocks, []), blocks);
});

test("Markdown and documents without a file are prose, code is not", () => {
  assert.ok(isProse("notes/a.md"));
  assert.ok(isProse(null));
  assert.ok(isProse("README"));
  assert.ok(!isProse("src/a.ts"));
  assert.ok(!isProse("book.yaml"));
});
