// A source file over the limit has a second job that wants its own file. Tests may be longer.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const limit = 400;

export function oversizedFiles(root: string): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const problems: string[] = [];
  for (const path of listed.split("\n")) {
    if (!/\.(ts|tsx|mjs|js)$/.test(path) || path.includes(".test.") || !existsSync(join(root, path)))
      continue;
    const lines = readFileSync(join(root, path), "utf8").split("\n").length - 1;
    if (lines > limit) problems.push(`${path} has ${lines} lines; the limit is ${limit}`);
  }
  return problems;
}
