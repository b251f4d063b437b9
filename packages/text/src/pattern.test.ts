import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { type Content, type PatternMatch, plainPattern, regexPattern } from "./pattern.ts";

function contentOf(text: string): Content {
  const lines = text.split("\n");
  return {
    text,
    firstLine: 1,
    lines: lines.length > 1 && lines.at(-1) === "" ? lines.length - 1 : lines.length,
  };
}

function hits(
  text: string,
  query: string,
  caseSensitive = true,
  refuse: (hit: PatternMatch) => boolean = () => false,
): PatternMatch[] {
  const pattern = regexPattern(query, caseSensitive);
  assert.ok(!isFault(pattern), isFault(pattern) ? pattern.message : "");
  const found: PatternMatch[] = [];
  const fault = pattern.search(contentOf(text), (hit) => {
    if (refuse(hit)) return false;
    found.push(hit);
    return true;
  });
  assert.equal(fault, undefined, fault?.message);
  return found;
}

/** Each match as "position:text". */
function matchTexts(text: string, query: string, caseSensitive = true): string[] {
  return hits(text, query, caseSensitive).map(({ from, to }) => `${from}:${text.slice(from, to)}`);
}

/** What is refused when compiling or when searching. */
function refusal(text: string, query: string): Fault {
  const pattern = regexPattern(query, true);
  const fault = isFault(pattern) ? pattern : pattern.search(contentOf(text), () => true);
  assert.ok(isFault(fault), `${query} was searched for`);
  assert.equal(fault.error, "invalid_regex");
  return fault;
}

test("^ and $ mean the document instead of the line", () => {
  assert.deepEqual(matchTexts("ab\nb\n", "^b"), ["3:b"]);
  assert.deepEqual(matchTexts("ab\nb\n", "b$"), ["1:b", "3:b"]);
  assert.deepEqual(matchTexts("a\n\nb", "^$"), ["2:"]);
  assert.deepEqual(matchTexts("ab b", "[^a]+"), ["1:b b"]);
  assert.deepEqual(matchTexts("a\nb", "[^x]+"), ["0:a", "2:b"], "a line break is not part of a line");
});

test("a pattern with a line break does not match across lines", () => {
  assert.deepEqual(matchTexts("a\nb\nc\n", "a\\nb"), ["0:a\nb"]);
  assert.deepEqual(matchTexts("a\nb\nc\n", "^b\\n"), ["2:b\n"]);
  assert.deepEqual(matchTexts("a\n\n\nb", "\\n{2,}"), ["1:\n\n\n"]);
  assert.deepEqual(matchTexts("a\nb", "a\nb"), ["0:a\nb"]);
  assert.deepEqual(matchTexts("a\nb", "(?s)a.b"), ["0:a\nb"]);
  assert.deepEqual(matchTexts("a\\nb\nc", "a\\\\nb"), ["0:a\\nb"], "an escaped backslash before an n");
  for (const query of ["a\\r\\nb", "a\\r?\\nb", "a\r\nb", "a(?:\\r\\n?|\\n)b", "a[\\r\\n]b"]) {
    assert.deepEqual(matchTexts("a\nb", query), ["0:a\nb"], query);
  }
});

test("empty matches loop, or follow a match that they belong to", () => {
  assert.deepEqual(matchTexts("ab\nc", "^"), ["0:", "3:"]);
  assert.deepEqual(matchTexts("ab\nc", ".*"), ["0:ab", "3:c"]);
  assert.deepEqual(matchTexts("baac", "a*"), ["0:", "1:aa", "4:"]);
  assert.deepEqual(matchTexts("😀", "x*"), ["0:", "2:"]);
  assert.deepEqual(matchTexts("baac", "a*(?=c)"), ["1:aa"]);
  assert.deepEqual(matchTexts("😀c", "(?=c|😀)"), ["0:", "2:"]);
});

test("characters beyond the first plane shift what is found", () => {
  assert.deepEqual(matchTexts("😀b😀c", "b(.)"), ["2:b😀"]);
  assert.deepEqual(matchTexts("😀b😀c", "b(.)(?=c)"), ["2:b😀"]);
  assert.deepEqual(hits("😀b😀c", "b(.)")[0]?.groups, ["😀"]);
});

test("what JavaScript or Python know is not understood", () => {
  assert.deepEqual(matchTexts("it’s 😀 鯨", "\\u2019s"), ["2:’s"]);
  assert.deepEqual(matchTexts("it’s 😀 鯨", "\\u{1F600}|[\\uD83D\\uDE00]"), ["5:😀"]);
  assert.deepEqual(matchTexts("it’s 😀 鯨", "\\p{Script=Han}|\\P{gc=L}{9}"), ["8:鯨"]);
  assert.deepEqual(matchTexts("\\u2019", "\\\\u2019"), ["0:\\u2019"]);
  assert.deepEqual(matchTexts("white whale", "(?<=white )whale"), ["6:whale"]);
  assert.deepEqual(matchTexts("the the cat", "\\b(?<word>\\w+) \\k<word>\\b"), ["0:the the"]);
  assert.deepEqual(matchTexts("a1 b2", "[a-z](?!1)\\d"), ["3:b2"]);
  const pattern = regexPattern("(?P<year>\\d{4})-(?<month>\\d\\d)", true);
  assert.ok(!isFault(pattern));
  assert.deepEqual({ ...pattern.groupNames }, { year: 1, month: 2 });
  const looking = regexPattern("(a)[(](?:b)\\((?<c>c)(?<=x)(?=(d))", true);
  assert.ok(!isFault(looking));
  assert.deepEqual([looking.groupCount, { ...looking.groupNames }], [3, { c: 2 }]);
});

