import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { advance, type History, startHistory } from "@stet/text/history";
import { changeOf, type Splice } from "@stet/text/lines";
import fc from "fast-check";
import { Sight } from "./sight.ts";

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
  const found = sight.locate(batch, "a", history, from, to);
  if (typeof found === "string") return found;
  const lines: string[] = [];
  for (let line = found.from; line <= found.to; line += 1) lines.push(lineAt(history, line));
  return found.isTold ? lines : "not told";
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
      const shown = new Map<number, string>();
      for (const [index, one] of steps.entries()) {
        const batch = String(index);
        if (one.kind === "show") {
          const from = 1 + (one.at % history.text.lines);
          const to = Math.min(history.text.lines, from + one.count);
          sight.show(batch, "a", history, from, to);
          for (let line = from; line <= to; line += 1) shown.set(line, lineAt(history, line));
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
      for (const [number, line] of shown) {
        const expected = now.has(line) ? [line] : "changed";
        const found = seen("last", sight, history, number);
        // What was changed and then kept with the session is forgotten, which refuses the edit, too.
        if (found === "not told" || found === "outside") assert.equal(expected, "changed");
        else assert.deepEqual(found, expected, `number ${number}`);
      }
    }),
    { numRuns: 500 },
  );
});

test("a range with a new line in it, or with a changed one, is changed", () => {
  let history = started(10);
  const sight = ownSight();
  sight.show("1", "a", history, 1, 10);
  history = changed(history, insert(5), undefined);
  assert.equal(seen("2", sight, history, 4, 7), "changed");
  assert.deepEqual(seen("2", sight, history, 6, 7), [lineAt(history, 7), lineAt(history, 8)]);
  assert.equal(seen("2", sight, history, 12), "outside");
});

test("calls of one message know nothing of what the others of it showed or moved", () => {
  let history = started(10);
  const sight = ownSight();
  sight.show("1", "a", history, 1, 10);
  const fifth = lineAt(history, 5);
  const seventh = lineAt(history, 7);
  history = changed(history, insert(0, 2), "own");
  sight.wrote("2", "a", history);
  assert.deepEqual(seen("2", sight, history, 5), [fifth]);
  assert.deepEqual(seen("3", sight, history, 7), [fifth], "the next message counts as the file is then");
  assert.deepEqual(seen("3", sight, history, 9), [seventh]);
  assert.deepEqual(seen("3", sight, history, 1), [lineAt(history, 1)], "it knows what it wrote");
});

test("after an own edit, lines that others had moved unseen have no sure number", () => {
  let history = started(10);
  const sight = ownSight();
  sight.show("1", "a", history, 1, 10);
  history = changed(history, insert(3), undefined);
  history = changed(history, { at: 8, removed: 1, lines: newLines(1) }, "own");
  sight.wrote("2", "a", history);
  assert.equal(seen("3", sight, history, 6), "not told");
  assert.deepEqual(seen("3", sight, history, 2), [lineAt(history, 2)], "nothing moved these");
  assert.deepEqual(seen("3", sight, history, 9), [lineAt(history, 9)], "it knows what it wrote");
});

test("a text that is nowhere in the file's history is as good as never shown", () => {
  const sight = ownSight();
  sight.show("1", "a", started(10), 1, 10);
  assert.equal(seen("2", sight, started(10), 5), "not told");
});

test("what is kept is bounded, the newest files stay", () => {
  const sight = ownSight();
  for (let file = 0; file < 300; file += 1) {
    const history = started(200);
    for (let line = 1; line < 200; line += 2) sight.show("1", `file-${file}`, history, line, line);
  }
  const saved = sight.save();
  assert.ok(JSON.stringify(saved).length < 60_000);
  assert.equal(saved?.files.at(-1)?.path, "file-299");
});
