import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { terminalDocs } from "./terminal-docs.ts";

test("docs/terminal.md has every command, key, colour, theme and sign as they are", () => {
  const { path, text } = terminalDocs();
  assert.equal(readFileSync(path, "utf8"), text, "docs/terminal.md is old. Run `npm run docs`.");
});
