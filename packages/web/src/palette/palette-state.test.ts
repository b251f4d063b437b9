import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, readQuery, recentFirst } from "./palette-state.ts";

test("the first letter says what is looked for", () => {
  assert.deepEqual(readQuery("> save"), { mode: "commands", query: "save" });
  assert.deepEqual(readQuery("@intro"), { mode: "headings", query: "intro" });
  assert.deepEqual(readQuery(":12"), { mode: "line", query: "12" });
  assert.deepEqual(readQuery("notes"), { mode: "files", query: "notes" });
});

test("a line that the document does not have is the nearest that it has", () => {
  assert.equal(lineOf("12", 100), 12);
  assert.equal(lineOf("0", 100), 1);
  assert.equal(lineOf("5000", 100), 100);
  assert.equal(lineOf("x", 100), undefined);
});

test("what was used last comes first, the rest keeps its order", () => {
  assert.deepEqual(
    recentFirst(["a", "b", "c", "d"], (id) => id, ["c", "gone", "b"]),
    ["c", "b", "a", "d"],
  );
});
