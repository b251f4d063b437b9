import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTree, treeRows } from "./file-tree.ts";
import { stepOf } from "./tree-keys.ts";

const tree = buildTree(["a/one.md", "a/two.md", "b.md"]);
const rows = treeRows(tree, () => true);
const press = (at: number, key: string, shiftKey = false) => stepOf(rows, at, { key, shiftKey });

test("up and down stay in the tree", () => {
  assert.deepEqual(press(0, "ArrowUp"), { do: "move", to: 0 });
  assert.deepEqual(press(3, "ArrowDown"), { do: "move", to: 3 });
  assert.deepEqual(press(0, "End"), { do: "move", to: 3 });
});

test("right opens a folder, then goes into it; left goes out, then closes it", () => {
  const closed = treeRows(tree, () => false);
  assert.equal(stepOf(closed, 0, { key: "ArrowRight", shiftKey: false })?.do, "open");
  assert.deepEqual(press(0, "ArrowRight"), { do: "move", to: 1 });
  assert.deepEqual(press(2, "ArrowLeft"), { do: "move", to: 0 });
  assert.equal(press(0, "ArrowLeft")?.do, "close");
  assert.equal(press(3, "ArrowLeft"), undefined);
});

test("the first key press in a tree that nothing is chosen in goes to its first row", () => {
  assert.deepEqual(press(-1, "ArrowDown"), { do: "move", to: 0 });
  assert.equal(press(-1, "Delete"), undefined);
});

test("the menu opens by its key and by Shift-F10", () => {
  assert.equal(press(1, "ContextMenu")?.do, "menu");
  assert.equal(press(1, "F10", true)?.do, "menu");
  assert.equal(press(1, "F10"), undefined);
});
