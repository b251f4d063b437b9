import assert from "node:assert/strict";
import { chmodSync, existsSync, statSync } from "node:fs";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { applyPatch } from "./apply-patch.ts";

test("a script that is moved can still be run", async (t) => {
  const files = { "run.sh": "#!/bin/sh\necho one\n" };
  const fixture = await openCodeFixture(t, [applyPatch], { files, settings: { editMode: "apply_patch" } });
  chmodSync(fixture.place.path("run.sh"), 0o755);
  const body = "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo one\n+echo two";
  const answer = await fixture.call("edit", { input: `*** Begin Patch\n${body}\n*** End Patch` });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(existsSync(fixture.place.path("run.sh")), false);
  assert.notEqual(statSync(fixture.place.path("bin/run.sh")).mode & 0o111, 0);
});
