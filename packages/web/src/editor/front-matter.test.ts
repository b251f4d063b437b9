import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { frontMatterEnd } from "./front-matter.ts";

test("front matter is what stands between dashes at the start, and nothing else", () => {
  const end = (...lines: string[]) => frontMatterEnd(Text.of(lines));
  assert.equal(end("---", "title: The Lamp", "status: draft", "---", "", "# One"), 4);
  assert.equal(end("---", "title: The Lamp", "", "# One"), 0);
  assert.equal(end("# One", "---", "two", "---"), 0);
  assert.equal(end(""), 0);
});
