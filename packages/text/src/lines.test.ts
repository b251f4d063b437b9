import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import {
  changeOf,
  countLines,
  lineContent,
  linesOf,
  rawLines,
  type Splice,
  splicesOf,
  withLineEnds,
} from "./lines.ts";

/** What splices do to a plain list of lines; an empty list is one empty line. */
function spliceList(lines: readonly string[], splices: readonly Splice[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const splice of splices) {
    result.push(...lines.slice(at, splice.at), ...splice.lines);
    at = splice.at + splice.removed;
  }
  result.push(...lines.slice(at));
  return result.length === 0 ? [""] : result;
}

const line = fc.constantFrom("", "a", "b", "ab", "a\r", "\r", "😀", "x😀", "😁", "🀀x", "longer line");
const lines = fc.array(line, { minLength: 1, maxLength: 10 });

/** Several edits on top of one another, so that ranges touch, contain and undo each other. */
const steps = fc.array(
  fc.record({ from: fc.nat(40), length: fc.nat(12), insert: fc.array(line, { maxLength: 4 }) }),
  { minLength: 1, maxLength: 5 },
);

function changeFrom(
  before: Text,
  edits: readonly { from: number; length: number; insert: string[] }[],
): ChangeSet {
  let change = ChangeSet.empty(before.length);
  for (const edit of edits) {
    const length = change.newLength;
    const from = Math.min(edit.from, length);
    const to = Math.min(from + edit.length, length);
    const insert = edit.insert.length === 0 ? Text.empty : Text.of(edit.insert);
    change = change.compose(ChangeSet.of({ from, to, insert }, length));
  }
  return change;
}

/** Before-lines that the change keeps character by character and that are whole lines afterwards, too. */
function survivors(before: Text, after: Text, change: ChangeSet): Set<number> {
  const found = new Set<number>();
  change.iterGaps((fromA, fromB, length) => {
    for (let index = 0; index < before.lines; index += 1) {
      const old = before.line(index + 1);
      if (old.length === 0 || old.from < fromA || old.to > fromA + length) continue;
      const now = after.lineAt(old.from - fromA + fromB);
      if (now.from === old.from - fromA + fromB && now.length === old.length) found.add(index);
    }
  });
  return found;
}

test("a change shown as whole lines does not lead to the new text", () => {
  fc.assert(
    fc.property(lines, steps, (start, edits) => {
      const before = Text.of(start);
      const change = changeFrom(before, edits);
      const after = change.apply(before);
      const splices = splicesOf(before, after, change);
      assert.deepEqual(spliceList(start, splices), after.toJSON());
      assert.deepEqual(changeOf(before, splices).apply(before).toJSON(), after.toJSON());
    }),
    { numRuns: runs(5000) },
  );
});

test("a line that nobody touched is shown as changed", () => {
  fc.assert(
    fc.property(lines, steps, (start, edits) => {
      const before = Text.of(start);
      const change = changeFrom(before, edits);
      const after = change.apply(before);
      const alive = survivors(before, after, change);
      let end = 0;
      for (const { at, removed, lines: added } of splicesOf(before, after, change)) {
        assert.ok(at >= end, "splices overlap or are out of order");
        assert.ok(removed + added.length > 0, "a splice that does nothing");
        for (let index = at; index < at + removed; index += 1) {
          assert.ok(!alive.has(index), `line ${index + 1} is named though it is whole`);
        }
        end = at + removed;
      }
    }),
    { numRuns: runs(5000) },
  );
});

