import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { maxHistoryLength } from "@stet/protocol/limits";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { anchoredLine } from "./anchors.ts";
import { planEdits } from "./edits.ts";
import {
  advance,
  changesSince,
  type History,
  type MappedLines,
  mapSpan,
  rebaseSplices,
  startHistory,
  textAt,
} from "./history.ts";
import { changeOf, rawLine, type Splice, splicesOf } from "./lines.ts";

function numbered(count: number): Text {
  return Text.of([...Array.from({ length: count }, (_, index) => `line ${index + 1}`), ""]);
}

function after(
  history: History,
  splices: readonly Splice[],
  origin: Origin = "user",
  turn?: string,
): History {
  return advance(history, changeOf(history.text, splices), { origin, turn });
}

function targetOf(history: History, seen: number, from: number, to: number) {
  const seenText = textAt(history, seen);
  assert.ok(!isFault(seenText));
  const planned = planEdits(seenText, [{ op: "delete", from, to }]);
  assert.ok(!isFault(planned));
  return rebaseSplices(history, seen, planned);
}

test("an old revision cannot be seen again as it was", () => {
  const step = fc.record({
    from: fc.nat(30),
    length: fc.nat(8),
    insert: fc.constantFrom("", "x", "\n", "y\nz\n"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let history = startHistory(numbered(3), 7);
      const texts = [history.text.toString()];
      for (const { from, length, insert } of steps) {
        const start = Math.min(from, history.text.length);
        const end = Math.min(start + length, history.text.length);
        const change = ChangeSet.of(
          { from: start, to: end, insert: Text.of(insert.split("\n")) },
          history.text.length,
        );
        history = advance(history, change, { origin: "user" });
        texts.push(history.text.toString());
      }
      assert.equal(history.revision, 7 + steps.length);
      for (const [index, content] of texts.entries()) {
        const text = textAt(history, 7 + index);
        assert.ok(!isFault(text));
        assert.equal(text.toString(), content);
        const changes = changesSince(history, 7 + index);
        assert.ok(!isFault(changes));
        assert.deepEqual(
          changes.map((change) => change.revision),
          texts.slice(index + 1).map((_, later) => 8 + index + later),
        );
        const replayed = changes.reduce((current, { change }) => change.apply(current), text);
        assert.equal(replayed.toString(), history.text.toString());
        const undone = [...changes]
          .reverse()
          .reduce((current, { change, before }) => change.invert(before).apply(current), history.text);
        assert.equal(undone.toString(), content);
      }
    }),
    { numRuns: runs(300) },
  );
});

test("a revision that never was is accepted, or refused without naming the newest", () => {
  const history = after(startHistory(numbered(3), 5), [{ at: 0, removed: 1, lines: ["x"] }]);
  const cases: [revision: number, message: RegExp][] = [
    [7, /^Revision 7 does not exist; the document is at revision 6\.$/],
    [4, /^Revision 4 is too old to build on; the document is at revision 6\.$/],
    [-1, /^Revision -1 is too old/],
    [5.5, /^Revision 5\.5 /],
    [Number.NaN, /^Revision NaN /],
  ];
  for (const [revision, message] of cases) {
    for (const fault of [
      changesSince(history, revision),
      textAt(history, revision),
      rebaseSplices(history, revision, []),
    ]) {
      assert.ok(isFault(fault), `revision ${revision} is accepted`);
      assert.equal(fault.error, "unknown_revision");
      assert.match(fault.message, message);
      assert.deepEqual(fault.details, { your_version: String(revision), current_version: "6" });
      assert.match(fault.suggestion, /Read the document again/);
    }
  }
});

test("a long session keeps every revision for ever, or forgets recent ones", () => {
  let history = startHistory(numbered(2));
  const total = 5 * maxHistoryLength;
  for (let count = 1; count <= total; count += 1) {
    history = after(history, [{ at: 0, removed: 1, lines: [`now ${count}`] }]);
    assert.ok(history.changes.length <= 2 * maxHistoryLength, "the history grows without limit");
  }
  assert.equal(history.revision, total + 1);
  for (let back = 0; back <= maxHistoryLength; back += 50) {
    const text = textAt(history, history.revision - back);
    assert.ok(!isFault(text), `${back} revisions back is forgotten`);
    assert.equal(rawLine(text, 0), `now ${total - back}`);
  }
  assert.ok(isFault(textAt(history, history.revision - 2 * maxHistoryLength - 1)));
});

test("a line is looked for in the wrong place after lines came and went", () => {
  const splices: Splice[] = [
    { at: 2, removed: 2, lines: ["a"] },
    { at: 6, removed: 0, lines: ["b", "c"] },
    { at: 8, removed: 1, lines: [] },
  ];
  const [replaced, inserted, removed] = splices;
  const cases: [first: number, last: number, mapped: MappedLines | Splice | undefined][] = [
    [0, 0, { first: 0, last: 0 }],
    [0, 1, { first: 0, last: 1 }],
    [1, 2, replaced],
    [2, 2, replaced],
    [3, 3, replaced],
    [3, 5, replaced],
    [0, 20, replaced],
    [4, 5, { first: 3, last: 4 }],
    // A line added between targeted lines is a conflict, beside them it is not.
    [5, 6, inserted],
    [4, 7, inserted],
    [5, 5, { first: 4, last: 4 }],
    [6, 6, { first: 7, last: 7 }],
    [6, 7, { first: 7, last: 8 }],
    [7, 8, removed],
    [8, 8, removed],
    [9, 12, { first: 9, last: 12 }],
  ];
  for (const [first, last, mapped] of cases) {
    assert.deepEqual(mapSpan({ first, last }, splices), mapped, `lines ${first} to ${last}`);
  }
});

