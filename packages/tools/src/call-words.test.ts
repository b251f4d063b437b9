import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, editWords, inPaths, lineWords, previewWords } from "./call-words.ts";

test("an edit is told by the files that it names, in whichever edit mode it is written", () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ input: "§src/a.ts\n»EOF\nx\n§b.md\n≔1ab\ny" }, "Edit src/a.ts, b.md"],
    [{ input: "*** Begin Patch\n*** Add File: new.ts\n+x\n*** End Patch" }, "Edit new.ts"],
    [{ path: "a.ts", edits: [] }, "Edit a.ts"],
    [
      { edits: [{ path: "a" }, { path: "b" }, { path: "c" }, { path: "d" }, null] },
      "Edit a, b, c and 1 more",
    ],
    [{}, "Edit files"],
  ];
  for (const [given, words] of cases) assert.equal(editWords(given), words);
});

test("lines are counted as a person counts them, and long values are cut", () => {
  assert.equal(lineWords(3, 9), ", lines 3–9");
  assert.equal(lineWords(4, 4, 1), ", line 5");
  assert.equal(lineWords(3, undefined), ", from line 3");
  assert.equal(lineWords(undefined, 4), "");
  assert.equal(inPaths(["src"]) + inPaths([]), " in src");
  assert.equal(previewWords("Delete line 5", true), "Preview: Delete line 5");
  assert.equal(cut("npm  test"), "npm test");
  assert.ok(cut("x".repeat(500)).length < 90);
});
