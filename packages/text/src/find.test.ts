import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { type FindOptions, type FoundMatches, findMatches, planReplace, type ReplacePlan } from "./find.ts";
import { changeOf } from "./lines.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function found(content: string, query: string, options: FindOptions = {}): FoundMatches {
  const result = findMatches(textOf(content), query, options);
  assert.ok(!isFault(result), isFault(result) ? result.message : "");
  return result;
}

/** Each match as "line:text". */
function matchTexts(content: string, query: string, options: FindOptions = {}): string[] {
  return found(content, query, options).matches.map(
    ({ from, to, line }) => `${line}:${content.slice(from, to)}`,
  );
}

function planned(
  content: string,
  query: string,
  replacement: string,
  options: FindOptions = {},
): ReplacePlan {
  const plan = planReplace(textOf(content), query, replacement, options);
  assert.ok(!isFault(plan), isFault(plan) ? plan.message : "");
  return plan;
}

/** The content after the replacements, and after the splices, which must be the same. */
function replaced(content: string, query: string, replacement: string, options: FindOptions = {}): string {
  const text = textOf(content);
  const plan = planned(content, query, replacement, options);
  const bySplices = changeOf(text, plan.splices).apply(text).toString();
  let byReplacements = "";
  let position = 0;
  for (const { from, to, insert } of plan.replacements) {
    byReplacements += content.slice(position, from) + insert;
    position = to;
  }
  byReplacements += content.slice(position);
  assert.equal(bySplices, byReplacements, "splices and replacements differ");
  return bySplices;
}

function faultOf(result: unknown): Fault {
  assert.ok(isFault(result), "no fault");
  return result;
}

test("plain text is taken for a pattern, or found at the wrong place", () => {
  assert.deepEqual(found("a.b\nab a.b\n", "a.b"), {
    matches: [
      { from: 0, to: 3, line: 1 },
      { from: 7, to: 10, line: 2 },
    ],
    total: 2,
  });
  assert.deepEqual(matchTexts("aaaa", "aa"), ["1:aa", "1:aa"], "matches do not overlap");
  assert.deepEqual(matchTexts("", "a"), []);
});

test("ignoring case shifts what is found behind a letter that grows", () => {
  assert.deepEqual(found("İİ Straße ΣΊΣΥΦΟΣ STRASSE", "straße", { caseSensitive: false }).matches, [
    { from: 3, to: 9, line: 1 },
  ]);
  assert.deepEqual(matchTexts("İİ σίσυφος ΣΊΣΥΦΟΣ", "σίσυφοσ", { caseSensitive: false }), [
    "1:σίσυφος",
    "1:ΣΊΣΥΦΟΣ",
  ]);
  assert.deepEqual(matchTexts("😀İ[A] [a]", "[a]", { caseSensitive: false }), ["1:[A]", "1:[a]"]);
  assert.deepEqual(matchTexts("ĐẸP đẹp", "Đẹp", { caseSensitive: false }), ["1:ĐẸP", "1:đẹp"]);
});

test("a query with a line break is not found, whichever break it has", () => {
  for (const query of ["b\nc", "b\r\nc", "b\rc"]) {
    assert.deepEqual(found("a\nb\nc\n", query).matches, [{ from: 2, to: 5, line: 2 }]);
    assert.deepEqual(found("a\r\nb\r\nc\n", query).matches, [{ from: 3, to: 7, line: 2 }]);
  }
});

test("the place behind the last line break counts as a line", () => {
  assert.deepEqual(matchTexts("a\n\n", "(?s)$", { isRegex: true }), ["1:", "2:"]);
  assert.deepEqual(matchTexts("a\n\n", "^\\n?", { isRegex: true }), ["1:", "2:\n"]);
  assert.deepEqual(matchTexts("", "^|(?s)$", { isRegex: true }), []);
});

