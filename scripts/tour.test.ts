import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

test("the tour plays to its end, and shows what it promises", () => {
  const output = execFileSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "tour.ts")],
    {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    },
  );
  assert.match(output, /rebased from revision 2, it landed on line 9/);
  assert.match(output, /refused \(conflict\): Line 7 .* the person changed line 7/);
  assert.match(output, /died of SIGKILL. On disk now: novel.md is new, notes\/characters.md is old/);
  assert.match(output, /On disk now: novel.md is new, notes\/characters.md is new. Left over: 0/);
  assert.match(
    output,
    /Tobias 13 times, Elias 0 times.\n.*Undone: Tobias 0 times, Elias 13 times. Your dedication is there/,
  );
});
