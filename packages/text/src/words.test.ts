import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { diffWords, type WordChange } from "./words.ts";

/** `[-removed-]{+added+}`, with what stays as it is. */
function formatted(changes: readonly WordChange[]): string {
  return changes
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");
}

function assertWhole(before: string, after: string, changes: readonly WordChange[]): void {
  const without = (left: WordChange["kind"]) =>
    changes.map((change) => (change.kind === left ? "" : change.text)).join("");
  assert.equal(without("added"), before);
  assert.equal(without("removed"), after);
  for (const [index, change] of changes.entries()) {
    const previous = changes[index - 1];
    assert.notEqual(change.text, "");
    assert.notEqual(previous?.kind, change.kind, "two runs of one kind side by side");
    assert.ok(previous?.kind !== "added" || change.kind === "same", "added before removed");
  }
}

/** The best of three counts: other programs on the machine must not fail a test. */
function timed<T>(limit: number, run: () => T): T {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; ; attempt += 1) {
    const started = performance.now();
    const result = run();
    best = Math.min(best, performance.now() - started);
    if (best < limit) return result;
    assert.ok(attempt < 2, `took ${best.toFixed(0)} ms; the limit is ${limit}`);
  }
}

const cases: [name: string, before: string, after: string, expected: string][] = [
  [
    "two replaced words show as two changes",
    "a big red dog",
    "a small green dog",
    "a [-big red-]{+small green+} dog",
  ],
  ["a replaced word takes its neighbours along", "I have a cat.", "I had a cat.", "I [-have-]{+had+} a cat."],
  ["an added word splits the space around it", "a dog", "a big dog", "a {+big +}dog"],
  ["a removed word leaves two spaces behind", "a big dog", "a dog", "a [-big -]dog"],
  ["fewer words than before do not join", "big red dog", "small dog", "[-big red-]{+small+} dog"],
  ["a comma drags its word along", "yes he said", "yes, he said", "yes{+,+} he said"],
  ["an apostrophe splits a word", "can't stop", "cannot stop", "[-can't-]{+cannot+} stop"],
  [
    "Vietnamese syllables are torn at their accents",
    "Tiếng Việt đẹp",
    "Tiếng Anh đẹp",
    "Tiếng [-Việt-]{+Anh+} đẹp",
  ],
  ["Chinese is one long word", "我喜欢猫和狗", "我喜欢猫和鱼", "我喜欢猫和[-狗-]{+鱼+}"],
  ["a family emoji is torn apart", "so 👨‍👩‍👧 happy", "so 👨‍👩‍👦 happy", "so [-👨‍👩‍👧-]{+👨‍👩‍👦+} happy"],
  [
    "a rewrapped line looks rewritten",
    "one two\nthree",
    "one\ntwo three",
    "one[- -]{+\n+}two[-\n-]{+ +}three",
  ],
  [
    "a change runs over an empty line",
    "Title\n\nText",
    "Head\n\nWords",
    "[-Title-]{+Head+}\n\n[-Text-]{+Words+}",
  ],
  ["space at the end is lost", "word ", "word", "word[- -]"],
];

for (const [name, before, after, expected] of cases) {
  test(name, () => {
    const changes = diffWords(before, after);
    assert.equal(formatted(changes), expected);
    assertWhole(before, after, changes);
  });
}

test("the same or no text shows changes", () => {
  assert.deepEqual(diffWords("", ""), []);
  assert.deepEqual(diffWords("a b", "a b"), [{ kind: "same", text: "a b" }]);
  assert.deepEqual(diffWords("", "a"), [{ kind: "added", text: "a" }]);
});

test("the parts of a change do not add up to the two texts", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "Ahab",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    ",",
    ".",
    "é",
    "e\u0301",
    "😀",
    "鯨",
    "\u00a0",
  );
  const prose = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(prose, prose, (before, after) => assertWhole(before, after, diffWords(before, after))),
    { numRuns: runs(2000) },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) =>
      assertWhole(before, after, diffWords(before, after)),
    ),
  );
});

test("three words in a paragraph of thousands show as more than three words", () => {
  const words = Array.from(
    { length: 6000 },
    (_, index) => ["the", "whale", "sea", `w${index % 700}`, "of"][index % 5] ?? "",
  );
  const changed = [...words];
  for (const at of [100, 2500, 5900]) changed[at] = `new${at}`;
  const changes = timed(300, () => diffWords(words.join(" "), changed.join(" ")));
  assert.deepEqual(
    changes.filter(({ kind }) => kind !== "same").map(({ text }) => text),
    [100, 2500, 5900].flatMap((at) => [words[at], `new${at}`]),
  );
});

test("two changed words at the ends of a book show the whole book as rewritten", (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const book = `First ${readFileSync(path, "utf8")} last`;
  const changed = `Second ${book.slice(6, -4)}best`;
  const changes = timed(1000, () => diffWords(book, changed));
  assertWhole(book, changed, changes);
  assert.deepEqual(
    changes.filter(({ kind }) => kind !== "same").map(({ text }) => text),
    ["First", "Second", "last", "best"],
  );
});

test("a passage without any word in common hangs the view", () => {
  const many = (word: string) => Array.from({ length: 60_000 }, (_, index) => `${word}${index}`).join(" ");
  const changes = timed(1000, () => diffWords(many("a"), many("b")));
  assert.equal(changes.length, 2);
});

test("a book of which every line changed hangs the view", () => {
  const book = (word: string) =>
    Array.from({ length: 40_000 }, (_, index) => `the ${word}${index} of it\n`).join("");
  const changes = timed(1000, () => diffWords(book("whale"), book("fish")));
  assertWhole(book("whale"), book("fish"), changes);
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["removed", "added", "same"],
  );
});
