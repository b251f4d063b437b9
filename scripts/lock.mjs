// `npm run lock`: writes package-lock.json anew after a dependency changed, for every platform and without
// download addresses, so that it works with whatever registry the reader's npm is set to.
//
// It is made in a folder that has no node_modules: beside one, npm leaves out the files for other platforms than this one,
// and `npm ci` then refuses the lock everywhere. What an earlier lock left out is resolved again; all else keeps its version.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What packages bring for other platforms, and the lock does not name. */
function missingOptionals(packages) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      const places = [`node_modules/${name}`, `${place}/node_modules/${name}`];
      return places.every((candidate) => !(candidate in packages));
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), "stet-lock-"));
const manifests = readdirSync("packages").map((name) => join("packages", name, "package.json"));
for (const path of ["package.json", ...manifests]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  copyFileSync(path, join(folder, path));
}
const known = JSON.parse(readFileSync("package-lock.json", "utf8"));
const lost = new Set(missingOptionals(known.packages));
for (const [place, { optionalDependencies = {} }] of Object.entries(known.packages)) {
  const names = Object.keys(optionalDependencies);
  if (place === "" || !names.some((name) => lost.has(name))) continue;
  for (const name of [place, ...names.map((one) => `node_modules/${one}`)]) delete known.packages[name];
}
writeFileSync(join(folder, "package-lock.json"), JSON.stringify(known));
const args = ["install", "--package-lock-only", "--omit-lockfile-registry-resolved=false"];
const result = spawnSync("npm", args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
let isComplete = true;
if (result.status === 0) {
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const missing = missingOptionals(lock.packages);
  isComplete = missing.length === 0;
  // A registry may have a version without all the files that it is to bring for other platforms.
  if (!isComplete)
    process.stderr.write(`Missing in the registry: ${missing.join(", ")}. Choose other versions.\n`);
  for (const entry of Object.values(lock.packages)) {
    if (/^https?:/.test(entry.resolved ?? "")) delete entry.resolved;
  }
  writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(isComplete ? (result.status ?? 1) : 1);
