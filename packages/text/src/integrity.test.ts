import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { startHistory } from "./history.ts";
import { checkDeletion, integrityOf, restIsIdentical } from "./integrity.ts";
import { changeOf, countLines, type Splice, splicesOf } from "./lines.ts";
import { integrityOfNewest, revise } from "./revise.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function numbered(count: number): Text {
  return textOf(Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join(""));
}

const content = fc
  .array(fc.constantFrom("a", "b", "\n", "\n", "\r", "😀", "word"), { maxLength: 30 })
  .map((all) => all.join(""));
const edits = fc.array(fc.record({ from: fc.nat(40), length: fc.nat(8), insert: content }), {
  minLength: 1,
  maxLength: 3,
});

function changeFrom(
  before: Text,
  steps: readonly { from: number; length: number; insert: string }[],
): ChangeSet {
  let change = ChangeSet.empty(before.length);
  for (const { from, length, insert } of steps) {
    const total = change.newLength;
    const start = Math.min(from, total);
    const spec = { from: start, to: Math.min(total, start + length), insert: textOf(insert) };
    change = change.compose(ChangeSet.of(spec, total));
  }
  return change;
}

test("a change that left the rest alone is reported as damage", () => {
  fc.assert(
    fc.property(content, edits, (body, steps) => {
      const before = textOf(body);
      const change = changeFrom(before, steps);
      assert.ok(restIsIdentical(before, change.apply(before), change));
    }),
    { numRuns: runs(1000) },
  );
});

