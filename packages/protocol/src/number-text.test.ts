import assert from "node:assert/strict";
import { test } from "node:test";
import { numberText } from "./number-text.ts";

test("thousands stand apart, as English writes them", () => {
  for (const number of [0, 7, 999, 1000, 12_345, 1_234_567, -4321]) {
    assert.equal(numberText(number), number.toLocaleString("en-US"));
  }
});
