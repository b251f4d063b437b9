import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { startHistory } from "./history.ts";
import { changeOf, type Splice } from "./lines.ts";
import { type Measure, measureOf, measureText, updateMeasure } from "./measure.ts";
import { revise } from "./revise.ts";

function apply(text: Text, splices: readonly Splice[]): Text {
  return changeOf(text, splices).apply(text);
}

const line = fc.constantFrom("", "a", "\r", "a\r", "bb", "bb\r", "ccc", "😀", "longest");
const splice = fc.record({ at: fc.nat(12), removed: fc.nat(4), lines: fc.array(line, { maxLength: 3 }) });

/** Non-overlapping splices that fit the text and leave at least one raw line. */
function fitting(text: Text, wanted: readonly Splice[]): Splice[] {
  const splices: Splice[] = [];
  let end = 0;
  for (const { at, removed, lines } of [...wanted].sort((one, other) => one.at - other.at)) {
    if (at < end || at > text.lines) continue;
    end = Math.min(text.lines, at + removed);
    splices.push({
      at,
      removed: end - at,
      lines: end - at === text.lines && lines.length === 0 ? [""] : lines,
    });
  }
  const leftEmpty = splices.reduce((sum, each) => sum + each.lines.length - each.removed, text.lines) === 0;
  return leftEmpty ? splices.map((each, index) => (index === 0 ? { ...each, lines: [""] } : each)) : splices;
}

test("rows or columns are wrong after some edits", () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 10 }),
      fc.array(fc.array(splice, { maxLength: 3 })),
      (start, edits) => {
        let text = Text.of(start);
        let measure = measureText(text);
        for (const edit of edits) {
          const splices = fitting(text, edit);
          const after = apply(text, splices);
          measure = updateMeasure(measure, text, after, splices);
          assert.deepEqual(measure, measureText(after));
          text = after;
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test("rows and columns are not what a reader counts", () => {
  const cases: [content: string, measure: Measure][] = [
    ["", { rows: 0, cols: 0, longest: 1 }],
    ["\n", { rows: 1, cols: 0, longest: 2 }],
    ["abc", { rows: 1, cols: 3, longest: 1 }],
    ["abc\nab\nxyz\n", { rows: 3, cols: 3, longest: 2 }],
    ["abc\r\nabc\nab\n", { rows: 3, cols: 3, longest: 2 }],
    ["\r\n\n\r", { rows: 3, cols: 0, longest: 3 }],
  ];
  for (const [content, measure] of cases) {
    assert.deepEqual(measureText(Text.of(content.split("\n"))), measure, JSON.stringify(content));
  }
});

/** A text that counts how many of its lines are looked at. */
function watched(text: Text): { text: Text; looks: () => number } {
  let looks = 0;
  const proxy = new Proxy(text, {
    get(target, name) {
      if (name === "iterLines") {
        return function* (...range: [number?, number?]) {
          for (const each of target.iterLines(...range)) {
            looks += 1;
            yield each;
          }
        };
      }
      if (name === "line" || name === "lineAt") looks += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { text: proxy, looks: () => looks };
}

const thousands = Array.from({ length: 20_000 }, (_, index) => "x".repeat(10 + (index % 50)));

function looksFor(splices: readonly Splice[], start: readonly string[] = thousands): number {
  const plain = Text.of([...start]);
  const before = watched(plain);
  const after = watched(apply(plain, splices));
  const measure = updateMeasure(measureText(plain), before.text, after.text, splices);
  assert.deepEqual(measure, measureText(apply(plain, splices)));
  return before.looks() + after.looks();
}

test("typing in a long document reads the whole document for its size", () => {
  const short = "x".repeat(10);
  const longest = "x".repeat(59);
  const cases: [name: string, splices: Splice[]][] = [
    ["a short line changes", [{ at: 100, removed: 1, lines: [`${short}y`] }]],
    ["a line is added", [{ at: 100, removed: 0, lines: ["new"] }]],
    ["a line becomes the longest", [{ at: 100, removed: 1, lines: ["x".repeat(500)] }]],
    ["one of several longest lines goes", [{ at: 49, removed: 1, lines: [] }]],
    [
      "one of the longest lines is rewritten as long",
      [{ at: 49, removed: 1, lines: [longest.replaceAll("x", "y")] }],
    ],
    [
      "lines go at both ends",
      [
        { at: 0, removed: 1, lines: [] },
        { at: 19_998, removed: 2, lines: [short] },
      ],
    ],
  ];
  for (const [name, splices] of cases) {
    const touched = splices.reduce((sum, each) => sum + each.removed, 0);
    assert.ok(looksFor(splices) <= touched + 2, `${name}: ${looksFor(splices)} lines are read`);
  }
});

test("growing the only longest line reads the whole document at every key", () => {
  const start = thousands.with(7, "x".repeat(100));
  assert.ok(looksFor([{ at: 7, removed: 1, lines: ["x".repeat(101)] }], start) <= 3);
  assert.ok(looksFor([{ at: 7, removed: 1, lines: ["y".repeat(100)] }], start) <= 3);
  // When it shrinks, only a scan can tell which line is the longest now.
  assert.ok(looksFor([{ at: 7, removed: 1, lines: ["x".repeat(99)] }], start) >= start.length);
});

test("a document's size drifts from its text over many edits", () => {
  let history = startHistory(Text.of(["one", "two", ""]));
  assert.deepEqual(measureOf(history.text), measureText(history.text));
  for (const edit of [
    { op: "append", content: "the longest line of all\n" },
    { op: "insert", after: 0, content: "first" },
    { op: "delete", from: 4, to: 4 },
    { op: "set", content: "a\nbb\nccc" },
    { op: "clear" },
    { op: "append", content: "again" },
  ] as const) {
    const revised = revise(history, {
      revision: history.revision,
      policy: { kind: "strict" },
      edits: [edit],
      origin: "user",
    });
    assert.ok(!isFault(revised));
    history = revised.history;
    assert.deepEqual(measureOf(history.text), measureText(history.text), edit.op);
  }
});
