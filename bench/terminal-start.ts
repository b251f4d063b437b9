// From the start of the packed program to a prompt that takes keys: the echo of a key that is written as soon as the prompt is
// drawn, in a folder that Stet knows already.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { columns, rows } from "./terminal-workload.ts";

const root = join(import.meta.dirname, "..");
/** Not in anything that the first screen says. */
const key = "\u03a9";
const patience = 20_000;
const runs = 9;

/** Milliseconds, the best of several starts; the first ones fill Node's compile cache and make the folder's state. */
export async function startToPrompt(): Promise<number> {
  execFileSync(process.execPath, ["scripts/package.ts"], { cwd: root, stdio: "ignore" });
  const folder = mkdtempSync(join(tmpdir(), "stet-start-"));
  writeFileSync(join(folder, "notes.md"), "# Notes\n");
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) shortest = Math.min(shortest, await oneStart(folder));
  rmSync(folder, { recursive: true, force: true });
  return shortest;
}

async function oneStart(folder: string): Promise<number> {
  const started = performance.now();
  const terminal = spawn(process.execPath, [join(root, "dist/package/bin/stet.js")], {
    cols: columns,
    rows,
    cwd: folder,
    env: { ...process.env, STET_DATA_DIR: join(folder, ".data"), TERM: "xterm-256color" },
  });
  const isOver = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  const echo = Promise.withResolvers<number>();
  const timer = setTimeout(() => echo.resolve(Number.POSITIVE_INFINITY), patience);
  let output = "";
  let isTyped = false;
  terminal.onData((data) => {
    output += data;
    if (isTyped && data.includes(key)) echo.resolve(performance.now() - started);
    if (isTyped || !output.includes("❯")) return;
    isTyped = true;
    terminal.write(key);
  });
  const elapsed = await echo.promise;
  clearTimeout(timer);
  terminal.kill("SIGKILL");
  await isOver;
  return elapsed;
}
