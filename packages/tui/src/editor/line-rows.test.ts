import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { rowStarts, rowStartsAfter } from "./line-rows.ts";

const none = new Map<string, string>();
const piece = fc.constantFrom(
  "a",
  "word",
  " ",
  "  ",
  "\t",
  "中",
  "e\u0301",
  "👨‍👩‍👧‍👦",
  "🇩🇪",
  "longerthanarow",
  ".",
  "\u001b",
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

describe("a line that is changed", () => {
  it("is wrapped as if it had been written like that from the start", () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.integer({ min: 1, max: 12 }),
        (before, removed, inserted, after, width) => {
          const old = rowStarts(before + removed + after, width, none);
          const line = before + inserted + after;
          const change = { column: before.length, removed: removed.length, inserted: inserted.length };
          assert.deepEqual(rowStartsAfter(old, line, change, width, none), rowStarts(line, width, none));
        },
      ),
      { numRuns: 200 },
    );
  });
});
