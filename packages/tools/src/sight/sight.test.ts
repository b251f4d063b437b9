import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import { advance, type History, startHistory } from "@stet/text/history";
import { changeOf, type Splice } from "@stet/text/lines";
import fc from "fast-check";
import { type SeenDocument, Sight } from "./sight.ts";

/** Every line is unlike any other, so that a line can be told by its content. */
let lastLine = 0;
const newLines = (count: number) => Array.from({ length: count }, () => `line ${++lastLine}`);
const started = (count: number) => startHistory(Text.of(newLines(count)));
const lineAt = ({ text }: History, line: number) => text.line(line).text;

function changed(history: History, splice: Splice, turn: string | undefined): History {
  const made = turn === undefined ? { origin: "user" as const } : { origin: "agent" as const, turn };
  return advance(history, changeOf(history.text, [splice]), made);
}

const insert = (at: number, count = 1): Splice => ({ at, removed: 0, lines: newLines(count) });

function seen(batch: string, sight: Sight, history: History, from: number, to = from): string | string[] {
  sight.enter(batch);
  const found = sight.numbered({ path: "a", history }, from, to);
  if (typeof found === "string") return found;
  const lines: string[] = [];
  for (let line = found.from; line <= found.to; line += 1) lines.push(lineAt(history, line));
  return found.isShown ? lines : "not shown";
}

function shown(batch: string, sight: Sight, document: SeenDocument, from: number, to: number): void {
  sight.enter(batch);
  sight.show(document, from, to);
}

function ownSight(load?: () => unknown): Sight {
  const sight = new Sight(load);
  sight.begin("own");
  return sight;
}

test("whatever others change, a number means the line that was last shown under it, or nothing", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("show" as const), at: fc.nat(), count: fc.nat(6) }),
    fc.record({ kind: fc.constant("change" as const), at: fc.nat(), removed: fc.nat(3), added: fc.nat(3) }),
    fc.record({ kind: fc.constant("keep" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let history = started(12);
      let sight = ownSight();
      let saved = "null";
      /** What was shown under each number. */
      const believed = new Map<number, string>();
      const everShown = new Set<string>();
      for (const [index, one] of steps.entries()) {
        const batch = String(index);
        if (one.kind === "show") {
          const from = 1 + (one.at % history.text.lines);
          const to = Math.min(history.text.lines, from + one.count);
          shown(batch, sight, { path: "a", history: history }, from, to);
          for (let line = from; line <= to; line += 1) {
            believed.set(line, lineAt(history, line));
            everShown.add(lineAt(history, line));
          }
        } else if (one.kind === "change") {
          const at = one.at % history.text.lines;
          const removed = Math.min(one.removed, history.text.lines - at - 1);
          if (removed + one.added > 0)
            history = changed(history, { at, removed, lines: newLines(one.added) }, undefined);
        } else {
          // Undefined where nothing happened since.
          saved = JSON.stringify(sight.save() ?? JSON.parse(saved));
          sight = ownSight(() => JSON.parse(saved));
        }
      }
      const now = new Set(history.text.toJSON());
      sight.enter("last");
      const unknown = sight.unknown({ path: "a", history });
      for (const [line, text] of history.text.toJSON().entries()) {
        const isUnknown = unknown.some(({ start, end }) => start <= line && line <= end);
        assert.equal(isUnknown, !everShown.has(text), `line ${line}`);
      }
      for (const [number, line] of believed) {
        const expected = now.has(line) ? [line] : "changed";
        const found = seen("last", sight, history, number);
        // What was changed and then kept with the session is forgotten, which refuses the edit, too.
        if (found === "not shown" || found === "outside") assert.equal(expected, "changed");
        else assert.deepEqual(found, expected, `number ${number}`);
      }
    }),
    { numRuns: runs(500) },
  );
});

test("a range with a new line in it, or with a changed one, is changed", () => {
  let history = started(10);
  const sight = ownSight();
  shown("1", sight, { path: "a", history: history }, 1, 10);
  history = changed(history, insert(5), undefined);
  assert.equal(seen("2", sight, history, 4, 7), "changed");
  assert.deepEqual(seen("2", sight, history, 6, 7), [lineAt(history, 7), lineAt(history, 8)]);
  assert.equal(seen("2", sight, history, 12), "outside");
});

