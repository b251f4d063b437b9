import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { must } from "@stet/testkit/workspace";
import { advance, type History, startHistory } from "@stet/text/history";
import { countLines, lineContent } from "@stet/text/lines";
import { revise } from "@stet/text/revise";
import fc from "fast-check";
import { ReadLines } from "./read-lines.ts";

const ten = () => startHistory(Text.of([..."abcdefghij", ""]));

function replaced(history: History, from: number, to: number, content: string): History {
  const edits = [{ op: "replace" as const, from: from + 1, to: to + 1, content }];
  const { revision } = history;
  return must(revise(history, { revision, policy: { kind: "strict" }, edits, origin: "agent" })).history;
}

test("what was never shown is unknown, what was shown is known", () => {
  const read = new ReadLines();
  assert.deepEqual(read.unknown(1, ten()), [{ start: 0, end: 9 }]);
  const history = ten();
  read.show(1, history, { start: 2, end: 3 });
  read.show(1, history, { start: 4, end: 4 });
  read.show(1, history, { start: 8, end: 20 });
  assert.deepEqual(read.unknown(1, history), [
    { start: 0, end: 1 },
    { start: 5, end: 7 },
  ]);
  assert.deepEqual(read.unknownWithin(1, history, { start: 3, end: 6 }), [{ start: 5, end: 6 }]);
  assert.deepEqual(read.unknown(2, history), [{ start: 0, end: 9 }]);
});

test("an empty document has nothing unknown", () => {
  assert.deepEqual(new ReadLines().unknown(1, startHistory(Text.empty)), []);
});

test("known lines move with an edit; the lines it brought are unknown until they are shown", () => {
  const read = new ReadLines();
  const history = ten();
  read.show(1, history, { start: 0, end: 9 });
  const after = replaced(history, 3, 4, "X\nY\nZ");
  assert.deepEqual(read.unknown(1, after), [{ start: 3, end: 5 }]);
  read.show(1, after, { start: 3, end: 5 });
  assert.deepEqual(read.unknown(1, after), []);
});

test("what can be worked out from known lines is known, from unknown ones not", () => {
  const read = new ReadLines();
  const history = ten();
  read.show(1, history, { start: 0, end: 4 });
  const after = replaced(replaced(history, 2, 2, "C"), 7, 7, "H");
  read.carry(1, history, after);
  assert.deepEqual(read.unknown(1, after), [{ start: 5, end: 9 }]);
});

test("a text that does not follow from the one shown is unknown", () => {
  const read = new ReadLines();
  const history = ten();
  const taken = replaced(history, 0, 0, "TAKEN BACK");
  read.show(1, taken, { start: 0, end: 9 });
  const other = replaced(history, 0, 0, "OTHER");
  assert.equal(other.revision, taken.revision);
  assert.deepEqual(read.unknown(1, other), [{ start: 0, end: 9 }]);
});

test("whatever is shown and changed, a line is known exactly if it was shown and nobody touched it since", () => {
  const step = fc.record({
    isShown: fc.boolean(),
    at: fc.nat(14),
    count: fc.nat(4),
    blanks: fc.array(fc.boolean(), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const read = new ReadLines();
      let history = ten();
      let known = new Array<boolean>(11).fill(false);
      let written = 0;
      for (const { isShown, at, count, blanks } of steps) {
        const { text } = history;
        const total = countLines(text);
        const from = Math.min(at, total);
        const to = Math.min(from + count, total);
        if (isShown) {
          if (from < to) read.show(1, history, { start: from, end: to - 1 });
          known = known.map((was, line) => was || (line >= from && line < to));
        } else {
          const start = text.line(from + 1).from;
          const end = to > from ? text.line(to + 1).from : start;
          written += 1;
          const lines = blanks.map((isBlank, index) => (isBlank ? "" : `line ${written}.${index}`));
          const insert = lines.map((line) => `${line}\n`).join("");
          if (text.sliceString(start, end) === insert) continue;
          const change = ChangeSet.of([{ from: start, to: end, insert }], text.length);
          history = advance(history, change, { origin: "disk" });
          known.splice(from, to - from, ...blanks.map(() => false));
        }
      }
      const unknown = read.unknown(1, history);
      for (let line = 0; line < countLines(history.text); line += 1) {
        const isUnknown = unknown.some(({ start, end }) => line >= start && line <= end);
        // Of blank lines that are replaced by blank lines nobody can tell which one stayed.
        const isSame = isUnknown === !known[line];
        assert.ok(isSame || (!isUnknown && lineContent(history.text, line) === ""), `line ${line}`);
      }
    }),
    { numRuns: 1000 },
  );
});
