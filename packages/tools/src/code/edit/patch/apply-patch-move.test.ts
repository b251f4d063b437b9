import assert from "node:assert/strict";
import { chmodSync, existsSync, statSync } from "node:fs";
import { test } from "node:test";
import { openCodeDesk } from "@stet/testkit/code-desk";
import { applyPatch } from "./apply-patch.ts";

test("a script that is moved can still be run", async (t) => {
  const files = { "run.sh": "#!/bin/sh\necho one\n" };
  const desk = await openCodeDesk(t, [applyPatch], { files, settings: { editMode: "apply_patch" } });
  chmodSync(desk.place.path("run.sh"), 0o755);
  const body = "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo one\n+echo two";
  const answer = await desk.call("edit", { input: `*** Begin Patch\n${body}\n*** End Patch` });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(existsSync(desk.place.path("run.sh")), false);
  assert.notEqual(statSync(desk.place.path("bin/run.sh")).mode & 0o111, 0);
});
