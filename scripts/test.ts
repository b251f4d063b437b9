// `npm test [files]`: the checks, then every test file below packages, scripts and bench (or those named).

import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const named = process.argv.slice(2);
const quiet = "--disable-warning=ExperimentalWarning";

if (named.length === 0) {
  const check = spawnSync(process.execPath, [quiet, "scripts/check.ts"], { cwd: root, stdio: "inherit" });
  if (check.status !== 0) process.exit(check.status ?? 1);
}
const files =
  named.length > 0
    ? named
    : globSync(["packages/*/src/**/*.test.ts", "scripts/*.test.ts", "bench/**/*.test.ts"], { cwd: root });
const result = spawnSync(
  process.execPath,
  [quiet, "--test", "--test-concurrency=2", "--test-timeout=300000", ...files.sort()],
  {
    cwd: root,
    stdio: "inherit",
  },
);
process.exitCode = result.status ?? 1;
