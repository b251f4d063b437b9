// The door to every npm script. Plain JavaScript for Node 20, because it runs before anything is installed.
//
// 1. Installs the dependencies when package-lock.json is not the one that was installed last.
// 2. Runs the named task on the Node that the repository pins, with the remaining arguments.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".installed-lock");

const tasks = {
  start: ["scripts/start.ts"],
  demo: ["scripts/demo.ts"],
  tour: ["scripts/tour.ts"],
  test: ["scripts/test.ts"],
  "test:all": ["scripts/test.ts", "--full"],
  check: ["scripts/check.ts"],
  fuzz: ["scripts/fuzz.ts"],
  crash: ["scripts/crash.ts"],
  soak: ["scripts/soak.ts"],
  bench: ["bench/run.ts"],
  format: ["scripts/check.ts", "--fix"],
  docs: ["scripts/docs.ts"],
  "model-table": ["scripts/model-table.ts"],
  screenshots: ["scripts/screenshots.ts"],
  package: ["scripts/package.ts"],
  stet: ["packages/cli/src/main.ts"],
};

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash() && pinnedNode() !== undefined;
}

function install() {
  process.stderr.write("Setting up: installing dependencies (once, about half a minute) …\n");
  const started = Date.now();
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    process.stderr.write(
      "\nThe dependencies could not be installed: npm said why, above. " +
        "Check that the npm registry can be reached and run the same command again.\n",
    );
    process.exit(result.status ?? 1);
  }
  writeFileSync(stamp, lockHash());
  process.stderr.write(`Ready after ${Math.round((Date.now() - started) / 1000)} s.\n\n`);
}

function pinnedNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const candidates = [
    join(root, "node_modules", "node", "bin", name),
    join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", name),
  ];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? process.execPath : undefined;
}

/** A server needs the page of the browser workspace, and a bound on its memory that Node takes only when it starts. */
function scriptOf(name, args) {
  const isServer = name === "start" || (name === "stet" && args[args[0] === "-C" ? 2 : 0] === "serve");
  if (!isServer) return tasks[name];
  return ["--max-semi-space-size=16", name === "start" ? "scripts/start.ts" : "scripts/prepare-page.ts"];
}

const [name, ...rest] = process.argv.slice(2);
const task = scriptOf(name, rest);
if (task === undefined) {
  process.stderr.write(`There is no task "${name}". There are: ${Object.keys(tasks).join(", ")}.\n`);
  process.exit(2);
}
if (!isInstalled()) install();
const node = pinnedNode();
if (node === undefined) {
  process.stderr.write(
    "Stet needs Node 22.18 or newer, and the one it brings along could not be installed here. " +
      "Install Node 24 from your system's packages and run the same command again.\n",
  );
  process.exit(1);
}
const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...task, ...rest], {
  cwd: root,
  stdio: "inherit",
  // Sources run as they are; with this, Node strips their types and compiles them only once.
  env: { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compile"), ...process.env },
});
// A terminal sends Ctrl-C to both of us; whoever else ends us means the task. It ends in its own time, and we after it.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`${node} could not be started: ${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