test("half of an emoji matches", () => {
  assert.deepEqual(matchTexts("😀", "\ud83d"), []);
  assert.deepEqual(matchTexts("😀", "\ude00", { caseSensitive: false }), []);
});

test("the maximum hides how many matches there are", () => {
  const result = found("a a a a", "a", { max: 2 });
  assert.deepEqual([result.matches.length, result.total], [2, 4]);
  assert.equal(replaced("a a a a", "a", "b", { max: 1 }), "b a a a");
  assert.equal(planned("a a a a", "a", "b", { max: 1 }).matchesFound, 4);
});

test("a scope lets matches outside of it through", () => {
  const content = "a\na\n\na\na\n";
  const scope = { fromLine: 2, toLine: 4 };
  assert.deepEqual(matchTexts(content, "a", { scope }), ["2:a", "4:a"]);
  assert.deepEqual(matchTexts(content, "^.*$", { scope, isRegex: true }), ["2:a", "3:", "4:a"]);
  assert.equal(replaced(content, "a", "b", { scope }), "a\nb\n\nb\na\n");
  assert.equal(replaced(content, "\n", "-", { scope: { fromLine: 1, toLine: 2 } }), "a-a\n\na\na\n");
  assert.deepEqual(matchTexts("a\n\nb", "^$", { isRegex: true, scope: { fromLine: 1, toLine: 2 } }), ["2:"]);
});

test("a scope outside of the document searches something else", () => {
  for (const [fromLine, toLine] of [
    [0, 1],
    [1, 3],
    [2, 1],
    [1.5, 2],
    [3, 3],
  ] as const) {
    const fault = faultOf(findMatches(textOf("a\nb\n"), "a", { scope: { fromLine, toLine } }));
    assert.equal(fault.error, "invalid_line_range");
    assert.deepEqual(fault.details, { requested_start: fromLine, requested_end: toLine, document_lines: 2 });
  }
});

test("an empty query matches everywhere", () => {
  assert.equal(faultOf(findMatches(textOf("a"), "")).error, "content_required");
  assert.equal(faultOf(planReplace(textOf("a"), "", "b", { isRegex: true })).error, "content_required");
});

test("a whole word is found inside of another", () => {
  const content = "Ahab Ahab's Ahab-like Ahabs Ahabé Ahabe\u0301 Ahab_ _Ahab 2Ahab Ahab\u0301 (Ahab)";
  const offsets = found(content, "Ahab", { wholeWord: true }).matches.map(({ from }) => from);
  assert.deepEqual(offsets, [0, 5, 12, content.length - 5]);
  assert.deepEqual(
    matchTexts("aa-a-a", "a-a", { wholeWord: true }),
    ["1:a-a"],
    "behind a match that is refused",
  );
  assert.deepEqual(matchTexts("foos foo", "fo+", { wholeWord: true, isRegex: true }), ["1:foo"]);
});

test("a replacement in a file with mixed line ends loses or doubles them", () => {
  assert.deepEqual(matchTexts("foo\r\nfoo\n", "o$", { isRegex: true }), ["1:o", "2:o"]);
  assert.equal(replaced("foo\r\nfoo\n", "o$", "x", { isRegex: true }), "fox\r\nfox\n");
  assert.equal(replaced("foo\r\nfoo\n", "foo", "a\nb"), "a\r\nb\r\na\nb\n");
  assert.equal(replaced("a\r\nfoo", "foo", "b\r\nc"), "a\r\nb\r\nc");
  assert.equal(replaced("a\r\nb\nc", "a\nb", "x\ny"), "x\r\ny\nc");
  assert.equal(replaced("a\r\nb\nc", "\n", " "), "a b c");
  assert.deepEqual(matchTexts("foo\r\nbar", "foo", { wholeWord: true }), ["1:foo"]);
});

test("a replacement's dollar signs mean something in a plain search", () => {
  assert.equal(replaced("a", "a", "$& $1 $$"), "$& $1 $$");
});

