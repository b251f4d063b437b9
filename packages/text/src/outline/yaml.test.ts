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
  outlineOf(Text.of([...lines]), "yaml", { maxDepth });

test("keys and items, with the lines of their values and not the comments behind them", async () => {
  const lines = [
    "# top",
    "a: 1",
    "b:",
    "  c: |",
    "    text",
    "",
    "    more",
    "",
    "  # about d",
    "  d: [1, {x: y}]",
    '"e: f": &e',
    "- p: 1",
    "  q: 2",
    "- *e",
    "last:",
  ];
  const outline = await outlined(lines);
  assert.equal(outline.detection_method, "keys");
  assert.equal(outline.detection_confidence, undefined);
  assert.deepEqual(listed(outline.outline), [
    "a 1-1",
    "b 2-9",
    "  c 3-6",
    "  d 9-9",
    "    [0] 9-9",
    "    [1] 9-9",
    "e: f 10-13",
    "  [0] 11-12",
    "    p 11-11",
    "    q 12-12",
    "  [1] 13-13",
    "last 14-",
  ]);
});

test("several documents are one level more", async () => {
  const outline = await outlined(["a: 1", "---", "b:", "  c: 2", "---", "- x", ""]);
  assert.deepEqual(listed(outline.outline), [
    "Document 1 0-0",
    "  a 0-0",
    "Document 2 1-3",
    "  b 2-3",
    "    c 3-3",
    "Document 3 4-",
    "  [0] 5-",
  ]);
});

test("one document with a start and an end is not several", async () => {
  assert.deepEqual(listed((await outlined(["---", "a: 1", "..."])).outline), ["a 1-1"]);
});

test("aliases are names, not what they stand for", async () => {
  const bomb = ["a0: &a0 [x, x]"];
  for (let index = 1; index < 40; index += 1) {
    bomb.push(`a${index}: &a${index} [${Array.from({ length: 9 }, () => `*a${index - 1}`).join(", ")}]`);
  }
  const outline = await outlined(bomb);
  assert.equal(outline.outline.length, 40);
  assert.equal(outline.outline[1]?.children?.length, 9);
});

for (const lines of [
  ["a: b: c", "d: 1"],
  ["a: 'open", "d: 1"],
  ["a: [1, 2", "d: 1"],
  ["a:", "\t- x", "d: 1"],
]) {
  test(`broken YAML still shows its keys: ${lines[0]}`, async () => {
    const outline = await outlined(lines);
    assert.deepEqual(
      outline.outline.map(({ title }) => title),
      ["a", "d"],
    );
    assert.equal(outline.detection_confidence, "low");
    assert.match(outline.note ?? "", /not valid YAML/);
  });
}

test("a large file is read by its indentation", async () => {
  const start = [
    "a: 1",
    "http://x.y/z: 2",
    "text: |",
    "  not: a key",
    "list:",
    "- name: x",
    "  b: 2",
    "-  c: 3",
    "deep:",
    "  deeper:",
    "    - 1",
    "# note",
    '"q r": 1',
    "rest:",
  ];
  const outline = await outlined([
    ...start,
    ...Array.from({ length: 30_000 }, (_, index) => `  # note ${index}`),
    "end: 1",
  ]);
  assert.equal(outline.detection_confidence, "medium");
  assert.deepEqual(listed(outline.outline).slice(0, 14), [
    "a 0-0",
    "http://x.y/z 1-1",
    "text 2-3",
    "list 4-7",
    "  [0] 5-6",
    "    name 5-5",
    "    b 6-6",
    "  [1] 7-7",
    "    c 7-7",
    "deep 8-11",
    "  deeper 9-11",
    "    [0] 10-11",
    "q r 12-12",
    "rest 13-30013",
  ]);
  assert.equal(outline.outline.at(-1)?.title, "end");
});
