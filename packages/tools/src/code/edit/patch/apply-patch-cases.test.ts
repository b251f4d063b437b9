// The portable scenarios of the format: what is there, the patch, and what is there then.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import test from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { testData } from "@stet/testkit/data";
import { applyPatch } from "./apply-patch.ts";

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path, "latin1")]));
}

test("a scenario of the format leads elsewhere than its authors say", async (t) => {
  const folder = testData(t, "apply-patch");
  if (folder === undefined) return;
  for (const name of readdirSync(folder).sort()) {
    await t.test(name, async (t) => {
      const read = (part: string) => filesIn(join(folder, name, part));
      const input = read("input");
      const bytes = Object.entries(input).map(([path, content]) => [path, Buffer.from(content, "latin1")]);
      const fixture = await openCodeFixture(t, [applyPatch], { files: Object.fromEntries(bytes) });
      const answer = await fixture.call("edit", {
        input: readFileSync(join(folder, name, "patch.txt"), "utf8"),
      });
      const { ".keep": _, ...found } = filesIn(fixture.place.root);
      // Here a patch is applied whole or not at all.
      const isPartial = name === "015_failure_after_partial_success_leaves_changes";
      assert.deepEqual(found, isPartial ? input : read("expected"), answer.text);
      assert.equal(answer.error !== undefined, /rejects|requires|failure/.test(name), answer.text);
    });
  }
});
