import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { type CodeFixture, faultDetails, openCodeFixture } from "@stet/testkit/code-fixture";
import { applyPatch } from "./apply-patch.ts";

async function fixtureWith(t: TestContext, files: Record<string, string>): Promise<CodeFixture> {
  return openCodeFixture(t, [applyPatch], { settings: { editMode: "apply_patch" }, files });
}

function content(fixture: CodeFixture, path: string): string {
  return readFileSync(fixture.place.path(path), "utf8");
}

test("what stands around a patch keeps it from being read", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "one\n" });
  const body = (from: string, to: string) => `*** Update File: a.txt\n@@\n-${from}\n+${to}\n`;
  for (const input of [
    body("one", "two"),
    `*** Begin Patch\n${body("two", "three")}`,
    `${body("three", "four")}*** End Patch`,
    `apply_patch <<'EOF'\n*** Begin Patch\n${body("four", "five")}*** End Patch\nEOF\n`,
    `\`\`\`\n*** Begin Patch\n${body("five", "six")}*** End Patch\n\`\`\``,
    `*** Begin Patch\r\n${body("six", "seven").replaceAll("\n", "\r\n")}*** End Patch\r\n`,
    `*** Begin Patch\n${body("seven", "eight")}\n\n*** End Patch\n`,
  ]) {
    const answer = await fixture.call("edit", { input });
    assert.equal(answer.error, undefined, `${input}\n${answer.text}`);
  }
  assert.equal(content(fixture, "a.txt"), "eight\n");
});

test("a patch that is wrong does not say at which line and what is expected", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "one\n" });
  for (const [input, line, reason] of [
    ["", 1, /no file in it/],
    ["*** Begin Patch\n*** End Patch", 1, /no file in it/],
    ["*** Begin Patch\nhello\n*** End Patch", 2, /does not begin a file/],
    [
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n",
      1,
      /as git writes it/,
    ],
    ["--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n", 1, /as git writes it/],
    ["*** Begin Patch\n*** Update File: \n@@\n-one\n+two", 2, /path is missing/],
    ["*** Begin Patch\n*** Update File: a.txt\n*** End Patch", 2, /has no hunk/],
    ["*** Begin Patch\n*** Update File: a.txt\n@@\n one\n*** End Patch", 3, /no line with - or \+/],
    [
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\ntwo\n*** End Patch",
      5,
      /does not begin with a space/,
    ],
    ["*** Begin Patch\n*** Update File: a.txt\n*** Move to:\n@@\n-one\n+two", 3, /new path is missing/],
    ["*** Begin Patch\n*** Add File: b.txt\nline\n*** End Patch", 3, /does not begin with \+/],
    ["*** Begin Patch\n*** Delete File: a.txt\n-one\n*** End Patch", 3, /nothing can follow/],
    ["*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n*** End of File\n+two\n", 6, /nothing can follow/],
    [
      "*** Begin Patch\n*** Update File: a.txt\n*** Move to: a.txt\n@@\n-one\n+two",
      2,
      /cannot move to itself/,
    ],
  ] as const) {
    const answer = await fixture.call("edit", { input });
    assert.equal(answer.error, "invalid_patch", `${input}\n${answer.text}`);
    assert.equal(faultDetails(answer).line, line, answer.text);
    assert.match(answer.text, reason);
  }
  assert.equal(content(fixture, "a.txt"), "one\n");
});
