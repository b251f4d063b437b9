import assert from "node:assert/strict";
import { test } from "node:test";
import { type Side, sides, type ThreeSides, threeSides } from "./three-sides.ts";

/** A side as the view shows it, line by line. */
function shown({ rows }: ThreeSides, side: Side): string {
  return rows
    .filter((row) => row.numbers[side] !== null)
    .map(({ same, region, offset }) => {
      return same ?? (region?.lines(side)[offset] ?? []).map(({ text }) => text).join("");
    })
    .join("\n");
}

test("each column holds the whole text of its side, numbered from 1", () => {
  const texts = { before: "a\nb\nc\nd\n", proposed: "a\nB\nB2\nc\nd\n", now: "a\nb\nc\nnew\n" };
  const view = threeSides(texts.before, texts.proposed, texts.now);
  for (const side of sides) {
    assert.equal(`${shown(view, side)}\n`, texts[side]);
    const numbers = view.rows.flatMap(({ numbers }) => numbers[side] ?? []);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  }
  assert.equal(view.starts.length, 2);
});

test("only the words that changed are marked, on the side that changed them", () => {
  const { rows } = threeSides("Tobias said no.\n", "Elias said no.\n", "Tobias said no.\n");
  const [row] = rows;
  assert.deepEqual(row?.region?.lines("before")[0], [
    { text: "Tobias", isMarked: true },
    { text: " said no.", isMarked: false },
  ]);
  assert.deepEqual(row?.region?.lines("proposed")[0], [
    { text: "Elias", isMarked: true },
    { text: " said no.", isMarked: false },
  ]);
  assert.equal(row?.region?.differs("now"), false);
  assert.deepEqual(row?.region?.lines("now")[0], [{ text: "Tobias said no.", isMarked: false }]);
});

test("a line that one side lacks leaves a gap there", () => {
  const { rows } = threeSides("a\nb\n", "a\n", "a\nb\n");
  assert.deepEqual(rows[1]?.numbers, { before: 2, proposed: null, now: 2 });
});

test("a file that was empty, and one that is", () => {
  assert.deepEqual(threeSides("", "", ""), { rows: [], starts: [] });
  assert.equal(shown(threeSides("", "a\nb\n", "a\n"), "proposed"), "a\nb");
});

test("20,000 lines with a hundred changes are aligned", (t) => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `This is line ${index}.`);
  const proposed = lines.map((line, index) => (index % 200 === 0 ? `${line} Changed.` : line));
  const started = performance.now();
  const { rows, starts } = threeSides(lines.join("\n"), proposed.join("\n"), proposed.join("\n"));
  assert.equal(rows.length, 20_000);
  assert.equal(starts.length, 100);
  t.diagnostic(`aligned in ${Math.round(performance.now() - started)} ms`);
});