test("inserting or removing whole lines shows the line beside them as changed", () => {
  const cases: [before: string, from: number, to: number, insert: string, splices: Splice[]][] = [
    ["a\nb", 0, 0, "x\n", [{ at: 0, removed: 0, lines: ["x"] }]],
    ["a\nb", 1, 1, "\nx", [{ at: 1, removed: 0, lines: ["x"] }]],
    ["a\nb", 2, 2, "x\n", [{ at: 1, removed: 0, lines: ["x"] }]],
    ["a\nb", 3, 3, "\nx", [{ at: 2, removed: 0, lines: ["x"] }]],
    ["a\nb", 3, 3, "\n", [{ at: 2, removed: 0, lines: [""] }]],
    ["a\nb", 0, 2, "", [{ at: 0, removed: 1, lines: [] }]],
    ["a\nb", 1, 3, "", [{ at: 1, removed: 1, lines: [] }]],
    ["a\nb", 1, 2, "\n", []],
    ["a\nb", 1, 2, "", [{ at: 0, removed: 2, lines: ["ab"] }]],
    ["a\nb", 0, 3, "", [{ at: 0, removed: 2, lines: [""] }]],
    ["a\n", 0, 2, "", [{ at: 0, removed: 1, lines: [] }]],
    ["", 0, 0, "x", [{ at: 0, removed: 1, lines: ["x"] }]],
    ["", 0, 0, "\n", [{ at: 0, removed: 0, lines: [""] }]],
    ["\n", 0, 1, "", [{ at: 0, removed: 1, lines: [] }]],
    ["a\n\n\nb", 2, 3, "", [{ at: 1, removed: 1, lines: [] }]],
  ];
  for (const [content, from, to, insert, splices] of cases) {
    const before = Text.of(content.split("\n"));
    const change = ChangeSet.of({ from, to, insert: Text.of(insert.split("\n")) }, before.length);
    assert.deepEqual(
      splicesOf(before, change.apply(before), change),
      splices,
      JSON.stringify([content, from, to, insert]),
    );
  }
});

test("deleting or adding one of several blank lines is put down to another one", () => {
  const blanks = fc.array(fc.constantFrom("", "", "a", "\r"), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(blanks, fc.nat(7), fc.nat(3), (start, from, removed) => {
      const at = from % start.length;
      const before = Text.of(start);
      const splice =
        at + removed < start.length && removed > 0
          ? { at, removed, lines: [] }
          : { at, removed: 0, lines: Array.from({ length: removed + 1 }, () => "") };
      const change = changeOf(before, [splice]);
      assert.deepEqual(splicesOf(before, change.apply(before), change), [splice]);
    }),
    { numRuns: runs(1000) },
  );
});

/** Splices of a list of a given length: pairs of gap and removed lines, cut off at the end; they may touch. */
const spliceSpecs = fc.array(
  fc.record({ gap: fc.nat(4), removed: fc.nat(3), lines: fc.array(line, { maxLength: 3 }) }),
  { maxLength: 5 },
);

function splicesFrom(
  total: number,
  specs: readonly { gap: number; removed: number; lines: string[] }[],
): Splice[] {
  const splices: Splice[] = [];
  let end = 0;
  for (const { gap, removed, lines: added } of specs) {
    const at = end + gap;
    if (at > total) break;
    end = Math.min(total, at + removed);
    splices.push({ at, removed: end - at, lines: added });
  }
  return splices;
}

test("edits of lines, also side by side, do not give the lines that were asked for", () => {
  fc.assert(
    fc.property(lines, spliceSpecs, (start, specs) => {
      const before = Text.of(start);
      const splices = splicesFrom(start.length, specs);
      const change = changeOf(before, splices);
      const after = change.apply(before);
      assert.deepEqual(after.toJSON(), spliceList(start, splices));
      assert.deepEqual(change.invert(before).apply(after).toJSON(), start);
    }),
    { numRuns: runs(5000) },
  );
});

test("a change of one word moves the cursor at the other end of the line", () => {
  const before = Text.of(["keep", "the quick brown fox", "keep"]);
  const change = changeOf(before, [{ at: 1, removed: 1, lines: ["the slow brown fox"] }]);
  assert.deepEqual(change.toJSON(), [9, [5, "slow"], 15]);
});

test("a change cuts an emoji into halves", () => {
  const emoji = fc.constantFrom("😀", "😁", "🀀", "𐀀", "a", "");
  const text = fc.array(emoji, { maxLength: 4 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (old, next) => {
      const before = Text.of(["x", old, "x"]);
      changeOf(before, [{ at: 1, removed: 1, lines: [next] }]).iterChanges(
        (fromA, toA, _fromB, _toB, inserted) => {
          assert.ok(inserted.toString().isWellFormed(), "half a pair is inserted");
          assert.ok(before.sliceString(fromA, toA).isWellFormed(), "half a pair is removed");
        },
      );
    }),
    { numRuns: runs(2000) },
  );
});

