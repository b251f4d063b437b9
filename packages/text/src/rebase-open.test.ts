import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import * as fc from "fast-check";
import { diffTexts } from "./diff.ts";
import { changeOf } from "./lines.ts";
import { decide, nothingPending, type Pending } from "./pending.ts";
import { rebaseOpen } from "./rebase-open.ts";
import { stage } from "./stage.ts";
import { restorePieces } from "./stored-pieces.ts";

const text = (lines: string) => Text.of(lines.split(" "));

function proposed(base: string, current: string): Pending {
  const before = text(base);
  const change = changeOf(before, diffTexts(before, text(current)));
  return stage(nothingPending(before), change, { origin: "agent", turn: "turn_1" });
}

function rebased(pending: Pending, base: string): Pending {
  const pieces = rebaseOpen(pending, diffTexts(pending.base, text(base)));
  return restorePieces(pending.current, pieces, pending.nextId);
}

test("an open change is one of the file's new lines, and keeps its id and its turn", () => {
  const before = proposed("a b c d", "a B c d");
  const after = rebased(before, "a x c d");
  assert.deepEqual(after.base, text("a x c d"));
  assert.deepEqual(after.current, before.current);
  assert.deepEqual(
    after.pieces.map(({ id, turns }) => ({ id, turns })),
    before.pieces.map(({ id, turns }) => ({ id, turns })),
  );
});

test("a change that the file has made, too, is no change any more", () => {
  const after = rebased(proposed("a b c d e", "a B c D e"), "a B c d e");
  assert.equal(after.pieces.length, 1);
  assert.deepEqual(after.base, text("a B c d e"));
});

test("lines where nothing is open stay as the person left them", () => {
  const after = rebased(proposed("a b c d e", "a B c d e"), "a b c d x");
  assert.deepEqual(after.base, text("a b c d e"));
});

test("lines of the file across two open changes make one of them", () => {
  const after = rebased(proposed("a b c d e", "a B c D e"), "a x y z w e");
  assert.equal(after.pieces.length, 1);
  assert.deepEqual(after.base, text("a x y z w e"));
});

test("a decision beside it can still be undone", () => {
  const before = proposed("a b c d e", "a B c D e");
  const [first] = before.pieces;
  const decided = decide(before, "accepted", new Set([first?.id ?? 0])).pending;
  const after = rebased(decided, "a B c x e");
  assert.deepEqual(
    after.pieces.map(({ kind }) => kind),
    ["accepted", "open"],
  );
  assert.deepEqual(after.base, text("a B c x e"));
});

test("whatever the three texts are, current stays, and what is open leads to it from base", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, lines, (base, current, disk) => {
      const before = proposed(base.join(" "), current.join(" "));
      const after = rebased(before, disk.join(" "));
      assert.deepEqual(after.current.toJSON(), before.current.toJSON());
      let [inBase, inCurrent] = [0, 0];
      const [oldLines, newLines] = [after.base.toJSON(), after.current.toJSON()];
      for (const piece of after.pieces) {
        assert.ok(piece.gap >= 0 && piece.kind === "open");
        const gap = [
          oldLines.slice(inBase, inBase + piece.gap),
          newLines.slice(inCurrent, inCurrent + piece.gap),
        ];
        assert.deepEqual(gap[0], gap[1]);
        inBase += piece.gap + piece.removed;
        inCurrent += piece.gap + piece.added;
      }
      assert.deepEqual(oldLines.slice(inBase), newLines.slice(inCurrent));
      // Every line of base is one of the file's or one that was there on both sides.
      if (diffTexts(text(base.join(" ")), text(current.join(" "))).length === 0)
        assert.deepEqual(after.base.toJSON(), before.base.toJSON());
    }),
    { numRuns: runs(3000) },
  );
});
