import assert from "node:assert/strict";
import { test } from "node:test";
import { movedTo, treeStep } from "./tree-keys.ts";

const rows = [
  { level: 1, isOpen: true },
  { level: 2, isOpen: undefined },
  { level: 2, isOpen: undefined },
  { level: 1, isOpen: undefined },
];
const press = (at: number, key: string) => treeStep(rows, at, key);

test("up and down stay in the tree", () => {
  assert.deepEqual(press(0, "ArrowUp"), { do: "move", to: 0 });
  assert.deepEqual(press(3, "ArrowDown"), { do: "move", to: 3 });
  assert.deepEqual(press(0, "End"), { do: "move", to: 3 });
  assert.equal(movedTo("PageUp", 30, 20), 8);
});

test("right opens a folder, then goes into it; left goes out, then closes it", () => {
  assert.deepEqual(treeStep([{ level: 1, isOpen: false }], 0, "ArrowRight"), { do: "open" });
  assert.deepEqual(press(0, "ArrowRight"), { do: "move", to: 1 });
  assert.deepEqual(press(2, "ArrowLeft"), { do: "move", to: 0 });
  assert.deepEqual(press(0, "ArrowLeft"), { do: "close" });
  assert.equal(press(3, "ArrowLeft"), undefined);
  assert.equal(press(3, "ArrowRight"), undefined);
});

test("the first key press in a tree that nothing is chosen in goes to its first row", () => {
  assert.deepEqual(press(-1, "ArrowDown"), { do: "move", to: 0 });
  assert.equal(press(-1, "Enter"), undefined);
  assert.equal(treeStep([], -1, "ArrowDown"), undefined);
});

test("Enter and Space press a row, and other keys are left to others", () => {
  assert.deepEqual([press(1, "Enter"), press(1, " ")], [{ do: "press" }, { do: "press" }]);
  assert.equal(press(1, "x"), undefined);
});
