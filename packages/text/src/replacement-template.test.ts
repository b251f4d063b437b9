import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { regexPattern } from "./pattern.ts";
import { groupTemplate, literalTemplate } from "./replacement-template.ts";

function replaced(text: string, query: string, replacement: string): string {
  const pattern = regexPattern(query, true);
  assert.ok(!isFault(pattern));
  const template = groupTemplate(replacement, pattern);
  assert.ok(!isFault(template), isFault(template) ? template.message : "");
  let result = "";
  let position = 0;
  pattern.search({ text, firstLine: 1, lines: 1 }, (hit) => {
    result += text.slice(position, hit.from) + template(hit, text.slice(hit.from, hit.to));
    position = hit.to;
    return true;
  });
  return result + text.slice(position);
}

test("a replacement means something else than in JavaScript", () => {
  const token = fc.constantFrom(
    "$",
    "$$",
    "$&",
    "$1",
    "$2",
    "$3",
    "$10",
    "$01",
    "$00",
    "$0",
    "$<",
    "$<n>",
    "x",
    "1",
    ">",
    "\n",
  );
  const replacement = fc.array(token, { maxLength: 6 }).map((tokens) => tokens.join(""));
  fc.assert(
    fc.property(replacement, fc.constantFrom("(a)(b)?", "a", "(?<n>a)(b)?"), (put, query) => {
      if (query.includes("<n>") && /\$<(?!n>)[^>]*>/.test(put)) return;
      assert.equal(replaced("xaby a", query, put), "xaby a".replace(new RegExp(query, "gu"), put));
    }),
    { numRuns: runs(2000) },
  );
});

test("more than nine groups cannot be told apart", () => {
  assert.equal(replaced("abcdefghijk", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", "$11$10$1"), "kja");
});

test("a group that does not exist silently becomes nothing", () => {
  const pattern = regexPattern("(?<year>\\d+)", true);
  assert.ok(!isFault(pattern));
  const template = groupTemplate("$<yaer>", pattern);
  assert.ok(isFault(template));
  assert.equal(template.error, "invalid_regex");
  assert.match(template.suggestion, /year/);
});

test("line breaks are not the document's", () => {
  const hit = { from: 0, to: 0, groups: [] };
  assert.equal(literalTemplate("a\r\nb\rc\nd")(hit, ""), "a\nb\nc\nd");
  assert.equal(replaced("x", "x", "a\r\nb"), "a\nb");
});