test("a new line in a file with mixed line ends gets another end than its neighbours", () => {
  // "a" and "c" end in CRLF, "b" in LF.
  const ended = Text.of(["a\r", "b", "c\r", ""]);
  const open = Text.of(["a\r", "b", "c\r", "d"]);
  const lone = Text.of(["a\r", "b", "c\r"]);
  const cases: [text: Text, splice: Splice, lines: string[]][] = [
    [ended, { at: 0, removed: 1, lines: ["A"] }, ["A\r"]],
    [ended, { at: 1, removed: 1, lines: ["B"] }, ["B"]],
    [ended, { at: 0, removed: 3, lines: ["A", "B", "C"] }, ["A\r", "B", "C\r"]],
    [ended, { at: 0, removed: 3, lines: ["A", "B"] }, ["A\r", "B"]],
    [ended, { at: 1, removed: 2, lines: ["B", "C", "D", "E"] }, ["B", "C\r", "D\r", "E\r"]],
    [ended, { at: 0, removed: 0, lines: ["first"] }, ["first\r"]],
    [ended, { at: 1, removed: 0, lines: ["x", "y"] }, ["x\r", "y\r"]],
    [ended, { at: 2, removed: 0, lines: ["x"] }, ["x"]],
    [ended, { at: 3, removed: 0, lines: ["x"] }, ["x\r"]],
    [ended, { at: 2, removed: 1, lines: [] }, []],
    [open, { at: 3, removed: 1, lines: ["D"] }, ["D"]],
    [open, { at: 3, removed: 1, lines: ["D", "E"] }, ["D", "E"]],
    [open, { at: 2, removed: 2, lines: ["C", "D"] }, ["C\r", "D"]],
    [open, { at: 2, removed: 2, lines: ["C"] }, ["C"]],
    [open, { at: 4, removed: 0, lines: ["e", "f"] }, ["e", "f"]],
    // A lone CR at the very end is the end of the last line: it stays there.
    [lone, { at: 2, removed: 1, lines: ["C"] }, ["C\r"]],
    [lone, { at: 2, removed: 1, lines: ["C", "D"] }, ["C\r", "D\r"]],
    [lone, { at: 3, removed: 0, lines: ["d"] }, ["d"]],
    [lone, { at: 3, removed: 0, lines: ["d", "e"] }, ["d\r", "e"]],
  ];
  for (const [text, splice, expected] of cases) {
    const name = JSON.stringify([text.toJSON(), splice]);
    assert.deepEqual(withLineEnds(text, splice), { ...splice, lines: expected }, name);
  }
});

test("lines that were not asked for change their end in a file with mixed line ends", () => {
  fc.assert(
    fc.property(lines, spliceSpecs, (start, specs) => {
      const before = Text.of(start);
      const plain = splicesFrom(start.length, specs).map((splice) => ({
        ...splice,
        lines: splice.lines.map((each) => each.replaceAll("\r", "")),
      }));
      const after = changeOf(
        before,
        plain.map((splice) => withLineEnds(before, splice)),
      ).apply(before);
      const expected = spliceList(start, plain);
      assert.equal(after.lines, expected.length);
      const withoutEnd = (each: string) => each.replace(/\r$/, "");
      assert.deepEqual(after.toJSON().map(withoutEnd), expected.map(withoutEnd));
      const hasReturns = start.some((each) => each.endsWith("\r"));
      if (!hasReturns) assert.ok(!after.toString().includes("\r"), "an LF file got a CR");
    }),
    { numRuns: runs(2000) },
  );
});

test("content is taken for another number of lines than it has", () => {
  const cases: [content: string, lines: string[]][] = [
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["\n", [""]],
    ["\n\n", ["", ""]],
    ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
    ["a\n\n", ["a", ""]],
    ["\r\n", [""]],
    ["\n\r", ["", ""]],
  ];
  for (const [content, expected] of cases)
    assert.deepEqual(linesOf(content), expected, JSON.stringify(content));
});

test("a text's lines are counted or read off by one", () => {
  const counted: [content: string, count: number][] = [
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\n\n", 2],
    ["\r", 1],
  ];
  for (const [content, count] of counted)
    assert.equal(countLines(Text.of(content.split("\n"))), count, content);
  const many = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const text = Text.of(many);
  for (const [from, to] of [
    [0, 0],
    [0, 15],
    [0, 16],
    [17, 18],
    [4000, 4900],
    [4984, 5000],
    [4990, 5000],
    [0, 5000],
  ] as const) {
    assert.deepEqual(rawLines(text, from, to), many.slice(from, to));
  }
  assert.equal(lineContent(Text.of(["a\r", "b\r\r"]), 0), "a");
  assert.equal(lineContent(Text.of(["a\r", "b\r\r"]), 1), "b\r");
});