test("case matters where it should not", () => {
  assert.deepEqual(matchTexts("Whale WHALE", "whale", false), ["0:Whale", "6:WHALE"]);
  assert.deepEqual(matchTexts("AA aA ab", "(a)\\1", false), ["0:AA", "3:aA"]);
  assert.deepEqual(matchTexts("İ ĐẸP", "đẹp", false), ["2:ĐẸP"]);
});

test("a refused match hides the one that begins inside of it", () => {
  for (const query of ["aba", "aba(?=x|b|$)"]) {
    const found = hits("ababa", query, true, ({ from }) => from === 0);
    assert.deepEqual(
      found.map(({ from }) => from),
      [2],
      query,
    );
  }
});

test("the linear engine finds something else than JavaScript", () => {
  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "(a)", "(b|ab)", "(?:a|b)", "é", "😀");
  const part = fc.tuple(atom, fc.constantFrom("", "", "*", "+", "?", "{1,2}", "*?", "+?"));
  const source = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.flat().join(""));
  const anchored = fc
    .tuple(fc.constantFrom("", "^", "\\b"), source, fc.constantFrom("", "$", "|b"))
    .map((parts) => parts.join(""));
  const text = fc
    .array(fc.constantFrom("a", "b", " ", "é", "😀"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(anchored, text, (query, line) => {
      const expected: number[][] = [];
      for (const { 0: matched, index } of line.matchAll(new RegExp(query, "gu"))) {
        // JavaScript also reports the empty match right behind another one.
        if (matched !== "" || index !== expected.at(-1)?.[1]) expected.push([index, index + matched.length]);
      }
      assert.deepEqual(
        hits(line, query).map(({ from, to }) => [from, to]),
        expected,
      );
    }),
    { numRuns: runs(3000) },
  );
});

test("a pattern that is wrong is blamed on something else", () => {
  const reasons: [query: string, reason: RegExp][] = [
    ["(a", /missing closing \)/],
    ["[a", /missing closing \]/],
    ["a**", /nested repetition|invalid/],
    ["(?=(a", /Unterminated group/],
    ["\\k<x>(?=a)", /named reference|Invalid named/i],
    ["(?<=a", /missing|Unterminated/i],
  ];
  for (const [query, reason] of reasons) {
    const fault = refusal("", query);
    assert.match(fault.message, reason);
    assert.ok(!fault.message.includes("/gu"), fault.message);
  }
});

test("a pattern made to run forever does", () => {
  const text = "a".repeat(50_000);
  for (const query of ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b", "(a+)+b\\n", "(?<=(?:a+)+)b"]) {
    const started = performance.now();
    hits(text, query);
    assert.ok(performance.now() - started < 1000, query);
  }
});

test("a pattern made to run forever reaches the engine that backtracks", () => {
  const short = "a".repeat(30);
  for (const query of [
    "(?=(a+)+b)",
    "(a|aa)+(?=b)",
    "(?:a|b)*(?!c)",
    "((a?){20}){20}(?=b)",
    "(a+)\\1+(b*)*c",
  ]) {
    const fault = refusal(short, query);
    assert.match(fault.message, /could run forever/, query);
    assert.match(fault.suggestion, /in place of/);
  }
  for (const text of [short, "a".repeat(50_000)]) refusal(text, "(?=(a+)+b)");
  const long = "a".repeat(9000);
  const started = performance.now();
  for (const query of ["a*a*(?=b)", "(a*)\\1b", "a{0,500}a{0,500}(?=b)"]) {
    const fault = refusal(`short\n${long}`, query);
    assert.equal(fault.details.line, 2, query);
    assert.match(fault.message, /line 2 with its 9000 characters/);
  }
  assert.ok(performance.now() - started < 500);
});

test("a harmless look-ahead or reference is refused", () => {
  const line = "word ".repeat(1500);
  assert.equal(hits(line, "\\w+(?= )").length, 1500);
  assert.equal(hits(line, "\\b(\\w{1,30})\\s{1,3}\\1\\b").length, 750);
  assert.equal(hits(line.slice(0, 500), "\\b(\\w+) \\1\\b").length, 50);
  assert.equal(hits(line, "(?=.*d)(?=.*r)w").length > 0, true);
});

test("lines that are each harmless take forever together", () => {
  const text = `${"a".repeat(9000)}\n`.repeat(40);
  const started = performance.now();
  assert.match(refusal(text, "a*(?=b)").message, /took too long/);
  assert.ok(performance.now() - started < 3000);
});

test("reading to the end of the line again for each match takes forever", () => {
  const started = performance.now();
  assert.match(refusal("a".repeat(50_000), "a.*b|a").message, /took too long/);
  assert.ok(performance.now() - started < 2000);
});

test("a plain query is taken for a pattern when case is ignored", () => {
  const query = "^$.*+?()[]{}|/\\-";
  const found: PatternMatch[] = [];
  plainPattern(query, false).search(contentOf(`x${query}x`), (hit) => found.push(hit) > 0);
  assert.deepEqual(
    found.map(({ from, to }) => [from, to]),
    [[1, 1 + query.length]],
  );
});
