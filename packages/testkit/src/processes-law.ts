// A law over real processes: whatever several of them do to the same files at the same time, everything that their turns
// changed is in the review, so rejecting all of it brings back every byte.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Workspace } from "@stet/workspace/workspace";
import { must } from "./workspace.ts";

const script = fileURLToPath(new URL("./processes-child.ts", import.meta.url));

export interface ProcessesRun {
  readonly seed: number;
  readonly editors: number;
  readonly commanders?: number;
  readonly readers: number;
  readonly steps: number;
}

/** Throws where the law is broken. Returns how many edits went through. */
export async function rejectAfterProcesses(run: ProcessesRun): Promise<number> {
  const { seed, editors, commanders = 0, readers, steps } = run;
  const writers = editors + commanders;
  const folder = mkdtempSync(join(tmpdir(), "stet-processes-"));
  try {
    const [root, dataFolder] = [join(folder, "root"), join(folder, "data")];
    mkdirSync(root);
    const originals = new Map(
      ["a.txt", "b.txt"].map((name) => [
        name,
        Array.from({ length: 12 }, (_, line) => `${name} ${line}\r\n`).join(""),
      ]),
    );
    for (const [name, text] of originals) writeFileSync(join(root, name), text);
    const children = Array.from({ length: writers + readers }, (_, index) => {
      const role = index < editors ? "editor" : index < writers ? "commander" : "reader";
      const words = [script, root, dataFolder, String(seed * 100 + index), String(steps), role];
      return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], {
        stdio: ["pipe", "pipe", "inherit"],
      });
    });
    await Promise.all(children.map((child) => once(child.stdout, "data")));
    const outputs = children.map(async (child) => {
      const ended = once(child, "close");
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += String(chunk);
      });
      child.stdin.write("go\n");
      await ended;
      return Number(/did (\d+)/.exec(output)?.[1] ?? Number.NaN);
    });
    await Promise.all(outputs.slice(0, writers));
    for (const child of children) child.stdin.end();
    const done = (await Promise.all(outputs)).reduce((sum, each) => sum + each, 0);
    if (Number.isNaN(done)) throw new Error(`seed ${seed}: a process did not come to its end`);
    const workspace = must(await Workspace.open(root, { dataFolder }));
    try {
      const conflicts = workspace.compareInUse();
      if (conflicts.length > 0) throw new Error(`seed ${seed}: ${conflicts[0]?.message}`);
      must(await workspace.decide(() => workspace.review.reject("everything and what is in doubt")));
      for (const [name, text] of originals) {
        const found = readFileSync(join(root, name), "utf8");
        if (found !== text) throw new Error(`seed ${seed}: ${name} is not as it was:\n${found}`);
      }
    } finally {
      workspace.close();
    }
    return done;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