test("a replacement's line breaks are not line breaks", () => {
  assert.equal(replaced("a b", " ", "\r\n"), "a\nb");
  assert.equal(replaced("a b", " ", "\r"), "a\nb");
});

test("text that cannot be saved gets into the document", () => {
  assert.equal(faultOf(planReplace(textOf("a"), "a", "\0")).error, "invalid_arguments");
});

test("the splices take along lines that stay as they are", () => {
  const content = "a\nfoo\nfoo foo\nb\nc\nfoo\n";
  assert.deepEqual(planned(content, "foo", "x").splices, [
    { at: 1, removed: 2, lines: ["x", "x x"] },
    { at: 5, removed: 1, lines: ["x"] },
  ]);
  assert.deepEqual(planned(content, "foo\n", "").splices, [
    { at: 1, removed: 3, lines: ["foo b"] },
    { at: 5, removed: 1, lines: [] },
  ]);
  assert.deepEqual(planned("a\nb", "a", "a").splices, []);
});

test("the splices lead to another document than the replacements", () => {
  const content = fc
    .array(fc.constantFrom("a", "b", "aa", " ", "\n", "\r\n", "é", "😀"))
    .map((parts) => parts.join(""));
  const query = fc.constantFrom("a", "aa", "\n", "a\n", "\na", "b", "😀", "\n\n");
  const replacement = fc.constantFrom("", "x", "a", "\n", "x\ny", "\n\n");
  fc.assert(
    fc.property(content, query, replacement, (before, wanted, put) => {
      if (found(before, wanted).total === 0) return;
      const after = replaced(before, wanted, put);
      if (!before.includes("\r"))
        assert.equal(
          after,
          before.replaceAll(wanted, () => put),
        );
    }),
    { numRuns: runs(3000) },
  );
});

test("the matches are not those of the naive search", () => {
  const content = fc
    .array(fc.constantFrom("a", "b", "A", "\n", "é", "İ", "😀"))
    .map((parts) => parts.join(""));
  const query = fc
    .array(fc.constantFrom("a", "b", "A", "\n", "İ", "😀"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(content, query, (text, wanted) => {
      const expected: number[] = [];
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
        expected.push(at);
      const result = found(text, wanted).matches;
      assert.deepEqual(
        result.map(({ from }) => from),
        expected,
      );
      for (const { from, line } of result) assert.equal(line, textOf(text).lineAt(from).number);
    }),
    { numRuns: runs(2000) },
  );
});

function book(t: TestContext): string | undefined {
  const path = testData(t, "books/moby-dick.txt");
  return path === undefined ? undefined : readFileSync(path, "utf8").replaceAll("\r\n", "\n");
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

test("a search in a whole book takes noticeable time", (t) => {
  const content = book(t);
  if (content === undefined) return;
  const text = textOf(content);
  findMatches(text, "warm up");
  for (const options of [{}, { caseSensitive: false }, { wholeWord: true }]) {
    const result = timed(100, () => findMatches(text, "whale", options));
    assert.ok(!isFault(result) && result.total > 500);
  }
});

test("replacing tens of thousands of matches in a book takes seconds", (t) => {
  const content = book(t);
  if (content === undefined) return;
  const text = textOf(content);
  const plan = timed(1000, () => planReplace(text, "e", "ee"));
  assert.ok(!isFault(plan) && plan.matchesFound > 100_000);
  const after = changeOf(text, plan.splices).apply(text).toString();
  assert.ok(after === content.replaceAll("e", "ee"));
  const changes = plan.replacements.map(({ from, to, insert }) => ({ from, to, insert }));
  assert.ok(ChangeSet.of(changes, text.length).apply(text).toString() === after);
});

test("many matches in one endless line take seconds", () => {
  const text = textOf("word ".repeat(200_000));
  const plan = timed(1500, () => planReplace(text, "word", "words", { wholeWord: true }));
  assert.ok(!isFault(plan) && plan.matchesFound === 200_000 && plan.splices.length === 1);
});
