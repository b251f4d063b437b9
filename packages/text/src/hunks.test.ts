import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { maxHunkLines } from "@stet/protocol/limits";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { isOversized } from "./hunk-size.ts";
import { type Hunk, hunksOf } from "./hunks.ts";
import { changeOf, rawLines, type Splice } from "./lines.ts";
import { decide, isOpen, nothingPending, type Pending, undecide } from "./pending.ts";
import { stage } from "./stage.ts";

function numbered(count: number, name = "line"): string[] {
  return Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
}

function start(lines: readonly string[]): Pending {
  return nothingPending(Text.of([...lines, ""]));
}

function edit(pending: Pending, origin: Origin, splices: readonly Splice[], turn?: string): Pending {
  return stage(pending, changeOf(pending.current, splices), { origin, turn });
}

/** Numbers of removed and added lines. */
function shapes(pending: Pending): [removed: number, added: number][] {
  return hunksOf(pending).map((hunk) => [hunk.removed.length, hunk.added.length]);
}

test("a hunk is shown at another line, with other lines or another maker than it has", () => {
  let pending = start(numbered(9));
  pending = edit(pending, "agent", [{ at: 1, removed: 1, lines: ["TWO", "and more"] }], "turn_1");
  pending = edit(pending, "agent", [{ at: 6, removed: 2, lines: [] }], "turn_2");
  pending = edit(pending, "agent", [{ at: 8, removed: 0, lines: ["last\r"] }], "turn_2");
  pending = edit(pending, "user", [{ at: 0, removed: 0, lines: ["title"] }]);
  pending = edit(pending, "user", [{ at: 2, removed: 1, lines: ["Two"] }]);
  const expected: Hunk[] = [
    {
      id: 1,
      oldStart: 3,
      newStart: 3,
      removed: ["line 2"],
      added: ["Two", "and more"],
      origins: ["agent", "user"],
      turns: ["turn_1"],
      oversized: false,
    },
    {
      id: 2,
      oldStart: 7,
      newStart: 8,
      removed: ["line 6", "line 7"],
      added: [],
      origins: ["agent"],
      turns: ["turn_2"],
      oversized: false,
    },
    {
      id: 3,
      oldStart: 11,
      newStart: 10,
      removed: [],
      added: ["last"],
      origins: ["agent"],
      turns: ["turn_2"],
      oversized: false,
    },
  ];
  assert.deepEqual(hunksOf(pending), expected);
});

test("a long proposal comes as one hunk that nobody can judge", () => {
  const chapter = numbered(300).map((line, index) => (index % 25 === 24 ? "" : line));
  const pending = edit(start(["before", "behind"]), "agent", [{ at: 1, removed: 0, lines: chapter }]);
  const hunks = hunksOf(pending);
  assert.deepEqual(shapes(pending), [
    [0, 75],
    [0, 75],
    [0, 75],
    [0, 75],
  ]);
  assert.deepEqual(
    hunks.flatMap((hunk) => hunk.added),
    chapter,
  );
  assert.ok(hunks.every((hunk) => !hunk.oversized));
  assert.deepEqual(
    hunks.map((hunk) => hunk.newStart),
    [2, 77, 152, 227],
  );
  assert.deepEqual(
    hunks.map((hunk) => hunk.oldStart),
    [2, 2, 2, 2],
  );
});

test("part of a long proposal cannot be rejected alone", () => {
  const chapter = numbered(150).map((line, index) => (index % 25 === 24 ? "" : line));
  const pending = edit(start(["before", "behind"]), "agent", [{ at: 1, removed: 0, lines: chapter }]);
  const [first, second] = hunksOf(pending);
  assert.ok(first !== undefined && second !== undefined);
  const rejected = decide(pending, "rejected", new Set([first.id])).pending;
  assert.deepEqual(rejected.current.toJSON(), ["before", ...second.added, "behind", ""]);
  const accepted = decide(rejected, "accepted", new Set([second.id])).pending;
  assert.deepEqual(accepted.base.toJSON(), ["before", ...second.added, "behind", ""]);
});

test("a proposal that cannot be split is not marked as too large", () => {
  const solid = numbered(100, "word");
  const [hunk, ...others] = hunksOf(edit(start(["a"]), "agent", [{ at: 0, removed: 0, lines: solid }]));
  assert.deepEqual([hunk?.added.length, hunk?.oversized, others.length], [100, true, 0]);
  const [wide] = hunksOf(edit(start(["a"]), "agent", [{ at: 0, removed: 1, lines: ["x".repeat(9000)] }]));
  assert.equal(wide?.oversized, true);
  const [removed] = hunksOf(edit(start([...solid, "z"]), "agent", [{ at: 0, removed: 100, lines: ["x"] }]));
  assert.equal(removed?.oversized, true);
  const [fits] = hunksOf(edit(start(["a"]), "agent", [{ at: 0, removed: 0, lines: numbered(maxHunkLines) }]));
  assert.equal(fits?.oversized, false);
});

