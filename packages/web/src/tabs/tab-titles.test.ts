import assert from "node:assert/strict";
import { test } from "node:test";
import { folderHints, placeAfterDrop, untitled } from "./tab-titles.ts";

const tab = (path: string) => ({ title: path.split("/").at(-1) ?? path, path });

test("two tabs of the same name show their folders, others do not", () => {
  assert.deepEqual(folderHints([tab("a/notes.md"), tab("b/notes.md"), tab("one.md")]), ["a", "b", ""]);
});

test("as much of the folder as is needed", () => {
  const hints = folderHints([tab("x/a/notes.md"), tab("y/a/notes.md"), tab("notes.md")]);
  assert.deepEqual(hints, ["x/a", "y/a", "."]);
});

test("a document without a file has no folder", () => {
  assert.deepEqual(folderHints([{ title: "Untitled", path: null }, tab("Untitled")]), ["", "."]);
});

test("a tab lands where it was dropped", () => {
  assert.equal(placeAfterDrop(0, 2), 1);
  assert.equal(placeAfterDrop(2, 0), 0);
  assert.equal(placeAfterDrop(1, 1), 1);
});

test("a new document gets a name of its own", () => {
  assert.equal(untitled([]), "Untitled");
  assert.equal(untitled(["Untitled", "Untitled 2"]), "Untitled 3");
});
