import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { runs } from "@stet/testkit/depth";
import { assertLaw } from "@stet/testkit/law";
import fc from "fast-check";
import { hunksOf } from "./hunks.ts";
import { changeOf, type Splice } from "./lines.ts";
import { decide, isOpen, nothingPending, type Pending, undecide } from "./pending.ts";
import { stage } from "./stage.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function edit(pending: Pending, origin: Origin, splices: Splice[], turn?: string): Pending {
  const next = stage(pending, changeOf(pending.current, splices), { origin, turn });
  assertLaw(next);
  return next;
}

const song = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

test("an edit of the agent becomes a hunk, one of the person does not", () => {
  let pending = edit(
    nothingPending(textOf(song)),
    "agent",
    [{ at: 1, removed: 1, lines: ["TWO"] }],
    "turn_1",
  );
  pending = edit(pending, "user", [{ at: 5, removed: 1, lines: ["my six"] }]);
  const [hunk, ...others] = hunksOf(pending);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [hunk?.removed, hunk?.added, hunk?.origins, hunk?.turns],
    [["two"], ["TWO"], ["agent"], ["turn_1"]],
  );
  assert.match(pending.base.toString(), /two\n.*\n.*\n.*\nmy six/);
});

test("a hunk that the person changed stays one hunk with both", () => {
  let pending = edit(nothingPending(textOf(song)), "agent", [{ at: 1, removed: 2, lines: ["TWO", "THREE"] }]);
  const id = hunksOf(pending)[0]?.id;
  pending = edit(pending, "user", [{ at: 2, removed: 1, lines: ["THREE, says the person"] }]);
  const hunks = hunksOf(pending);
  assert.equal(hunks.length, 1);
  assert.deepEqual(
    [hunks[0]?.id, hunks[0]?.origins, hunks[0]?.removed],
    [id, ["agent", "user"], ["two", "three"]],
  );
});

test("a line that the person adds right behind a hunk is theirs and survives its rejection", () => {
  let pending = edit(nothingPending(textOf(song)), "agent", [{ at: 1, removed: 1, lines: ["TWO"] }]);
  const end = pending.current.line(2).to;
  pending = stage(pending, ChangeSet.of({ from: end, insert: "\nmine" }, pending.current.length), {
    origin: "user",
  });
  assertLaw(pending);
  const id = hunksOf(pending)[0]?.id ?? 0;
  const rejected = decide(pending, "rejected", new Set([id]));
  assertLaw(rejected.pending);
  assert.equal(rejected.pending.current.toString(), song.replace("two\n", "two\nmine\n"));
});

test("undoing a rejection brings the proposal back, also after edits elsewhere", () => {
  let pending = edit(nothingPending(textOf(song)), "agent", [
    { at: 3, removed: 1, lines: ["FOUR", "AND A HALF"] },
  ]);
  const ids = new Set(hunksOf(pending).map((hunk) => hunk.id));
  pending = decide(pending, "rejected", ids).pending;
  assertLaw(pending);
  assert.equal(pending.current.toString(), song);
  pending = edit(pending, "user", [{ at: 0, removed: 0, lines: ["zero"] }]);
  const undone = undecide(pending, ids, "rejected");
  assertLaw(undone.pending);
  assert.equal(undone.pending.current.toString(), `zero\n${song.replace("four", "FOUR\nAND A HALF")}`);
  assert.deepEqual(
    hunksOf(undone.pending).map((hunk) => hunk.id),
    [...ids],
  );
});

test("an acceptance whose lines were edited since cannot be undone by accident", () => {
  let pending = edit(nothingPending(textOf(song)), "agent", [{ at: 3, removed: 1, lines: ["FOUR"] }]);
  const ids = new Set(hunksOf(pending).map((hunk) => hunk.id));
  pending = decide(pending, "accepted", ids).pending;
  pending = edit(pending, "user", [{ at: 3, removed: 1, lines: ["four, but mine"] }]);
  const undone = undecide(pending, ids, "accepted");
  assert.deepEqual(undone.decided, []);
  assert.match(undone.pending.current.toString(), /four, but mine/);
});