test("edits side by side grow into one hunk over the limit instead of staying apart", () => {
  let pending = start(numbered(3));
  pending = edit(pending, "agent", [{ at: 1, removed: 0, lines: numbered(60, "one") }]);
  pending = edit(pending, "agent", [{ at: 61, removed: 0, lines: numbered(60, "two") }]);
  assert.deepEqual(shapes(pending), [
    [0, 60],
    [0, 60],
  ]);
  pending = edit(pending, "agent", [{ at: 121, removed: 0, lines: numbered(10, "three") }]);
  assert.deepEqual(shapes(pending), [
    [0, 60],
    [0, 70],
  ]);
});

test("an edit in one hunk swallows the hunk behind it", () => {
  let pending = start(numbered(6));
  pending = edit(pending, "agent", [
    { at: 1, removed: 2, lines: ["TWO", "THREE"] },
    { at: 4, removed: 1, lines: ["FIVE"] },
  ]);
  pending = edit(pending, "user", [{ at: 3, removed: 1, lines: [] }]);
  assert.deepEqual(shapes(pending), [
    [2, 2],
    [1, 1],
  ]);
  pending = edit(pending, "agent", [{ at: 1, removed: 1, lines: ["Two"] }]);
  assert.deepEqual(
    hunksOf(pending).map((hunk) => [hunk.id, hunk.added]),
    [
      [1, ["Two", "THREE"]],
      [2, ["FIVE"]],
    ],
  );
  // One that stands right beside the edit joins it.
  pending = edit(pending, "agent", [{ at: 2, removed: 1, lines: ["Three"] }]);
  assert.deepEqual(shapes(pending), [[3, 3]]);
});

test("a hunk that grows over the limit is no longer split", () => {
  const chapter = numbered(200).map((line, index) => (index % 25 === 24 ? "" : line));
  let pending = edit(start(["a", "b"]), "agent", [{ at: 0, removed: 1, lines: ["draft"] }]);
  const id = hunksOf(pending)[0]?.id;
  pending = edit(pending, "agent", [{ at: 0, removed: 1, lines: chapter }]);
  const hunks = hunksOf(pending);
  assert.ok(hunks.length > 1 && hunks.every((hunk) => !hunk.oversized));
  assert.equal(hunks[0]?.id, id, "the hunk that was shown is gone");
  assert.deepEqual(
    hunks.flatMap((hunk) => hunk.added),
    chapter,
  );
});

// ---- identity

const line = fc.constantFrom("a", "b", "}", "", "longer line");
const lines = fc.array(line, { maxLength: 4 });
const spliceSpec = fc.record({ at: fc.nat(50), removed: fc.nat(3), lines });

test("a hunk changes its number or its lines when something else is edited", () => {
  const opening = fc.array(fc.record({ gap: fc.integer({ min: 2, max: 6 }), removed: fc.nat(3), lines }), {
    maxLength: 6,
  });
  const origin = fc.constantFrom<Origin>("agent", "user", "disk");
  let compared = 0;
  fc.assert(
    fc.property(opening, fc.array(fc.tuple(origin, spliceSpec), { maxLength: 8 }), (openings, edits) => {
      let pending = edit(start(numbered(60)), "agent", openSplices(openings));
      for (const [who, wanted] of edits) {
        const total = pending.current.lines - 1;
        const at = Math.min(wanted.at, total);
        const removed = Math.min(wanted.removed, total - at);
        const before = hunksOf(pending);
        pending = edit(pending, who, [{ at, removed, lines: wanted.lines }]);
        const after = new Map(hunksOf(pending).map((hunk) => [hunk.id, hunk]));
        for (const hunk of before.filter((each) => isApart(each, at, removed))) {
          compared += 1;
          const now = after.get(hunk.id);
          assert.ok(now !== undefined, `hunk ${hunk.id} is gone`);
          assert.deepEqual([now.removed, now.added, now.origins], [hunk.removed, hunk.added, hunk.origins]);
          const shift = hunk.newStart > at ? wanted.lines.length - removed : 0;
          assert.equal(now.newStart, hunk.newStart + shift);
        }
      }
    }),
    { numRuns: runs(1000) },
  );
  assert.ok(compared > runs(1000), `only ${compared} hunks were compared`);
});

