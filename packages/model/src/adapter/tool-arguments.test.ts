import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { parseArguments } from "./tool-arguments.ts";

function parsed(text: string) {
  const result = parseArguments(text, false);
  assert.ok(result.valid, result.valid ? "" : `${text}: ${result.problem}`);
  return result.arguments;
}

test("JSON that can be mended in one way only is mended", () => {
  const cases: [string, unknown][] = [
    ['{"path": "a.md", "lines": [1, 2,],}', { path: "a.md", lines: [1, 2] }],
    ["{'path': 'a.md', 'all': True, 'from': None}", { path: "a.md", all: true, from: null }],
    ['{path: "a.md"}', { path: "a.md" }],
    ['```json\n{"path": "a.md"}\n```', { path: "a.md" }],
    ['{"text": "one\ntwo"}', { text: "one\ntwo" }],
    ['"{\\"path\\": \\"a.md\\"}"', { path: "a.md" }],
  ];
  for (const [text, expected] of cases) assert.deepEqual(parsed(text), expected, text);
});

test("what is cut off, doubtful, or no object at all is refused and never completed", () => {
  const refused = [
    '{"path": "a.md", "text": "Once upon',
    '{"path": "a.md", "text": "Once upon"',
    '{"path": "a.md", "edits": [{"line": 1}',
    '{"path": "a.md", "text": "Once}',
    '{"path": "a.md", "line": ',
    '{"text": "she said "yes" and left"}',
    '{"pattern": "\\d+"}',
    '{"path": "a.md"} {"path": "b.md"}',
    '{"path": "a.md"}}',
    "[1, 2]",
    '"text"',
    "null",
    "{}",
    "",
  ];
  for (const text of refused) {
    const result = parseArguments(text, false);
    assert.equal(result.valid, false, text);
  }
  assert.deepEqual(parseArguments("  ", true), { valid: true, arguments: {}, mended: false });
});

test("no prefix of a call ever becomes a call", () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
  fc.assert(
    fc.property(json, fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parsed(text), JSON.parse(text));
      const prefix = text.slice(0, cut % text.length);
      assert.equal(parseArguments(prefix, false).valid, false, prefix);
    }),
    { numRuns: runs(500) },
  );
});