test("neighbouring edits of the agent are one hunk, distant ones are not", () => {
  const text = nothingPending(textOf(song));
  const splices = [1, 2, 5].map((at) => ({ at, removed: 1, lines: [`changed ${at}`] }));
  assert.deepEqual(
    hunksOf(edit(text, "agent", splices)).map((hunk) => hunk.added.length),
    [2, 1],
  );
});

test("when the person restores the original lines, nothing is left to decide", () => {
  let pending = edit(nothingPending(textOf(song)), "agent", [{ at: 1, removed: 1, lines: ["TWO"] }]);
  pending = edit(pending, "user", [{ at: 1, removed: 1, lines: ["two"] }]);
  assert.deepEqual(hunksOf(pending), []);
  assert.equal(pending.base, pending.current);
});

test("the only line of a text can be replaced piece by piece down to nothing and back", () => {
  let pending = nothingPending(textOf("only"));
  pending = edit(pending, "agent", [{ at: 0, removed: 1, lines: [""] }]);
  const ids = new Set(hunksOf(pending).map((hunk) => hunk.id));
  for (const verdict of ["accepted", "rejected"] as const) {
    const decided = decide(pending, verdict, ids).pending;
    assertLaw(decided);
    const back = undecide(decided, ids, verdict).pending;
    assertLaw(back);
    assert.equal(back.current.toString(), "");
    assert.equal(back.base.toString(), "only");
  }
});

type Step =
  | { do: "agent" | "user" | "disk"; from: number; to: number; insert: string }
  | { do: "accept" | "reject" | "undo"; pick: number };

const content = fc
  .array(fc.constantFrom("a", "b", "}", "", "longer line", "a"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));
const textStep = fc.record({
  do: fc.constantFrom("agent" as const, "user" as const, "disk" as const),
  from: fc.nat(60),
  to: fc.nat(60),
  insert: fc.oneof(fc.constantFrom("", "\n", "x", "\nq\n", "a\nb", "z\n"), content),
});
const decisionStep = fc.record({
  do: fc.constantFrom("accept" as const, "reject" as const, "undo" as const),
  pick: fc.nat(8),
});

test("whatever agent, person, disk and decisions do, base + pending = current", () => {
  const steps = fc.array(fc.oneof(textStep as fc.Arbitrary<Step>, decisionStep as fc.Arbitrary<Step>), {
    maxLength: 25,
  });
  fc.assert(
    fc.property(content, steps, (start, list) => {
      let pending = nothingPending(textOf(start));
      for (const step of list) pending = play(pending, step);
    }),
    { numRuns: runs(1500) },
  );
});

function play(pending: Pending, step: Step): Pending {
  let next: Pending;
  if ("insert" in step) {
    const length = pending.current.length;
    const from = Math.min(step.from, length);
    const to = Math.min(Math.max(step.to, from), length);
    const change = ChangeSet.of({ from, to, insert: Text.of(step.insert.split("\n")) }, length);
    next = stage(pending, change, { origin: step.do, turn: "turn_x" });
    assert.equal(next.current.toString(), change.apply(pending.current).toString());
  } else if (step.do === "undo") {
    const decided = pending.pieces.filter((piece) => !isOpen(piece));
    const piece = decided[step.pick % Math.max(1, decided.length)];
    if (piece === undefined || isOpen(piece)) return pending;
    next = undecide(pending, new Set([piece.id]), piece.kind).pending;
  } else {
    const open = pending.pieces.filter(isOpen);
    const piece = open[step.pick % Math.max(1, open.length)];
    if (piece === undefined) return pending;
    const decision = decide(pending, step.do === "accept" ? "accepted" : "rejected", new Set([piece.id]));
    assert.equal(decision.change.apply(pending.current).toString(), decision.pending.current.toString());
    next = decision.pending;
  }
  assertLaw(next);
  return next;
}
