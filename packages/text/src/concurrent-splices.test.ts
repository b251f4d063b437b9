import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { firstMeeting, placeBoth } from "./concurrent-splices.ts";
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

function touches(one: Splice, other: Splice): boolean {
  const rows = ({ at, removed }: Splice) => Array.from({ length: removed }, (_, index) => at + index);
  if (one.removed > 0 && other.removed > 0) return rows(one).some((row) => rows(other).includes(row));
  const [insertion, removal] = one.removed === 0 ? [one, other] : [other, one];
  return rows(removal).includes(insertion.at) && rows(removal).includes(insertion.at - 1);
}
