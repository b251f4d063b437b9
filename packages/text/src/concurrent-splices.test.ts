import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { firstMeeting, fitBehind, placeBoth } from "./concurrent-splices.ts";
import { changeOf, type Splice } from "./lines.ts";

/** Splices of a text of ten lines, in order, with something that stays between each two. */
const splices = (name: string) =>
  fc
    .array(fc.record({ gap: fc.nat(4), removed: fc.nat(3), added: fc.nat(2) }), { maxLength: 3 })
    .map((parts) => {
      const list: Splice[] = [];
      let at = 0;
      for (const [index, { gap, removed, added }] of parts.entries()) {
        const from = at + gap;
        if (from + removed > 10 || removed + added === 0) continue;
        const lines = Array.from({ length: added }, (_, line) => `${name}${index}.${line}`);
        list.push({ at: from, removed, lines });
        at = from + removed + 1;
      }
      return list;
    });

const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);

function apply(list: readonly string[], changes: readonly Splice[]): string[] {
  return changes.toReversed().reduce((result, { at, removed, lines: added }) => {
    return result.toSpliced(at, removed, ...added);
  }, list.slice());
}

test("two lists of splices that do not meet lead to one text in either order, with every line whole", () => {
  fc.assert(
    fc.property(splices("our"), splices("their"), (ours, theirs) => {
      fc.pre(firstMeeting(ours, theirs) === undefined);
      const rebased = placeBoth(ours, theirs);
      const oneWay = apply(apply(lines, theirs), rebased.ours);
      assert.deepEqual(apply(apply(lines, ours), rebased.theirs), oneWay);
      const gone = new Set([...ours, ...theirs].flatMap(({ at, removed }) => lines.slice(at, at + removed)));
      const added = [...ours, ...theirs].flatMap((splice) => splice.lines);
      assert.deepEqual(oneWay.toSorted(), [...lines.filter((line) => !gone.has(line)), ...added].toSorted());
      const text = Text.of(apply(lines, theirs));
      assert.equal(changeOf(text, rebased.ours).apply(text).toString(), oneWay.join("\n"));
    }),
    { numRuns: runs(2000) },
  );
});

test("lists meet exactly where both take away one line, or one puts lines between two that the other takes away", () => {
  fc.assert(
    fc.property(splices("our"), splices("their"), (ours, theirs) => {
      const meets = ours.some((our) => theirs.some((their) => touches(our, their)));
      assert.equal(firstMeeting(ours, theirs) !== undefined, meets);
      assert.equal(firstMeeting(theirs, ours) !== undefined, meets);
    }),
    { numRuns: runs(2000) },
  );
});

test("what fits of ours stands whole in the text after theirs, and what does not names the lines that stand there", () => {
  fc.assert(
    fc.property(splices("our"), splices("their"), (ours, theirs) => {
      const after = apply(lines, theirs);
      const fitted = fitBehind(ours, theirs);
      const left = ours.filter((our) => firstMeeting([our], theirs) !== undefined);
      assert.deepEqual(
        fitted.misfits.map(({ own }) => own),
        left.map((our) => our.lines),
      );
      const result = apply(after, fitted.ours);
      const kept = ours.filter((our) => !left.includes(our));
      for (const line of kept.flatMap((our) => our.lines)) assert.ok(result.includes(line));
      for (const line of left.flatMap((our) => our.lines)) assert.ok(!result.includes(line));
      const gone = new Set(kept.flatMap(({ at, removed }) => lines.slice(at, at + removed)));
      for (const line of theirs.flatMap((their) => their.lines)) assert.ok(result.includes(line));
      for (const line of after.filter((each) => !gone.has(each))) assert.ok(result.includes(line));
      for (const [index, { from, to }] of fitted.misfits.entries()) {
        const { at = 0, removed = 0 } = left[index] ?? {};
        assert.ok(0 <= from && from <= to && to <= after.length);
        const there = after.slice(from, to);
        // What is left of the lines that it wanted, and all that came in their place.
        const wanted = lines.slice(at, at + removed).filter((line) => after.includes(line));
        for (const line of wanted) assert.ok(there.includes(line));
        const met = theirs.filter(
          (their) => firstMeeting([{ at, removed, lines: [] }], [their]) !== undefined,
        );
        for (const line of met.flatMap((their) => their.lines)) assert.ok(there.includes(line));
      }
    }),
    { numRuns: runs(3000) },
  );
});

function touches(one: Splice, other: Splice): boolean {
  const rows = ({ at, removed }: Splice) => Array.from({ length: removed }, (_, index) => at + index);
  if (one.removed > 0 && other.removed > 0) return rows(one).some((row) => rows(other).includes(row));
  const [insertion, removal] = one.removed === 0 ? [one, other] : [other, one];
  return rows(removal).includes(insertion.at) && rows(removal).includes(insertion.at - 1);
}
