import assert from "node:assert/strict";
import { test } from "node:test";
import { maxHunkBytes, maxHunkLines } from "@stet/protocol/limits";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { fitsOneHunk, type HunkPart, isOversized, splitHunk } from "./hunk-size.ts";

/** The parts with their lines, after checking that together they are everything, in order. */
function partsOf(
  old: readonly string[],
  proposed: readonly string[],
): { old: string[]; proposed: string[] }[] {
  const parts: { old: string[]; proposed: string[] }[] = [];
  let a = 0;
  let b = 0;
  for (const { removed, added } of splitHunk(old, proposed)) {
    assert.ok(removed >= 0 && added >= 0 && removed + added > 0, "a part of no lines");
    parts.push({ old: old.slice(a, a + removed), proposed: proposed.slice(b, b + added) });
    a += removed;
    b += added;
  }
  assert.deepEqual([a, b], [old.length, proposed.length], "lines are lost or counted twice");
  return parts;
}

function words(count: number, width = 4): string[] {
  return Array.from({ length: count }, (_, index) => `${index}`.padEnd(width, "x"));
}

function sizes(parts: readonly HunkPart[]): number[] {
  return parts.map((part) => part.added);
}

test("a hunk at the limit is split, or one over it is not", () => {
  const bytes = (count: number) => ["x".repeat(count - 1)];
  const cases: [name: string, lines: string[], fits: boolean][] = [
    ["no lines", [], true],
    ["80 lines", words(maxHunkLines), true],
    ["81 lines", words(maxHunkLines + 1), false],
    ["8,192 bytes", bytes(maxHunkBytes), true],
    ["8,193 bytes", bytes(maxHunkBytes + 1), false],
    ["8,192 bytes of two-byte characters", ["é".repeat(maxHunkBytes / 2 - 1), ""], true],
    ["8,194 bytes of two-byte characters", ["é".repeat(maxHunkBytes / 2), ""], false],
    ["8,191 bytes of three-byte characters", ["日".repeat(2730)], true],
    ["8,193 bytes of three-byte characters", ["日".repeat(2730), "x"], false],
    ["emoji", ["😀".repeat(maxHunkBytes / 4)], false],
    ["emoji that fit", ["😀".repeat(maxHunkBytes / 4 - 1)], true],
  ];
  for (const [name, lines, fits] of cases) {
    const size = Buffer.byteLength(lines.join("\n")) + (lines.length > 0 ? 1 : 0);
    assert.equal(
      lines.length <= maxHunkLines && size <= maxHunkBytes,
      fits,
      `the case "${name}" is not what it says`,
    );
    assert.equal(fitsOneHunk(lines), fits, name);
    assert.equal(isOversized([], lines), !fits, name);
    assert.equal(isOversized(lines, []), !fits, name);
  }
});

test("a long hunk is cut in the middle of a paragraph though a blank line is near", () => {
  const lines = [...words(50), "", ...words(50), "", ...words(10)];
  assert.deepEqual(sizes(splitHunk([], lines)), [51, 61]);
  // The blank line stays with what is above it; of several, the last one is the boundary.
  assert.deepEqual(sizes(splitHunk([], [...words(50), "", "", ...words(50)])), [52, 50]);
  // A blank line is better than a later new paragraph or sentence.
  assert.deepEqual(
    sizes(splitHunk([], [...words(30), "", ...words(20), "Done.", "- item", ...words(40)])),
    [31, 62],
  );
});

test("a long hunk without blank lines is not cut between paragraphs, then sentences", () => {
  for (const start of ["  indented", "\ttab", "# Heading", "- item", "12. item", "> quote"]) {
    assert.deepEqual(sizes(splitHunk([], [...words(60), start, ...words(40)])), [60, 41], start);
  }
  for (const end of ["Done.", "Really?", "“No!”", "so…", "終。", "(ok.) "]) {
    assert.deepEqual(sizes(splitHunk([], [...words(59), end, ...words(40)])), [60, 40], end);
  }
  // A paragraph is better than a later sentence.
  assert.deepEqual(
    sizes(splitHunk([], [...words(30), "- item", ...words(20), "Done.", ...words(40)])),
    [30, 62],
  );
  // A closing bracket does not begin a paragraph, however far it is indented.
  assert.deepEqual(sizes(splitHunk([], [...words(60), "    })", ...words(40)])), [101]);
});

test("a hunk that cannot be cut within the limit is not cut at all", () => {
  const lines = [...words(120), "", ...words(20)];
  assert.deepEqual(sizes(splitHunk([], lines)), [121, 20]);
  assert.deepEqual(sizes(splitHunk([], words(300))), [300]);
  assert.deepEqual(splitHunk(["x".repeat(9000)], ["y".repeat(9000)]), [{ removed: 1, added: 1 }]);
});

test("a long old text makes a hunk that cannot be judged though it has blank lines", () => {
  const paragraphs = Array.from({ length: 10 }, () => ["x".repeat(2000), ""]).flat();
  for (const [old, proposed] of [
    [paragraphs, words(20)],
    [words(20), paragraphs],
    [paragraphs, words(100)],
    [paragraphs, []],
    [Array.from({ length: 400 }, (_, index) => (index % 40 === 39 ? "" : "word")), words(81)],
    [words(300), Array.from({ length: 100 }, (_, index) => (index % 10 === 9 ? "" : "word"))],
  ] as const) {
    const parts = partsOf(old, proposed);
    assert.ok(parts.length > 1, "nothing is split");
  }
  for (const part of partsOf(paragraphs, words(20))) assert.ok(!isOversized(part.old, part.proposed));
  for (const part of partsOf(paragraphs, words(100))) assert.ok(fitsOneHunk(part.old));
});

test("a split hunk loses lines, or is left too large where a blank line would help", () => {
  const line = fc.constantFrom(
    "word",
    "word",
    "word",
    "word",
    "",
    "End.",
    "- item",
    "x".repeat(700),
    "日".repeat(300),
  );
  const side = fc.oneof(
    fc.array(line, { maxLength: 250, size: "max" }),
    fc.array(fc.constantFrom("word", "other"), { maxLength: 250, size: "max" }),
  );
  fc.assert(
    fc.property(side, side, (old, proposed) => {
      if (old.length + proposed.length === 0) return;
      for (const part of partsOf(old, proposed)) {
        for (const lines of [part.old, part.proposed]) {
          if (fitsOneHunk(lines)) continue;
          const inside = lines.findIndex((each, index) => each === "" && (lines[index + 1] ?? "") !== "");
          assert.equal(inside, -1, "a part is too large and has a blank line");
        }
      }
    }),
    { numRuns: runs(400) },
  );
});

test("a hunk that fits is split", () => {
  const side = fc.array(fc.constantFrom("word", "", "End.", "# Heading"), {
    maxLength: maxHunkLines,
    size: "max",
  });
  fc.assert(
    fc.property(side, side, (old, proposed) => {
      assert.deepEqual(splitHunk(old, proposed), [{ removed: old.length, added: proposed.length }]);
    }),
    { numRuns: 100 },
  );
});

test("splitting a rewritten book takes minutes", () => {
  let reads = 0;
  const lines = Array.from({ length: 20_000 }, (_, index) => (index % 10 === 9 ? "" : "word"));
  const watched = new Proxy(lines, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  assert.equal(splitHunk([], watched).length, 250);
  assert.ok(reads < 40 * lines.length, `${reads} lines are read to split ${lines.length}`);
});
