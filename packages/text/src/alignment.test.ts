import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { align } from "./alignment.ts";

/** Checks that partners are equal and rise, and returns how many there are. */
function countPairs(old: readonly number[], fresh: readonly number[]): number {
  const distinct = 1 + Math.max(0, ...new Set([...old, ...fresh]));
  const partners = align(Int32Array.from(old), Int32Array.from(fresh), distinct);
  assert.equal(partners.length, old.length);
  let last = -1;
  let count = 0;
  for (const [index, partner] of partners.entries()) {
    if (partner < 0) continue;
    assert.ok(partner > last, "partners do not rise");
    assert.equal(fresh[partner], old[index]);
    last = partner;
    count += 1;
  }
  return count;
}

function longest(old: readonly number[], fresh: readonly number[]): number {
  let row = new Int32Array(fresh.length + 1);
  for (const element of old) {
    const next = new Int32Array(fresh.length + 1);
    for (let column = 0; column < fresh.length; column += 1) {
      const isEqual = element === fresh[column];
      next[column + 1] = isEqual ? (row[column] ?? 0) + 1 : Math.max(row[column + 1] ?? 0, next[column] ?? 0);
    }
    row = next;
  }
  return row[fresh.length] ?? 0;
}

function shuffled(length: number, distinct: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * distinct);
  });
}

test("elements that could stay are given up", () => {
  const list = fc.array(fc.nat(4), { maxLength: 30 });
  fc.assert(
    fc.property(list, list, (old, fresh) => assert.equal(countPairs(old, fresh), longest(old, fresh))),
    { numRuns: runs(1000) },
  );
});

test("many edits make the table of bits miss some", () => {
  // More than 500 edits, and lengths around the borders of its words.
  for (const [length, other] of [
    [992, 1024],
    [1000, 1023],
    [1025, 640],
    [1500, 33],
  ] as const) {
    const old = shuffled(length, 60, length);
    const fresh = shuffled(other, 60, other);
    assert.equal(countPairs(old, fresh), longest(old, fresh), `${length} and ${other}`);
  }
});

test("a large list that is cut loses the elements between the cuts", () => {
  const old = Array.from({ length: 6000 }, (_, index) => (index % 3 === 0 ? 0 : index));
  const fresh = old.filter((_, index) => index % 50 !== 7);
  assert.equal(countPairs(old, fresh), fresh.length);
  assert.equal(countPairs(fresh, old), fresh.length);
});

test("a large list without any element that occurs once is given up", () => {
  const old = shuffled(120_000, 3, 1);
  const fresh = old.filter((_, index) => index % 10_000 !== 5000);
  assert.equal(countPairs(old, fresh), fresh.length);
});
