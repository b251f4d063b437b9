import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../packages/testkit/src/temporary.ts";

const root = join(import.meta.dirname, "..");
const quiet = "--disable-warning=ExperimentalWarning";

test("the packed command runs a whole turn, without the sources", (t) => {
  execFileSync(process.execPath, [quiet, "scripts/package.ts"], { cwd: root, stdio: "ignore" });
  assert.ok(existsSync(join(root, "dist/stet.tgz")));
  const packed = join(root, "dist/package/bin");
  assert.ok(!readdirSync(packed).some((name) => name.endsWith(".ts")), "only what Node runs as it is");
  const folder = temporaryFolder(t);
  cpSync(join(root, "examples/lighthouse"), join(folder, "project"), { recursive: true });
  const stet = (...args: string[]) =>
    spawnSync(process.execPath, [join(packed, "stet.js"), ...args], {
      cwd: join(folder, "project"),
      env: { PATH: process.env.PATH, HOME: folder, STET_DATA_DIR: join(folder, "data") },
      input: "",
      encoding: "utf8",
    });
  assert.match(stet("--version").stdout, /^\d+\.\d+\.\d+\n$/);
  const turn = stet("-p", "Rename Tobias to Elias in all files");
  assert.equal(turn.status, 0, turn.stderr);
  assert.match(turn.stdout, /5 times in 3 files/);
  assert.doesNotMatch(turn.stderr, /Warning/);
  assert.match(stet("review", "accept", "--all").stdout, /Accepted 5 hunks/);
  const id = stet("sessions").stdout.slice(0, 8);
  assert.match(stet("sessions", "export", id, "talk.html").stdout, /Written/);
});
