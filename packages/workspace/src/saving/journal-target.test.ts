import assert from "node:assert/strict";
import { test } from "node:test";
import { isTorn } from "./journal-target.ts";

const bytes = (length: number, fill: string) => Buffer.alloc(length, fill);
const join = (...parts: Uint8Array[]) => Buffer.concat(parts);

test("every prefix of whole sectors that a crash can leave is recognised as torn", () => {
  for (const [oldLength, newLength] of [
    [3000, 3000],
    [3000, 1700],
    [1700, 3000],
    [0, 1700],
    [1700, 0],
  ] as const) {
    const before = bytes(oldLength, "o");
    const after = bytes(newLength, "n");
    const base = before.subarray(0, Math.min(oldLength, newLength));
    for (let written = 0; written <= newLength; written += 512) {
      const found = join(after.subarray(0, written), base.subarray(written));
      assert.ok(isTorn(found, before, after), `${oldLength} → ${newLength}, ${written} written`);
    }
  }
});

test("sectors that a power cut left unfilled past the old end are recognised, others are not", () => {
  const before = bytes(512, "o");
  const after = bytes(2048, "n");
  assert.ok(isTorn(join(bytes(512, "n"), bytes(512, "\0"), bytes(512, "n")), before, after));
  assert.ok(!isTorn(join(bytes(512, "\0"), bytes(512, "n")), before, after));
});

test("someone's edit is not taken for a torn write", () => {
  const before = bytes(2000, "o");
  const after = bytes(2000, "n");
  const edited = bytes(2000, "o");
  edited[1000] = 0x78;
  assert.ok(!isTorn(edited, before, after));
  assert.ok(!isTorn(join(before, bytes(1, "o")), before, after), "longer than both");
  assert.ok(!isTorn(before.subarray(1), before, after), "shorter than both");
  const halved = join(bytes(100, "n"), bytes(1900, "o"));
  assert.ok(!isTorn(halved, before, after), "mixed within a sector");
});
