import assert from "node:assert/strict";
import { test } from "node:test";
import { findCommittedPrefixResync } from "./audit.ts";
import { advance } from "./ledger.ts";

const open = { liveStart: undefined, commitSafeEnd: undefined };

test("rows that left the window are history, and no more than may be", () => {
  assert.deepEqual(advance(0, { length: 30, ...open }, 10, false), { committed: 20, top: 20 });
  assert.deepEqual(advance(0, { length: 30, ...open, liveStart: 5 }, 10, false), { committed: 5, top: 20 });
  assert.deepEqual(advance(0, { length: 30, liveStart: 5, commitSafeEnd: 12 }, 10, false), {
    committed: 12,
    top: 20,
  });
  assert.deepEqual(advance(8, { length: 12, ...open }, 10, false), { committed: 8, top: 8 }, "never back");
});

test("below an overlay nothing becomes history", () => {
  assert.deepEqual(advance(3, { length: 30, ...open }, 10, true), { committed: 3, top: 20 });
});

test("a frame that shrank into its history shows its end", () => {
  assert.deepEqual(advance(20, { length: 15, ...open }, 10, false), { committed: 5, top: 5 });
  assert.deepEqual(advance(20, { length: 4, ...open }, 10, false), { committed: 0, top: 0 });
});

function audit(before: readonly string[], now: readonly string[]): number | undefined {
  return findCommittedPrefixResync(
    before.length,
    0,
    (index) => before[index],
    (index) => now[index],
  );
}

test("a row of the history that was edited in place is left alone; rows that moved are committed again", () => {
  const rows = Array.from({ length: 40 }, (_, index) => `row ${index}`);
  assert.equal(audit(rows, rows), undefined);
  assert.equal(audit(rows, rows.with(39, "changed")), undefined);
  assert.equal(
    audit(
      rows,
      rows.map((row) => `\u001b[1m${row}\u001b[22m`),
    ),
    undefined,
    "styles do not count",
  );
  assert.equal(audit(rows, rows.toSpliced(12, 0, "put in")), 12);
  assert.equal(audit(rows, rows.toSpliced(12, 1)), 12);
});
