import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { mapToCurrent } from "./base-edits.ts";
import { changeOf, type Splice } from "./lines.ts";
import { nothingPending, type Pending } from "./pending.ts";
import { stage } from "./stage.ts";

const ten = Text.of(Array.from({ length: 10 }, (_, line) => `line ${line}`));

function agent(...splices: Splice[]): Pending {
  return stage(nothingPending(ten), changeOf(ten, splices), { origin: "agent" });
}

test("a change of base behind a hunk moves by what the hunk added", () => {
  const pending = agent({ at: 2, removed: 1, lines: ["a", "b", "c"] });
  const mapped = mapToCurrent(pending, [{ at: 5, removed: 1, lines: ["disk"] }]);
  assert.deepEqual(mapped, { kind: "mapped", splices: [{ at: 7, removed: 1, lines: ["disk"] }] });
});

test("a change of base within a hunk's lines names the hunk", () => {
  const pending = agent({ at: 2, removed: 3, lines: ["a"] });
  const [piece] = pending.pieces;
  for (const splice of [
    { at: 3, removed: 0, lines: ["disk"] },
    { at: 4, removed: 1, lines: [] },
    { at: 0, removed: 10, lines: ["disk"] },
    { at: 1, removed: 2, lines: [] },
  ]) {
    assert.deepEqual(mapToCurrent(pending, [splice]), { kind: "touches", hunks: [piece?.id] });
  }
});

test("a change of base that meets no hunk leaves the hunks as they are and reaches both texts", () => {
  const edit = fc.record({
    at: fc.nat(9),
    removed: fc.nat(2),
    lines: fc.array(fc.constantFrom("x", "y", ""), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(edit, edit, (ours, disk) => {
      const fits = (splice: Splice) => ({ ...splice, removed: Math.min(splice.removed, 10 - splice.at) });
      const pending = agent(fits(ours));
      const change = fits(disk);
      const mapped = mapToCurrent(pending, [change]);
      if (mapped.kind === "touches") return;
      const staged = stage(pending, changeOf(pending.current, mapped.splices), { origin: "disk" });
      assert.equal(staged.base.toString(), changeOf(pending.base, [change]).apply(pending.base).toString());
      assert.deepEqual(
        staged.pieces.map((piece) => piece.id),
        pending.pieces.map((piece) => piece.id),
      );
    }),
    { numRuns: runs(2000) },
  );
});
