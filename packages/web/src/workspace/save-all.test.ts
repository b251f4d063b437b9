import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { changedPaths, savedWords } from "./save-all.ts";

test("however many files are saved, it is said in one sentence", () => {
  assert.equal(savedWords([], 0), "Everything is saved already.");
  assert.equal(savedWords(["novel.md"], 0), "novel.md is saved.");
  assert.equal(
    savedWords(["novel.md"], 1),
    "novel.md is saved. One change is still open and not in the file.",
  );
  assert.equal(
    savedWords(["a", "b"], 3),
    "2 files are saved. 3 changes are still open and not in the files.",
  );
  assert.equal(savedWords(["novel.md"], 0, 5), "novel.md is saved. 5 other files are not.");
  assert.equal(savedWords(["novel.md"], 0, 1), "novel.md is saved. One other file is not.");
});

test("a refused save names every file that somebody else changed", () => {
  const fault = (details: Record<string, unknown>) => new Fault("external_change", "No.", "Look.", details);
  assert.deepEqual(changedPaths(fault({ path: "a.md" })), ["a.md"]);
  assert.deepEqual(changedPaths(fault({ differences: [{ path: "a.md" }, { path: "b.md" }, 7] })), [
    "a.md",
    "b.md",
  ]);
  assert.deepEqual(changedPaths(fault({})), []);
});
