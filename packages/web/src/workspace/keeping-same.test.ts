import assert from "node:assert/strict";
import { test } from "node:test";
import { keepingSame } from "./keeping-same.ts";

test("what is read again and is the same stays the same object", () => {
  const before = [
    { key: "a", text: "one" },
    { key: "b", decided: 0 },
  ];
  const after = keepingSame(before, [
    { key: "a", text: "one" },
    { key: "b", decided: 1 },
    { key: "c", text: "new" },
  ]);
  assert.equal(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
  assert.equal(after.length, 3);
});
