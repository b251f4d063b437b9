import assert from "node:assert/strict";
import { test } from "node:test";
import { windowTitle } from "./window-title.ts";

test("the window is named after what is in front, with a dot where it is not saved", () => {
  assert.equal(windowTitle("book", "ch1.md", true), "● ch1.md – book – Stet");
  assert.equal(windowTitle("book", "ch1.md", false), "ch1.md – book – Stet");
  assert.equal(windowTitle("book", undefined, false), "book – Stet");
});
