import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { changedRanges, sidesOf } from "./diff-sides.ts";
import { hunkRanges } from "./hunk-ranges.ts";

const hunk = (new_start: number, removed: string[], added: string[]): ReviewHunk => ({
  hunk_id: `h_${new_start}`,
  old_start: new_start,
  new_start,
  removed,
  added,
  origins: ["agent"],
  turns: [],
  rationales: [],
  reasons: [],
});

test("the decided side is the text with every open hunk turned back", () => {
  const text = Text.of(["one", "TWO", "TOO", "four", "five", ""]);
  const hunks = [hunk(2, ["two"], ["TWO", "TOO"]), hunk(5, ["4a", "4b"], []), hunk(6, [], [""])];
  const { before, after } = sidesOf(text, hunkRanges(text, hunks.slice(0, 2), []));
  assert.equal(before, "one\ntwo\nfour\n4a\n4b\nfive\n");
  assert.equal(after, text.toString());
  const ended = sidesOf(Text.of(["a"]), hunkRanges(Text.of(["a"]), [hunk(2, ["b", "c"], [])], []));
  assert.equal(ended.before, "a\nb\nc");
  const first = sidesOf(
    Text.of(["a\r", "b\r", ""]),
    hunkRanges(Text.of(["a\r", "b\r", ""]), [hunk(1, ["x"], ["a"])], []),
  );
  assert.deepEqual(first, { before: "x\nb\n", after: "a\nb\n" });
});

test("put in place of each other, the changed ranges lead from one side to the other", () => {
  const texts = fc.array(fc.constantFrom("a b c", "a x c", "", "one", "d e"), { maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const before = one.join("\n");
      const after = other.join("\n");
      let built = "";
      let at = 0;
      for (const { fromA, toA, fromB, toB } of changedRanges(before, after)) {
        assert.ok(fromA >= at && toA >= fromA && toB >= fromB);
        built += before.slice(at, fromA) + after.slice(fromB, toB);
        at = toA;
      }
      assert.equal(built + before.slice(at), after);
    }),
    { numRuns: runs(500) },
  );
});

test("of fifty thousand lines, the five hundred that were edited are found", (t) => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} of a long text with some words`);
  const edited = lines.map((line, index) => (index % 100 === 50 ? line.replace("long", "short") : line));
  const start = performance.now();
  const ranges = changedRanges(lines.join("\n"), edited.join("\n"));
  assert.equal(ranges.length, 500);
  t.diagnostic(`compared in ${Math.round(performance.now() - start)} ms`);
});
