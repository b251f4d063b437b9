// `npm run lock`: writes package-lock.json anew after a dependency changed, for every platform and without
// download addresses, so that it works with whatever registry the reader's npm is set to.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const args = ["install", "--package-lock-only", "--omit-lockfile-registry-resolved=false"];
const result = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });
if (result.status !== 0) process.exit(result.status ?? 1);
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const entry of Object.values(lock.packages)) {
  if (/^https?:/.test(entry.resolved ?? "")) delete entry.resolved;
}
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
