// How much a test run looks at. `npm test` takes a sample of what takes long (steps to crash at, runs of a property), by a seed
// that it prints; `npm run test:all` and `npm run crash` take everything.
//
//   STET_TEST_DEPTH=full    everything
//   STET_TEST_SEED=N        the same sample again

import type { TestContext } from "node:test";
import { Random } from "./random.ts";

const { STET_TEST_DEPTH, STET_TEST_SEED } = process.env;
export const isFull = STET_TEST_DEPTH === "full";
const seed = Number(STET_TEST_SEED ?? Date.now() % 1_000_000);

/** One of every stretch, so that a sample of steps has early and late ones. */
export function sample<T>(t: Pick<TestContext, "diagnostic">, all: readonly T[], count: number): T[] {
  if (isFull || all.length <= count) return [...all];
  t.diagnostic(`${count} of ${all.length}, STET_TEST_SEED=${seed}`);
  const random = new Random(seed);
  const bounds = Array.from({ length: count + 1 }, (_, index) => Math.floor((index * all.length) / count));
  return bounds.slice(1).map((to, index) => random.pick(all.slice(bounds[index], to)));
}

/** Runs of a property, of which `npm test` makes a quarter. */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / 4);
}