/** Splices that stay apart by at least two lines. */
function openSplices(openings: readonly { gap: number; removed: number; lines: string[] }[]): Splice[] {
  const splices: Splice[] = [];
  let end = 0;
  for (const { gap, removed, lines: added } of openings) {
    splices.push({ at: end + gap, removed, lines: added });
    end += gap + removed;
  }
  return splices;
}

/** Whether an edit of current leaves a line between itself and the hunk. */
function isApart(hunk: Hunk, at: number, removed: number): boolean {
  const from = hunk.newStart - 1;
  return at + removed < from || at > from + hunk.added.length;
}

test("a number that was used for one hunk is given to another", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom("agent" as const, "user" as const), splice: spliceSpec }),
    fc.record({
      do: fc.constantFrom("accept" as const, "reject" as const, "undo" as const),
      pick: fc.nat(5),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let pending = start(numbered(12));
      let highest = 0;
      const gone = new Set<number>();
      for (const each of steps) {
        const known = new Set(pending.pieces.map((piece) => piece.id));
        if ("splice" in each) {
          const at = Math.min(each.splice.at, pending.current.lines - 1);
          const removed = Math.min(each.splice.removed, pending.current.lines - 1 - at);
          pending = edit(pending, each.do, [{ at, removed, lines: each.splice.lines }]);
        } else {
          const candidates = pending.pieces.filter((piece) => isOpen(piece) === (each.do !== "undo"));
          const piece = candidates[each.pick % Math.max(1, candidates.length)];
          if (piece === undefined) continue;
          const ids = new Set([piece.id]);
          if (!isOpen(piece)) pending = undecide(pending, ids, piece.kind).pending;
          else pending = decide(pending, each.do === "accept" ? "accepted" : "rejected", ids).pending;
        }
        const now = pending.pieces.map((piece) => piece.id);
        assert.equal(new Set(now).size, now.length, "two hunks have the same number");
        for (const id of now) {
          assert.ok(!gone.has(id), `hunk ${id} was gone and its number is used again`);
          if (!known.has(id)) assert.ok(id > highest, `a new hunk got the old number ${id}`);
        }
        for (const id of known) if (!now.includes(id)) gone.add(id);
        highest = Math.max(highest, ...now);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("hunks leave out a changed line, show an unchanged one, or are over the limit without saying so", () => {
  const wide = fc.array(fc.constantFrom("word", "", "End.", "x".repeat(900)), {
    maxLength: 120,
    size: "max",
  });
  const step = fc.record({
    who: fc.constantFrom<Origin>("agent", "agent", "user"),
    from: fc.nat(4000),
    length: fc.nat(800),
    insert: wide,
  });
  fc.assert(
    fc.property(wide, fc.array(step, { maxLength: 6 }), (base, steps) => {
      let pending = start(base);
      for (const { who, from, length, insert } of steps) {
        const total = pending.current.length;
        const at = Math.min(from, total);
        const change = ChangeSet.of(
          { from: at, to: Math.min(total, at + length), insert: Text.of([...insert, ""]) },
          total,
        );
        pending = stage(pending, change, { origin: who });
        assertVisible(pending);
      }
    }),
    { numRuns: runs(200) },
  );
});

/** Between its hunks, base and current are the same; within them the first and last lines differ. */
function assertVisible(pending: Pending): void {
  let a = 0;
  let b = 0;
  for (const hunk of hunksOf(pending)) {
    const same = hunk.oldStart - 1 - a;
    assert.equal(hunk.newStart - 1 - b, same);
    assert.deepEqual(rawLines(pending.base, a, a + same), rawLines(pending.current, b, b + same));
    assert.ok(hunk.removed.length + hunk.added.length > 0, "an empty hunk");
    assert.equal(hunk.oversized, isOversized(hunk.removed, hunk.added));
    a += same + hunk.removed.length;
    b += same + hunk.added.length;
  }
  assert.deepEqual(
    rawLines(pending.base, a, pending.base.lines),
    rawLines(pending.current, b, pending.current.lines),
  );
}

test("a large replacement with as many lines as before is cut in the middle of a sentence", () => {
  const lines = (word: string) =>
    Array.from({ length: 120 }, (_, line) => `${word} line ${line}${line % 12 === 11 ? "." : ""}`);
  const text = Text.of(lines("old"));
  const splices = [{ at: 0, removed: 120, lines: lines("new") }];
  const hunks = hunksOf(stage(nothingPending(text), changeOf(text, splices), { origin: "agent" }));
  assert.ok(hunks.length > 1 && hunks.every((hunk) => !hunk.oversized));
  assert.deepEqual(
    hunks.map((hunk) => (hunk.newStart - 1) % 12),
    hunks.map(() => 0),
  );
});
