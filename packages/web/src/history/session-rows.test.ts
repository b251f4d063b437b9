import assert from "node:assert/strict";
import { test } from "node:test";
import { movedBy, placeOfLeaf } from "./session-rows.ts";

// a ─ b ─┬ c ─ d
//        └ e ─ f
const nodes = [
  { entry_id: "a", parent_id: null, depth: 0, is_on_path: true },
  { entry_id: "b", parent_id: "a", depth: 0, is_on_path: true },
  { entry_id: "c", parent_id: "b", depth: 1, is_on_path: false },
  { entry_id: "d", parent_id: "c", depth: 1, is_on_path: false },
  { entry_id: "e", parent_id: "b", depth: 1, is_on_path: true },
  { entry_id: "f", parent_id: "e", depth: 1, is_on_path: true },
];

test("arrows go line by line and stop at the ends", () => {
  assert.equal(movedBy("ArrowDown", nodes, 0), 1);
  assert.equal(movedBy("ArrowDown", nodes, 5), 5);
  assert.equal(movedBy("ArrowUp", nodes, 0), 0);
  assert.equal(movedBy("End", nodes, 0), 5);
  assert.equal(movedBy("PageUp", nodes, 5), 0);
});

test("left goes to where a way was left, right to the next way", () => {
  assert.equal(movedBy("ArrowLeft", nodes, 3), 1);
  assert.equal(movedBy("ArrowLeft", nodes, 5), 1);
  assert.equal(movedBy("ArrowRight", nodes, 0), 2);
  assert.equal(movedBy("ArrowRight", nodes, 2), 4);
  assert.equal(movedBy("ArrowRight", nodes, 4), 4);
});

test("other keys are left to the browser, and an empty tree to itself", () => {
  assert.equal(movedBy("x", nodes, 0), undefined);
  assert.equal(movedBy("ArrowDown", [], 0), undefined);
});

test("the tree opens where the conversation goes on, also where that entry is filtered away", () => {
  assert.equal(placeOfLeaf(nodes, "e"), 4);
  assert.equal(placeOfLeaf(nodes, "hidden"), 5);
  assert.equal(placeOfLeaf([], null), 0);
});
