// The law of review, checked from the outside: base + pending = current, and what lies between the pieces is the same.

import assert from "node:assert/strict";
import { isOpen, linesInBase, linesInCurrent, type Pending, pendingChange } from "@stet/text/pending";

export function assertLaw(pending: Pending): void {
  const { base, current } = pending;
  assert.equal(pendingChange(pending).apply(base).toString(), current.toString(), "base + pending = current");
  let a = 0;
  let b = 0;
  const seen = new Set<number>();
  for (const piece of pending.pieces) {
    assert.ok(piece.gap >= 0, "pieces are in order");
    const same = isOpen(piece) ? piece.gap : piece.gap + piece.lines;
    for (let line = 1; line <= same; line += 1) {
      assert.equal(
        base.line(a + line).text,
        current.line(b + line).text,
        "between pieces both texts are the same",
      );
    }
    a += piece.gap + linesInBase(piece);
    b += piece.gap + linesInCurrent(piece);
    assert.ok(!seen.has(piece.id), "a hunk's id is its own");
    seen.add(piece.id);
  }
  assert.equal(base.lines - a, current.lines - b, "behind the last piece both texts are equally long");
}
