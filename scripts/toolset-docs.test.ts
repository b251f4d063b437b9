import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toolsetDocs } from "./toolset-docs.ts";

test("docs/toolsets.md describes the tools as they are", async () => {
  const now = readFileSync(new URL("../docs/toolsets.md", import.meta.url), "utf8");
  assert.equal(now, await toolsetDocs(), "Run `npm run docs`.");
});
