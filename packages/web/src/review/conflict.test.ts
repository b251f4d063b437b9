import assert from "node:assert/strict";
import { test } from "node:test";
import { answeredLines, conflictsOf, linesOf, partsOf, resultOf } from "./conflict.ts";

const saved = "one\ntwo\nthree\nfour\nfive\n";
const current = "ONE\ntwo\nmine\nfour\nfive\n";
const disk = "one\ntwo\ntheirs\nfour\nFIVE\n";

test("changes that do not meet are put together, and only the others are asked about", () => {
  const parts = partsOf(saved, current, disk);
  const conflicts = conflictsOf(parts);
  assert.deepEqual(conflicts, [
    { kind: "conflict", index: 0, line: 3, sides: { base: ["three"], ours: ["mine"], theirs: ["theirs"] } },
  ]);
  assert.equal(resultOf(parts, new Map()), undefined);
  const [conflict] = conflicts;
  assert.ok(conflict);
  const result = (choice: "mine" | "file" | "both") =>
    resultOf(parts, new Map([[0, linesOf(choice, conflict.sides)]]));
  assert.equal(result("mine"), "ONE\ntwo\nmine\nfour\nFIVE\n");
  assert.equal(result("file"), "ONE\ntwo\ntheirs\nfour\nFIVE\n");
  assert.equal(result("both"), "ONE\ntwo\nmine\ntheirs\nfour\nFIVE\n");
});

test("lines that one side took away and the other changed can go or stay", () => {
  const parts = partsOf("a\nb\nc\n", "a\nc\n", "a\nB\nc\n");
  const [conflict] = conflictsOf(parts);
  assert.ok(conflict);
  assert.equal(resultOf(parts, new Map([[0, linesOf("mine", conflict.sides)]])), "a\nc\n");
  assert.equal(resultOf(parts, new Map([[0, linesOf("file", conflict.sides)]])), "a\nB\nc\n");
});

test("where what the person chose stands in the result", () => {
  const parts = partsOf(saved, current, disk);
  assert.deepEqual(answeredLines(parts, new Map([[0, ["mine", "theirs"]]])), [{ from: 3, to: 4 }]);
  assert.deepEqual(answeredLines(parts, new Map([[0, []]])), [{ from: 3, to: 3 }]);
});
