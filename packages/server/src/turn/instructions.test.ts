import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { findInstructions, withInstructions } from "./instructions.ts";

test("notes come from the person's folder, then from the root down, and CLAUDE.md stands in", (t) => {
  const folder = temporaryFolder(t, {
    "config/AGENTS.md": "mine",
    "root/CLAUDE.md": "of the root",
    "root/sub/AGENTS.md": "of the part",
    "root/sub/CLAUDE.md": "not this one",
    "AGENTS.md": "outside",
  });
  const found = findInstructions(join(folder, "config"), join(folder, "root"), join(folder, "root/sub"));
  assert.deepEqual(
    found.map(({ text }) => text),
    ["mine", "of the root", "of the part"],
  );
  assert.match(withInstructions("System.", found), /^System\..*mine.*of the root.*of the part$/s);
});

test("a link to a secret is not followed, and a huge file is cut", (t) => {
  const folder = temporaryFolder(t, { secret: "the key", "root/sub/AGENTS.md": "x".repeat(100_000) });
  symlinkSync(join(folder, "secret"), join(folder, "root/AGENTS.md"));
  const [only, ...others] = findInstructions(
    join(folder, "config"),
    join(folder, "root"),
    join(folder, "root/sub"),
  );
  assert.deepEqual(others, []);
  assert.equal(only?.bytes, 100_000);
  assert.ok((only?.text.length ?? 0) < 17_000);
});
