import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { diffLines, diffTexts, type LineDiff } from "./diff.ts";
import { changeOf } from "./lines.ts";

function applyDiff(before: readonly string[], after: readonly string[], diff: readonly LineDiff[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const change of diff) {
    result.push(...before.slice(at, change.at), ...after.slice(change.newAt, change.newAt + change.added));
    at = change.at + change.removed;
  }
  return [...result, ...before.slice(at)];
}

function assertWellFormed(before: readonly string[], after: readonly string[], diff: LineDiff[]): void {
  assert.deepEqual(applyDiff(before, after, diff), after);
  let shift = 0;
  let end = -1;
  for (const { at, removed, newAt, added } of diff) {
    assert.ok(at > end, "changes overlap, touch or are out of order");
    assert.ok(removed + added > 0, "a change that changes nothing");
    assert.equal(newAt, at + shift);
    shift += added - removed;
    end = at + removed;
  }
}

function edits(diff: readonly LineDiff[]): number {
  return diff.reduce((sum, { removed, added }) => sum + removed + added, 0);
}

/** Removed plus added lines of the best possible diff, by the textbook table. */
function fewestEdits(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [index, other] of after.entries()) {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return before.length + after.length - 2 * (row.at(-1) ?? 0);
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The best of three counts: other programs on the machine must not fail a test. */
function timed<T>(limit: number, run: () => T): T {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; ; attempt += 1) {
    const started = performance.now();
    const result = run();
    best = Math.min(best, performance.now() - started);
    if (best < limit) return result;
    // Other work on the machine may spoil some tries, and what is quadratic spoils all of them.
    assert.ok(attempt < 9, `took ${best.toFixed(0)} ms; the limit is ${limit}`);
  }
}

const fewLines = fc.array(fc.constantFrom("a", "b", "c", "", "}"), { maxLength: 24 });

test("a diff that does not lead to the new text, or is larger than it must be", () => {
  fc.assert(
    fc.property(fewLines, fewLines, (before, after) => {
      const diff = diffLines(before, after);
      assertWellFormed(before, after, diff);
      assert.equal(edits(diff), fewestEdits(before, after));
    }),
    { numRuns: runs(2000) },
  );
});

test("a medium rewrite shows more changed lines than there are", () => {
  const next = random(3);
  for (const distinct of [3, 40, 900]) {
    const lines = () => Array.from({ length: 700 }, () => `line ${Math.floor(next() * distinct)}`);
    const before = lines();
    const after = lines();
    const diff = diffLines(before, after);
    assertWellFormed(before, after, diff);
    assert.equal(edits(diff), fewestEdits(before, after));
  }
});

test("unchanged and empty lists show changes", () => {
  assert.deepEqual(diffLines([], []), []);
  assert.deepEqual(diffLines(["a", ""], ["a", ""]), []);
  assert.deepEqual(diffLines([], ["a"]), [{ at: 0, removed: 0, newAt: 0, added: 1 }]);
  assert.deepEqual(diffLines(["a"], []), [{ at: 0, removed: 1, newAt: 0, added: 0 }]);
});

test("an inserted paragraph starts with the blank line of the one before it", () => {
  const before = ["One.", "", "Three."];
  assert.deepEqual(diffLines(before, ["One.", "", "Two.", "", "Three."]), [
    { at: 2, removed: 0, newAt: 2, added: 2 },
  ]);
});

test("a removal beside an insertion shows as two changes", () => {
  const before = ["x", "b", "x", "y"];
  const after = ["x", "new", "y"];
  assert.equal(diffLines(before, after).length, 1);
});

test("splices of two texts do not lead from one to the other", () => {
  const line = fc.constantFrom("a", "b", "", "a\r");
  const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => Text.of(lines));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const change = changeOf(before, diffTexts(before, after));
      assert.equal(change.apply(before).toString(), after.toString());
    }),
    { numRuns: runs(2000) },
  );
});

test("a paragraph added at the end is placed behind the end of the document", () => {
  const before = Text.of(["One.", ""]);
  const after = Text.of(["One.", "", "Two.", ""]);
  assert.deepEqual(diffTexts(before, after), [{ at: 1, removed: 0, lines: ["", "Two."] }]);
  assert.deepEqual(diffTexts(Text.of(["a"]), Text.of(["a", ""])), [{ at: 1, removed: 0, lines: [""] }]);
});

test("a long book with scattered edits takes noticeable time", () => {
  const next = random(1);
  const before = Array.from({ length: 50_000 }, (_, index) =>
    index % 7 === 0 ? "" : `line ${index % 30_000}`,
  );
  const after = [...before];
  for (let edit = 0; edit < 500; edit += 1) {
    const at = Math.floor(next() * after.length);
    if (edit % 3 === 0) after.splice(at, 1);
    else if (edit % 3 === 1) after.splice(at, 0, `new ${edit}`);
    else after[at] = `changed ${edit}`;
  }
  const diff = timed(300, () => diffLines(before, after));
  assertWellFormed(before, after, diff);
  assert.ok(edits(diff) <= 700, `${edits(diff)} edited lines for 500 edits`);
});

test("a complete rewrite takes noticeable time", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}`);
  const after = Array.from({ length: 20_000 }, (_, index) => `new ${index}`);
  assert.deepEqual(
    timed(500, () => diffLines(before, after)),
    [{ at: 0, removed: 20_000, newAt: 0, added: 20_000 }],
  );
});

test("twenty thousand shuffled lines hang the editor", () => {
  const next = random(2);
  for (const distinct of [2, 10, 20_000]) {
    const lines = () =>
      Array.from({ length: 20_000 }, () =>
        distinct === 2 ? (next() < 0.5 ? "}" : "") : `${next() * distinct}`,
      );
    const before = lines();
    const after = distinct === 2 ? lines() : before.toSorted();
    const diff = timed(1000, () => diffLines(before, after));
    assertWellFormed(before, after, diff);
  }
});

test("a few edits among a hundred thousand lines of two kinds are not found one by one", () => {
  const next = random(4);
  const before = Array.from({ length: 100_000 }, () => (next() < 0.5 ? "}" : ""));
  const after = [...before];
  for (const at of [90_000, 50_000, 10_000]) after.splice(at, 2, "}", "", "}");
  const diff = timed(1000, () => diffLines(before, after));
  assertWellFormed(before, after, diff);
  assert.ok(edits(diff) <= 15, `${edits(diff)} edited lines`);

  const other = Array.from({ length: 100_000 }, () => (next() < 0.5 ? "}" : ""));
  assertWellFormed(
    before,
    other,
    timed(2000, () => diffLines(before, other)),
  );
});