test("an untouched line is not found again, or a touched one is taken for untouched", () => {
  const count = 8;
  const step = fc.record({ at: fc.nat(9), removed: fc.nat(3), added: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), fc.nat(7), fc.nat(3), (steps, first, length) => {
      const last = Math.min(count - 1, first + length);
      let history = startHistory(numbered(count));
      const target = history.text.toJSON().slice(first, last + 1);
      // Every line's content is unique, so where the lines are can simply be looked up, at every revision.
      const positions: number[] = [];
      for (const [index, { at, removed, added }] of steps.entries()) {
        const start = Math.min(at, history.text.lines - 1);
        const end = Math.min(start + removed, history.text.lines - 1);
        const lines = Array.from({ length: added }, (_, each) => `new ${index}.${each}`);
        history = after(history, [{ at: start, removed: end - start, lines }]);
        positions.push(positionOf(target, history.text.toJSON()));
      }
      const rebased = targetOf(history, 1, first + 1, last + 1);
      assert.equal(isFault(rebased), positions.includes(-1));
      if (isFault(rebased)) assert.equal(rebased.error, "conflict");
      else
        assert.deepEqual([rebased[0]?.at, rebased[0]?.removed], [positions.at(-1) ?? first, target.length]);
    }),
    { numRuns: runs(3000) },
  );
});

/** Where lines stand side by side, or -1. */
function positionOf(target: readonly string[], lines: readonly string[]): number {
  const at = lines.indexOf(target[0] ?? "");
  return target.every((line, index) => lines[at + index] === line) ? at : -1;
}

test("a conflict does not say who changed which lines, or shows another place than the one it is about", () => {
  let history = startHistory(numbered(100));
  history = after(history, [{ at: 0, removed: 0, lines: ["title", ""] }]);
  history = after(history, [{ at: 51, removed: 1, lines: ["fifty, changed"] }], "agent", "turn_9");
  history = after(history, [{ at: 0, removed: 1, lines: [] }]);
  const fault = targetOf(history, 1, 49, 51);
  assert.ok(isFault(fault));
  assert.equal(fault.error, "conflict");
  assert.match(
    fault.message,
    /^Lines 49-51 can no longer be edited as seen: another edit of the agent changed line 52 in revision 3\./,
  );
  assert.match(fault.message, /Nothing was changed\.$/);
  assert.match(fault.suggestion, /repeat the edit on revision 4/);
  assert.deepEqual(fault.details, {
    lines: { start: 49, end: 51 },
    changed_in: { revision: 3, origin: "agent", turn: "turn_9" },
    current_version: "4",
    current_line: 51,
    current: Array.from(
      { length: 9 },
      (_, index) => `${index === 4 ? "*" : " "}${anchoredLine(history.text, 47 + index)}`,
    ),
  });
  const one = targetOf(after(history, [], "disk"), 1, 50, 50);
  assert.ok(isFault(one) && /^Line 50 can/.test(one.message));
  for (const [origin, name] of [
    ["user", "the person"],
    ["disk", "a change on disk"],
  ] as const) {
    const other = targetOf(
      after(startHistory(numbered(3)), [{ at: 1, removed: 1, lines: [] }], origin),
      1,
      2,
      2,
    );
    assert.ok(isFault(other));
    assert.ok(other.message.includes(`${name} changed line 2 in revision 2`), other.message);
    assert.deepEqual(other.details.changed_in, { revision: 2, origin, turn: null });
  }
});

test("the place of a conflict is shown far from where it went", () => {
  const start = startHistory(numbered(100));
  const fifty: Splice = { at: 49, removed: 1, lines: ["fifty, changed"] };
  const deletedLater = after(after(start, [fifty]), [{ at: 19, removed: 41, lines: [] }]);
  const movedAtOnce = after(start, [{ at: 0, removed: 0, lines: ["1", "2", "3", "4", "5", "6"] }, fifty]);
  for (const [history, line] of [
    [deletedLater, 20],
    [movedAtOnce, 56],
  ] as const) {
    const fault = targetOf(history, 1, 50, 50);
    assert.ok(isFault(fault));
    const current = fault.details.current;
    assert.ok(Array.isArray(current));
    assert.ok(current.includes(`*${anchoredLine(history.text, line)}`), `shown: ${current.join(" / ")}`);
  }
});

test("a conflict in a document that was emptied since cannot be told", () => {
  const history = after(startHistory(numbered(3)), [{ at: 0, removed: 4, lines: [""] }]);
  const fault = targetOf(history, 1, 2, 3);
  assert.ok(isFault(fault));
  assert.deepEqual(fault.details.current, []);
});

test("deleting a blank line lets an older edit of that blank line through", () => {
  const history = after(startHistory(Text.of(["title", "", "", "body", ""])), [
    { at: 1, removed: 1, lines: [] },
  ]);
  assert.ok(isFault(targetOf(history, 1, 2, 2)));
  const other = targetOf(history, 1, 3, 3);
  assert.ok(!isFault(other), "the other blank line was not touched");
  assert.equal(other[0]?.at, 1);
});

test("a change is recorded with other lines than it changed", () => {
  const history = after(
    startHistory(numbered(5)),
    [{ at: 1, removed: 1, lines: ["x", "y"] }],
    "agent",
    "turn_1",
  );
  const [change] = history.changes;
  assert.ok(change !== undefined);
  assert.deepEqual(change.splices, [{ at: 1, removed: 1, lines: ["x", "y"] }]);
  assert.deepEqual(change.splices, splicesOf(change.before, history.text, change.change));
  assert.deepEqual([change.revision, change.origin, change.turn], [2, "agent", "turn_1"]);
  assert.equal(change.before.toString(), numbered(5).toString());
});
