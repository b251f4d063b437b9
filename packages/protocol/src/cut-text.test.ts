import assert from "node:assert/strict";
import { test } from "node:test";
import { cutText, cutTextCounted, endOf } from "./cut-text.ts";

test("a text that fits is shortened, or a long one is not marked as cut", () => {
  assert.equal(cutText("four", 4), "four");
  assert.equal(cutText("fives", 4), "five…");
  assert.equal(cutTextCounted("four", 4), "four");
  assert.equal(cutTextCounted("fives", 4), "five… (1 more characters)");
});

test("a cut text ends with half of a character", () => {
  assert.equal(cutText("ab😀", 3), "ab…");
  assert.equal(cutText("ab😀", 4), "ab😀");
  assert.equal(cutTextCounted("ab😀c", 3), "ab… (3 more characters)");
});

test("an end begins with half of a character, or is not the end", () => {
  assert.equal(endOf("abcdef", 3), "def");
  assert.equal(endOf("abc", 3), "abc");
  assert.equal(endOf("a😀bc", 3), "bc");
});
