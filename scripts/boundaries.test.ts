import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { boundaryProblems, importProblem, importsOf } from "./boundaries.ts";

test("every import of every package is allowed by the table", () => {
  assert.deepEqual(boundaryProblems(join(import.meta.dirname, "..")), []);
});

test("an import that the table does not allow is found, however it is written", () => {
  const source = `
    import { a } from "@stet/workspace/ledger/ledger";
    import type { B } from '@stet/workspace/tabs/tabs';
    export { c } from "@stet/server/app";
    const d = await import("@stet/cli/main");
    import "node:fs";
  `;
  const specifiers = importsOf(source);
  assert.equal(specifiers.length, 5);
  for (const specifier of specifiers)
    assert.notEqual(importProblem("text", false, specifier), undefined, specifier);
});

test("tests may use Node and the testkit, sources may not", () => {
  assert.equal(importProblem("text", true, "node:fs"), undefined);
  assert.equal(importProblem("text", true, "@stet/testkit/law"), undefined);
  assert.match(importProblem("workspace", false, "@stet/testkit/law") ?? "", /testkit/);
  assert.match(importProblem("unheard-of", false, "zod") ?? "", /not in the table/);
});
