import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { writtenDocs } from "./toolset-docs.ts";

test("docs/toolsets.md and docs/tools.md describe the tools as they are", async () => {
  for (const { path, text } of await writtenDocs()) {
    assert.equal(
      readFileSync(path, "utf8"),
      text,
      `${basename(path.pathname)} is old. Run \`npm run docs\`.`,
    );
  }
});
