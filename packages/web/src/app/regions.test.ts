import assert from "node:assert/strict";
import { test } from "node:test";
import { regionsAfter } from "./regions.ts";

const names = ["panel", "editor", "agent", "status"];

test("F6 goes around the window, and back", () => {
  assert.deepEqual(regionsAfter(names, "agent", 1), ["status", "panel", "editor", "agent"]);
  assert.deepEqual(regionsAfter(names, "panel", -1), ["status", "agent", "editor", "panel"]);
});

test("F6 from nowhere goes to the first part, Shift-F6 to the last", () => {
  assert.equal(regionsAfter(names, undefined, 1)[0], "panel");
  assert.equal(regionsAfter(names, undefined, -1)[0], "status");
});
