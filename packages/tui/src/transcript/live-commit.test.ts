import assert from "node:assert/strict";
import { test } from "node:test";
import {
  deriveLiveCommitState,
  type LiveCommitState,
  STABLE_PREFIX_COMMIT_FRAMES,
  VOLATILE_REARM_FRAMES,
} from "./live-commit.ts";

function follow(frames: readonly (readonly string[])[], from?: LiveCommitState): LiveCommitState {
  let state = from;
  for (const rows of frames) state = deriveLiveCommitState(state, rows);
  assert.ok(state !== undefined);
  return state;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

test("an answer that only grows is final up to its last row", () => {
  assert.equal(follow([["a"]]).safeRows, 0, "nothing was seen of it yet");
  assert.equal(follow([["a"], ["a", "b"], ["a", "b c"], ["a", "b c", "d"]]).safeRows, 2);
});

test("an answer that rewrote a row is not taken for one that only grows, for a while", () => {
  const grown = follow([["a"], ["a", "b", "c"]]);
  const rewritten = follow([["x", "b", "c"]], grown);
  assert.equal(rewritten.safeRows, 0);
  const almost = follow(
    times(VOLATILE_REARM_FRAMES - 1, () => ["x", "b", "c"]),
    rewritten,
  );
  assert.equal(almost.safeRows, 0);
  assert.equal(follow([["x", "b", "c", "d"]], almost).safeRows, 3);
});

test("a change of colour is no rewrite", () => {
  assert.equal(follow([["a"], ["a", "b"], ["\u001b[1ma\u001b[22m", "b"]]).safeRows, 1);
});

test("rows above a progress tree that ticks are final once they stood long enough", () => {
  const frames = times(STABLE_PREFIX_COMMIT_FRAMES, (index) => ["prompt", "more", `tick ${index}`, "end"]);
  assert.equal(follow(frames.slice(0, -1)).safeRows, 0);
  assert.equal(follow(frames).safeRows, 2);
});

test("a slow counter that was taken for final once is never again", () => {
  const rows = (count: number, tick: number) => ["prompt", `count ${count}`, `tick ${tick}`, "end"];
  const promoted = follow(times(STABLE_PREFIX_COMMIT_FRAMES, (index) => rows(0, index)));
  assert.equal(promoted.safeRows, 2);
  const counted = follow([rows(1, 0)], promoted);
  assert.equal(counted.safeRows, 1, "back to the row that changed");
  const quiet = follow(
    times(STABLE_PREFIX_COMMIT_FRAMES * 3, (index) => rows(1, index)),
    counted,
  );
  assert.equal(quiet.safeRows, 1);
});

test("rows that are put in above the slow counter move its floor with it", () => {
  const promoted = follow(
    times(STABLE_PREFIX_COMMIT_FRAMES, (index) => ["prompt", "count 0", `tick ${index}`, "end"]),
  );
  const counted = follow([["prompt", "count 1", "tick 0", "end"]], promoted);
  const inserted = follow([["prompt", "new", "count 2", "tick 0", "end"]], counted);
  const quiet = follow(
    times(STABLE_PREFIX_COMMIT_FRAMES * 2, (index) => ["prompt", "new", "count 2", `tick ${index}`, "end"]),
    inserted,
  );
  assert.equal(quiet.safeRows, 2);
});

test("a layout that changes before anything was final leaves no floor", () => {
  const changed = follow([
    ["a", "b", "1"],
    ["x", "b", "2"],
  ]);
  const quiet = follow(
    times(STABLE_PREFIX_COMMIT_FRAMES * 2, (index) => ["x", "b", `tick ${index}`]),
    changed,
  );
  assert.equal(quiet.safeRows, 2);
});