test("a character that changed outside of the edit goes unnoticed", () => {
  fc.assert(
    fc.property(content, edits, fc.nat(), fc.constantFrom("#", "\n", "😀"), (body, steps, pick, by) => {
      const before = textOf(body);
      const change = changeFrom(before, steps);
      const after = change.apply(before);
      const unchanged: number[] = [];
      change.iterGaps((_fromA, fromB, length) => {
        for (let offset = 0; offset < length; offset += 1) unchanged.push(fromB + offset);
      });
      const at = unchanged[pick % Math.max(1, unchanged.length)];
      if (at === undefined || after.sliceString(at, at + 1) === by) return;
      const replaced = after.replace(at, at + 1, textOf(by));
      const removed = after.replace(at, at + 1, Text.empty);
      const inserted = after.replace(at, at, textOf(by));
      for (const tampered of [replaced, removed, inserted]) {
        assert.ok(!restIsIdentical(before, tampered, change));
        assert.equal(integrityOf(before, tampered, change, []).restIsIdentical, false);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("a change in a long untouched part goes unnoticed at the seams of the comparison", () => {
  const before = Text.of(Array.from({ length: 40_000 }, (_, index) => `line ${index}`));
  const change = ChangeSet.of({ from: 0, to: 4, insert: "LINE" }, before.length);
  const after = change.apply(before);
  assert.ok(restIsIdentical(before, after, change));
  for (const at of [4, 65_535, 65_536, 65_539, 65_540, 131_075, 131_076, before.length - 1]) {
    const tampered = after.replace(at, at + 1, Text.of(["#"]));
    assert.ok(!restIsIdentical(before, tampered, change), `the character at ${at} may change`);
  }
});

test("two texts that swapped their parts pass as untouched", () => {
  const before = textOf("one\ntwo\nthree\n");
  const change = changeOf(before, [{ at: 1, removed: 1, lines: ["TWO"] }]);
  assert.ok(!restIsIdentical(before, textOf("three\nTWO\none\n"), change));
  assert.ok(!restIsIdentical(before, before, changeOf(before, [{ at: 1, removed: 1, lines: [] }])));
  assert.ok(!restIsIdentical(textOf("x"), change.apply(before), change));
});

test("a report counts other lines than were touched", () => {
  const cases: [
    before: string,
    splices: Splice[],
    counts: [before: number, after: number, removed: number, added: number],
    fraction: number,
  ][] = [
    ["a\nb\nc\nd\n", [{ at: 1, removed: 2, lines: ["x"] }], [4, 3, 2, 1], 0.5],
    [
      "a\nb\nc\nd\n",
      [
        { at: 0, removed: 1, lines: [] },
        { at: 4, removed: 0, lines: ["e", "f"] },
      ],
      [4, 5, 1, 2],
      0.25,
    ],
    ["a\nb\n", [{ at: 0, removed: 3, lines: [""] }], [2, 0, 2, 0], 1],
    ["a\nb", [{ at: 0, removed: 2, lines: [""] }], [2, 0, 2, 0], 1],
    ["", [{ at: 0, removed: 1, lines: ["x", ""] }], [0, 1, 0, 1], 0],
    ["", [{ at: 0, removed: 1, lines: ["x"] }], [0, 1, 0, 1], 0],
    ["a", [], [1, 1, 0, 0], 0],
  ];
  for (const [body, splices, [linesBefore, linesAfter, linesRemoved, linesAdded], touchedFraction] of cases) {
    const before = textOf(body);
    const change = changeOf(before, splices);
    const after = change.apply(before);
    assert.deepEqual(
      integrityOf(before, after, change, splicesOf(before, after, change)),
      { linesBefore, linesAfter, linesRemoved, linesAdded, touchedFraction, restIsIdentical: true },
      JSON.stringify([body, splices]),
    );
  }
});

test("the newest change of a document has no report, or that of another change", () => {
  const history = startHistory(numbered(10));
  assert.equal(integrityOfNewest(history), undefined);
  const policy = { kind: "strict" } as const;
  const first = revise(history, {
    revision: 1,
    policy,
    origin: "agent",
    edits: [{ op: "delete", from: 1, to: 5 }],
  });
  assert.ok(!isFault(first));
  const second = revise(first.history, {
    revision: 2,
    policy,
    origin: "agent",
    edits: [{ op: "append", content: "x" }],
  });
  assert.ok(!isFault(second));
  const expected = {
    linesBefore: 5,
    linesAfter: 6,
    linesRemoved: 0,
    linesAdded: 1,
    touchedFraction: 0,
    restIsIdentical: true,
  };
  assert.deepEqual(integrityOfNewest(second.history), expected);
  const tampered = { ...second.history, text: second.history.text.replace(0, 1, Text.of(["L"])) };
  assert.equal(integrityOfNewest(tampered)?.restIsIdentical, false);
});

test("most of a long document can be deleted by mistake, or a small edit is refused", () => {
  const cases: [name: string, lines: number, splices: Splice[], removed: number | undefined][] = [
    ["half", 50, [{ at: 0, removed: 25, lines: [] }], undefined],
    ["more than half", 50, [{ at: 0, removed: 26, lines: [] }], 26],
    ["half of an odd number", 51, [{ at: 0, removed: 25, lines: [] }], undefined],
    ["more than half of an odd number", 51, [{ at: 0, removed: 26, lines: [] }], 26],
    ["all of a short document", 49, [{ at: 0, removed: 49, lines: [] }], undefined],
    ["all of a long document", 5000, [{ at: 0, removed: 5000, lines: [] }], 5000],
    ["all, replaced by one line", 50, [{ at: 0, removed: 50, lines: ["x"] }], 49],
    [
      "in two places",
      100,
      [
        { at: 0, removed: 30, lines: [] },
        { at: 60, removed: 30, lines: [] },
      ],
      60,
    ],
    [
      "lines added elsewhere do not make up for it",
      100,
      [
        { at: 0, removed: 60, lines: [] },
        { at: 100, removed: 0, lines: Array.from({ length: 60 }, () => "x") },
      ],
      60,
    ],
    [
      "replaced by as many",
      100,
      [{ at: 0, removed: 100, lines: Array.from({ length: 100 }, () => "x") }],
      undefined,
    ],
    ["nothing", 100, [], undefined],
    ["only added", 100, [{ at: 50, removed: 0, lines: ["x"] }], undefined],
  ];
  for (const [name, total, splices, removed] of cases) {
    const text = numbered(total);
    assert.equal(countLines(text), total);
    const fault = checkDeletion(text, splices);
    if (removed === undefined) {
      assert.equal(fault, undefined, name);
    } else {
      assert.equal(fault?.error, "large_deletion", name);
      assert.equal(
        fault?.message,
        `This edit would remove ${removed} of ${total} lines, more than half of the document.`,
      );
      assert.deepEqual(fault?.details, { removed, document_lines: total });
      assert.match(fault?.suggestion ?? "", /repeat the edit and declare it a rewrite \(rewrite: true\)/);
    }
  }
});
