import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type FindOptions, planReplace } from "./find.ts";

const text = Text.of([
  "Call me Ishmael.",
  "It’s the white whale — “Moby”.",
  "Whales, whalers.",
  "Tiê\u0301ng Việt",
  "",
]);

function missed(query: string, options: FindOptions = {}): Fault {
  const fault = planReplace(text, query, "x", options);
  assert.ok(isFault(fault), "something was replaced");
  assert.equal(fault.error, "no_match");
  return fault;
}

test("a wrong case goes unnoticed", () => {
  assert.deepEqual(missed("ishmael").details.ignoring_case, { count: 1, line: 1 });
});

test("a match inside of words goes unnoticed", () => {
  assert.deepEqual(missed("hale", { wholeWord: true }).details.inside_words, { count: 3, line: 2 });
});

test("a match outside of the scope goes unnoticed", () => {
  const fault = missed("whale", { scope: { fromLine: 1, toLine: 1 } });
  assert.deepEqual(fault.details.outside_scope, { count: 2, line: 2 });
  assert.match(fault.message, /in lines 1-1/);
});

test("other quotation marks, dashes, spaces or accents go unnoticed", () => {
  for (const query of ["It's the", 'whale - "Moby"', "the  white\u00a0whale"]) {
    const [similar] = missed(query).details.similar_lines as { line: number; text: string }[];
    assert.equal(similar?.line, 2, query);
    assert.equal(similar?.text, "It’s the white whale — “Moby”.");
  }
  const [composed] = missed("Tiếng").details.similar_lines as { line: number; text: string }[];
  assert.equal(composed?.line, 4);
});

test("a search for what is not there at all promises something", () => {
  const fault = missed("Nemo");
  assert.deepEqual(fault.details, { query: "Nemo" });
  assert.match(fault.message, /^Nothing in the document matches "Nemo"\.$/);
  assert.deepEqual(missed("N.mo", { isRegex: true }).details, { query: "N.mo" });
});
