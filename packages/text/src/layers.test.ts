import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import { assertLaw } from "@stet/testkit/law";
import fc from "fast-check";
import { hunksOf } from "./hunks.ts";
import { changeOf } from "./lines.ts";
import { decide, isOpen, nothingPending, type Pending, undecide } from "./pending.ts";
import { stage } from "./stage.ts";
import { restorePieces, storePieces } from "./stored-pieces.ts";

function start(...lines: string[]): Pending {
  return nothingPending(Text.of([...lines, ""]));
}

/** A turn sets one line, or the person where it has no name. */
function set(pending: Pending, line: number, text: string, turn?: string): Pending {
  const change = changeOf(pending.current, [{ at: line, removed: 1, lines: text.split("\n") }]);
  const next = stage(pending, change, { origin: turn === undefined ? "user" : "agent", turn });
  assertLaw(next);
  return next;
}

function part(pending: Pending, verdict: "accepted" | "rejected", ...turns: string[]): Pending {
  const open = pending.pieces.filter(
    (piece) => isOpen(piece) && piece.turns.some((one) => turns.includes(one)),
  );
  const next = decide(pending, verdict, new Map(open.map(({ id }) => [id, new Set(turns)])));
  assertLaw(next.pending);
  return next.pending;
}

function texts({ base, current }: Pending): [string, string] {
  return [base.line(1).text, current.line(1).text];
}

function renamedTwice(): Pending {
  const once = set(start("Elena met Marcus at the mill."), 0, "Helena met Marcus at the mill.", "t1");
  return set(once, 0, "Helena met Markus at the mill.", "t2");
}

test("of two turns that changed different words of a line, each is decided by itself", () => {
  const pending = renamedTwice();
  assert.deepEqual(hunksOf(pending)[0]?.turns, ["t1", "t2"]);
  const expected: [verdict: "accepted" | "rejected", turn: string, base: string, current: string][] = [
    ["accepted", "t1", "Helena met Marcus at the mill.", "Helena met Markus at the mill."],
    ["accepted", "t2", "Elena met Markus at the mill.", "Helena met Markus at the mill."],
    ["rejected", "t1", "Elena met Marcus at the mill.", "Elena met Markus at the mill."],
    ["rejected", "t2", "Elena met Marcus at the mill.", "Helena met Marcus at the mill."],
  ];
  for (const [verdict, turn, base, current] of expected) {
    const decided = part(pending, verdict, turn);
    assert.deepEqual(texts(decided), [base, current], `${verdict} ${turn}`);
    assert.deepEqual(hunksOf(decided)[0]?.turns, [turn === "t1" ? "t2" : "t1"]);
  }
});

test("a turn that built on another's words can be rejected alone, and the other accepted alone", () => {
  const once = set(start("It rains."), 0, "It rains in the old town.", "t1");
  const pending = set(once, 0, "It rains in the small town.", "t2");
  assert.deepEqual(texts(part(pending, "rejected", "t2")), ["It rains.", "It rains in the old town."]);
  assert.deepEqual(texts(part(pending, "accepted", "t1")), [
    "It rains in the old town.",
    "It rains in the small town.",
  ]);
  for (const [verdict, turn] of [
    ["accepted", "t2"],
    ["rejected", "t1"],
  ] as const)
    assert.deepEqual(
      part(pending, verdict, turn),
      pending,
      "nothing is decided where that takes the other along",
    );
  assert.equal(part(pending, "rejected", "t1", "t2").current.line(1).text, "It rains.");
});

test("decisions on parts are undone one by one, also after a restart", () => {
  const pending = renamedTwice();
  const [id = 0] = pending.pieces.map((piece) => piece.id);
  const stored = (state: Pending) =>
    restorePieces(state.current, JSON.parse(JSON.stringify(storePieces(state))), state.nextId);
  const first = stored(part(pending, "rejected", "t1"));
  const second = stored(part(first, "accepted", "t2"));
  assert.deepEqual(texts(second), ["Elena met Markus at the mill.", "Elena met Markus at the mill."]);
  const once = undecide(second, new Set([id]), "accepted").pending;
  assertLaw(once);
  assert.deepEqual(texts(once), texts(first));
  const twice = undecide(once, new Set([id]), "rejected").pending;
  assertLaw(twice);
  assert.deepEqual(texts(twice), texts(pending));
  assert.deepEqual(hunksOf(twice)[0]?.turns, ["t1", "t2"]);
});

test("what the person wrote in a shared line stays when one turn's words go", () => {
  const pending = set(renamedTwice(), 0, "Helena met Markus at the old mill.");
  assert.deepEqual(texts(part(pending, "rejected", "t1"))[1], "Elena met Markus at the old mill.");
});

test("whatever two turns and the person do, a part leaves the law and the other turn's words", () => {
  const words = ["alpha", "beta", "gamma", "delta"];
  const step = fc.record({
    turn: fc.constantFrom("t1", "t2", undefined),
    line: fc.nat(3),
    word: fc.nat(3),
    how: fc.constantFrom("change", "cut", "add line"),
    decide: fc.constantFrom(undefined, undefined, "accepted", "rejected", "undo" as const),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let pending = start(...words.map((word) => `${word} ${words.join(" ")}`));
      for (const [count, { turn, line, word, how, decide: verdict }] of steps.entries()) {
        const old = pending.current.line(Math.min(line + 1, pending.current.lines)).text.split(" ");
        const at = Math.min(line, pending.current.lines - 1);
        if (how === "change")
          pending = set(pending, at, old.with(word % old.length, `new${count}`).join(" "), turn);
        else if (how === "cut" && old.length > 1)
          pending = set(pending, at, old.toSpliced(word % old.length, 1).join(" "), turn);
        else pending = set(pending, at, `${old.join(" ")}\nadded${count}`, turn);
        if (verdict === "undo") {
          const ids = new Set(pending.pieces.map(({ id }) => id));
          for (const one of ["accepted", "rejected"] as const) {
            pending = undecide(pending, ids, one).pending;
            assertLaw(pending);
          }
        } else if (verdict !== undefined) {
          const before = pending;
          pending = part(pending, verdict, "t1");
          if (verdict === "accepted") assert.ok(pending.current.eq(before.current));
          else if (pending.pieces.every((piece) => !isOpen(piece)))
            assert.ok(pending.base.eq(pending.current));
          const stored = restorePieces(pending.current, storePieces(pending), pending.nextId);
          assert.deepEqual(stored.pieces, pending.pieces);
        }
      }
    }),
    { numRuns: runs(500) },
  );
});
