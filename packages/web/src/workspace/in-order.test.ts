import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "./in-order.ts";

test("an answer that was overtaken is shown, or a newer one is not", () => {
  const ask = inOrder();
  const [first, second, third] = [ask(), ask(), ask()];
  assert.equal(second(), false, "nothing newer has come");
  assert.equal(first(), true);
  assert.equal(third(), false);
  assert.equal(ask()(), false);
});
