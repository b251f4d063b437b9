// `npm run check`: types, lint and format, the import table, calls that only one place may make, dropped faults, file sizes. Prints one line for each.
// With --fix it formats and applies safe lint fixes instead of reporting them.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { boundaryProblems } from "./boundaries.ts";
import { droppedFaults } from "./dropped-faults.ts";
import { oversizedFiles } from "./file-sizes.ts";
import { forbiddenCallProblems } from "./forbidden-calls.ts";

const root = join(import.meta.dirname, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);

interface Check {
  name: string;
  /** Returns what is wrong; an empty string means nothing is. */
  problems(): string;
}

function command(program: string, args: string[]): string {
  const result = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (result.error !== undefined) return `${program} could not be started: ${result.error.message}`;
  return result.status === 0 ? "" : `${result.stdout}${result.stderr}`;
}

function types(project: string): string {
  return command(bin("tsc"), ["-p", project, "--pretty", String(process.stdout.isTTY === true)]);
}

const fix = process.argv.includes("--fix") ? ["--write"] : [];
const checks: Check[] = [
  { name: "types", problems: () => types(root) },
  { name: "types of the page", problems: () => types(join(root, "packages/web")) },
  {
    name: "lint and format",
    problems: () => command(bin("biome"), ["check", "--error-on-warnings", "--max-diagnostics=60", ...fix]),
  },
  { name: "imports", problems: () => boundaryProblems(root).join("\n") },
  { name: "forbidden calls", problems: () => forbiddenCallProblems(root).join("\n") },
  { name: "dropped faults", problems: () => droppedFaults(root).join("\n") },
  { name: "file sizes", problems: () => oversizedFiles(root).join("\n") },
];

let failed = 0;
for (const check of checks) {
  const started = performance.now();
  const problems = check.problems();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${problems === "" ? "ok  " : "FAIL"} ${check.name} (${seconds} s)\n`);
  if (problems !== "") {
    failed += 1;
    process.stdout.write(`${problems}\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
