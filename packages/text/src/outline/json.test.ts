import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type Outline, type OutlineItem, outlineOf } from "./outline.ts";

function listed(items: readonly OutlineItem[]): string[] {
  return items.flatMap((item) => [
    `${"  ".repeat(item.level - 1)}${item.title} ${item.line_start}-${item.line_end ?? ""}`,
    ...listed(item.children ?? []),
  ]);
}

const outlined = (lines: readonly string[], maxDepth = 3): Promise<Outline> =>
  outlineOf(Text.of([...lines]), "json", { maxDepth });

test("keys and indices, with the lines of their values", async () => {
  const lines = [
    "{",
    '  "a": 1,',
    '  "b": {',
    '    "c": [',
    "      1,",
    '      { "d": 2 }',
    "    ]",
    "  },",
    '  "e\\tf": null',
    "}",
  ];
  const outline = await outlined(lines);
  assert.equal(outline.detection_method, "keys");
  assert.equal(outline.detection_confidence, undefined);
  assert.deepEqual(listed(outline.outline), [
    "a 1-1",
    "b 2-7",
    "  c 3-6",
    "    [0] 4-4",
    "    [1] 5-5",
    "e f 8-8",
  ]);
  assert.deepEqual(listed((await outlined(lines, 1)).outline), ["a 1-1", "b 2-7", "e f 8-8"]);
});

test("an array at the top", async () => {
  assert.deepEqual(listed((await outlined(["[1,", '{"a": 2}]'])).outline), ["[0] 0-0", "[1] 1-1", "  a 1-1"]);
});

test("comments and trailing commas are no faults", async () => {
  const outline = await outlined(["{ // note", '"a": [1,],', "/* b */", "}"]);
  assert.equal(outline.detection_confidence, undefined);
  assert.deepEqual(listed(outline.outline), ["a 1-1", "  [0] 1-1"]);
});

const broken: [name: string, lines: string[], expected: string[]][] = [
  ["the end is missing", ['{ "a": 1,', '"b": {', '"c": 2'], ["a 0-0", "b 1-", "  c 2-2"]],
  ["a comma is missing", ['{ "a": 1', '"b": 2 }'], ["a 0-0", "b 1-1"]],
  ["a bracket is missing", ['{ "a": [1,', "2 }", ""], ["a 0-1", "  [0] 0-0", "  [1] 1-1"]],
  ["keys without quotes", ["{ a: 1,", "'b': 2 }"], ["a 0-0", "b 1-1"]],
  ["a bracket too many", ['{ "a": 1 ]', ', "b": 2 }'], ["a 0-0", "b 1-1"]],
  ["a value is missing", ['{ "a": , "b" }'], ["a 0-0", "b 0-0"]],
];

for (const [name, lines, expected] of broken) {
  test(`broken JSON still shows its keys: ${name}`, async () => {
    const outline = await outlined(lines);
    assert.deepEqual(listed(outline.outline), expected);
    assert.equal(outline.detection_confidence, "low");
    assert.match(outline.note ?? "", /not valid JSON/);
  });
}

test("of a long array the first items are listed, with a note", async () => {
  const outline = await outlined(["[", ...Array.from({ length: 5_000 }, () => '{ "a": 1 },'), "0]"]);
  assert.equal(outline.outline.length, 2_000);
  assert.ok(outline.outline.every((item) => item.children === undefined));
  assert.match(outline.note ?? "", /2000/);
});