test("calls of one message know nothing of what the others of it showed or moved", () => {
  let history = started(10);
  const sight = ownSight();
  shown("1", sight, { path: "a", history: history }, 1, 10);
  const fifth = lineAt(history, 5);
  const seventh = lineAt(history, 7);
  history = changed(history, insert(0, 2), "own");
  sight.enter("2");
  sight.wrote({ path: "a", history }, history.revision - 1);
  assert.deepEqual(seen("2", sight, history, 5), [fifth]);
  assert.deepEqual(seen("3", sight, history, 7), [fifth], "the next message counts as the file is then");
  assert.deepEqual(seen("3", sight, history, 9), [seventh]);
  assert.deepEqual(seen("3", sight, history, 1), [lineAt(history, 1)], "it knows what it wrote");
});

test("after an own edit, lines that others had moved unseen have no sure number", () => {
  let history = started(10);
  const sight = ownSight();
  shown("1", sight, { path: "a", history: history }, 1, 10);
  history = changed(history, insert(3), undefined);
  history = changed(history, { at: 8, removed: 1, lines: newLines(1) }, "own");
  sight.enter("2");
  sight.wrote({ path: "a", history }, history.revision - 1);
  assert.equal(seen("3", sight, history, 6), "not shown");
  assert.deepEqual(seen("3", sight, history, 2), [lineAt(history, 2)], "nothing moved these");
  assert.deepEqual(seen("3", sight, history, 9), [lineAt(history, 9)], "it knows what it wrote");
});

test("a text that is nowhere in the file's history is as good as never shown", () => {
  const sight = ownSight();
  shown("1", sight, { path: "a", history: started(10) }, 1, 10);
  assert.equal(seen("2", sight, started(10), 5), "not shown");
});

test("what is kept is bounded, the newest files stay", () => {
  const sight = ownSight();
  for (let file = 0; file < 300; file += 1) {
    const history = started(200);
    for (let line = 1; line < 200; line += 2)
      shown("1", sight, { path: `file-${file}`, history: history }, line, line);
  }
  const saved = sight.save();
  assert.ok(JSON.stringify(saved).length < 60_000);
  assert.equal(saved?.files.at(-1)?.path, "file-299");
});

test("what was shown of a revision can be quoted in a later turn, also of another process", () => {
  let history = started(10);
  const sight = ownSight();
  shown("1", sight, { path: "a", history }, 2, 4);
  const saved = JSON.stringify(sight.save());
  history = changed(history, insert(0, 3), undefined);
  const later = new Sight(() => JSON.parse(saved));
  later.begin("next");
  later.enter("1");
  const document = { path: "a", history };
  assert.deepEqual(later.revisions(document), [history.revision - 1]);
  assert.deepEqual(later.revisions(document, [2, 4]), [history.revision - 1]);
  assert.deepEqual(later.revisions(document, [5]), []);
  assert.deepEqual(later.quotable(document), [history.revision - 1], "others changed the newest");
  assert.equal(later.isOutdated(document), true);
});

test("a version stands for the revision that it was given with, also where that was taken back meanwhile", () => {
  const before = started(5);
  const sight = ownSight();
  sight.issue({ path: "a", history: before }, "1");
  const staged = changed(before, insert(0), "own");
  sight.issue({ path: "a", history: staged }, "2");
  assert.equal(sight.issued({ path: "a", history: staged }, "1"), before.revision);
  const other = changed(before, insert(3), undefined);
  assert.equal(sight.issued({ path: "a", history: other }, "2"), undefined);
});

test("lines that others wrote are unknown; of its own changes the model knows what it wrote or can work out", () => {
  let history = started(10);
  const sight = ownSight();
  const unknown = (batch: string) => {
    sight.enter(batch);
    return sight.unknown({ path: "a", history });
  };
  shown("1", sight, { path: "a", history }, 1, 6);
  assert.deepEqual(unknown("1"), [{ start: 0, end: 9 }], "a call of the same message was written before");
  assert.deepEqual(unknown("2"), [{ start: 6, end: 9 }]);
  history = changed(history, { at: 1, removed: 1, lines: newLines(2) }, undefined);
  assert.deepEqual(unknown("3"), [
    { start: 1, end: 2 },
    { start: 7, end: 10 },
  ]);
  // By a pattern: what it made of a line that was known is known, what it made of another one is not.
  history = changed(history, { at: 4, removed: 1, lines: newLines(1) }, "own");
  history = changed(history, { at: 8, removed: 1, lines: newLines(1) }, "own");
  sight.changed({ path: "a", history });
  assert.deepEqual(unknown("4"), [
    { start: 1, end: 2 },
    { start: 7, end: 10 },
  ]);
  history = changed(history, { at: 8, removed: 1, lines: newLines(2) }, "own");
  sight.wrote({ path: "a", history }, history.revision - 1);
  assert.deepEqual(unknown("4"), [
    { start: 1, end: 2 },
    { start: 7, end: 7 },
    { start: 10, end: 11 },
  ]);
});
