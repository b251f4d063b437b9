import assert from "node:assert/strict";
import { test } from "node:test";
import { type Facts, type OpenHunk, stepNumber, stepOf, toReject } from "./tour-steps.ts";

const turn = { turn: "turn_a", checkpoint: "ckpt_a", documents: [1, 2], hunks: 3 };
const hunk = (id: string, removed: string): OpenHunk => ({
  id,
  document: 1,
  line: 1,
  removed,
  isWhole: false,
});
const plate = hunk("h1", "Built by Tobias Ketteridge, 1871");
const hale = hunk("h2", "## Tobias Hale");
const other = hunk("h3", "“Tobias,” she said");

const beginning: Facts = {
  hasBegun: false,
  isAgentAtWork: false,
  turn: undefined,
  open: [],
  isAsBefore: false,
  isUnsaved: false,
  isHistoryShown: false,
};

test("the tour goes from the welcome to the end as each thing is really done", () => {
  const stages: readonly Partial<Facts>[] = [
    {},
    { hasBegun: true },
    { isAgentAtWork: true },
    { isAgentAtWork: false, turn, open: [plate, hale, other], isUnsaved: true },
    { open: [hale, other] },
    { open: [] },
    { isUnsaved: false },
    { isHistoryShown: true },
    { isAsBefore: true, isUnsaved: true },
    { isUnsaved: false },
  ];
  let facts = beginning;
  const steps = stages.map((stage) => {
    facts = { ...facts, ...stage };
    return stepOf(facts);
  });
  assert.deepEqual(steps, [
    "welcome",
    "ask",
    "wait",
    "reject",
    "accept",
    "save",
    "history",
    "rollback",
    "saveBack",
    "done",
  ]);
  assert.deepEqual(steps.map(stepNumber), [1, 2, 2, 3, 4, 5, 6, 7, 7, 8]);
});

test("a reload in the middle goes on there, without the welcome", () => {
  assert.equal(stepOf({ ...beginning, turn, open: [hale], isUnsaved: true }), "accept");
  assert.equal(stepOf({ ...beginning, isAgentAtWork: true }), "wait");
});

test("all changes about the man who keeps his name are to be rejected", () => {
  assert.deepEqual(toReject(turn, [plate, hale, { ...plate, id: "h4" }]).length, 2);
});

test("in a text without him, one change is there to practise on, and only before anything is decided", () => {
  assert.deepEqual(toReject({ ...turn, hunks: 2 }, [hale, other]), [other]);
  assert.deepEqual(toReject({ ...turn, hunks: 3 }, [hale, other]), []);
});

test("nobody is asked to reject a part of what is decided as a whole", () => {
  const open = [plate, hale, other].map((each) => ({ ...each, isWhole: true }));
  assert.deepEqual(toReject(turn, open), []);
  assert.equal(stepOf({ ...beginning, turn, open, isUnsaved: true }), "accept");
});

test("whoever rejects everything is done", () => {
  assert.equal(stepOf({ ...beginning, turn, isAsBefore: true }), "done");
});
