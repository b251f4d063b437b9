import assert from "node:assert/strict";
import test from "node:test";
import { isFault } from "@stet/protocol/fault";
import { must, refused } from "@stet/testkit/workspace";
import { parseSelector } from "./selector.ts";

const cases: readonly (readonly [
  path: string,
  rest: string,
  from: number,
  to: number | undefined,
  isRaw: boolean,
])[] = [
  ["a.ts:50", "a.ts", 50, undefined, false],
  ["a.ts:L50", "a.ts", 50, undefined, false],
  ["a.ts:5-9", "a.ts", 5, 9, false],
  ["a.ts:L5-L9", "a.ts", 5, 9, false],
  ["a.ts:5+3", "a.ts", 5, 7, false],
  ["a.ts:L5+L3", "a.ts", 5, 7, false],
  ["a.ts:5-9:raw", "a.ts", 5, 9, true],
  ["a.ts:raw:5-9", "a.ts", 5, 9, true],
  ["a.zip:in/b.ts:5-5", "a.zip:in/b.ts", 5, 5, false],
];

for (const [path, rest, from, to, isRaw] of cases) {
  test(`${path} is understood as lines of ${rest}`, () => {
    assert.deepEqual(must(parseSelector(path)), { path: rest, selector: { from, to }, isRaw });
  });
}

test("raw alone has no range, and a path without a selector stays whole", () => {
  assert.deepEqual(parseSelector("a.ts:raw"), { path: "a.ts", selector: undefined, isRaw: true });
  for (const path of [
    "a.ts",
    "a:b.ts",
    "db.sqlite:users:key",
    "a.ts:5-",
    "a.ts:x-y",
    "artifact://3",
    ":50",
  ]) {
    assert.deepEqual(parseSelector(path), { path, selector: undefined, isRaw: false });
  }
});

test("line 0 is refused with the line that is meant", () => {
  const fault = refused(parseSelector("a.ts:0"));
  assert.equal(fault.error, "invalid_line_range");
  assert.equal(fault.message, "Line selector 0 is invalid; lines are 1-indexed. Use :1.");
});

test("a count of nothing and a range that ends before it starts are refused", () => {
  for (const path of [
    "a.ts:5+0",
    "a.ts:9-5",
    "a.ts:9-0",
    "a.ts:0-5",
    "a.ts:0+5",
    "a.ts:9-5:raw",
    "a.ts:raw:0",
  ]) {
    const fault = refused(parseSelector(path));
    assert.ok(isFault(fault) && fault.error === "invalid_line_range", path);
    assert.match(fault.suggestion, /:\d/);
  }
});
