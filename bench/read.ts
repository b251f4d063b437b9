// The tool read: the last lines of a file of 1 GB, which is never in memory as a whole.

import { execFile, execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { type Bench, best, type Measured } from "./bench.ts";

const bytes = 1024 ** 3;
const shownLines = 20;
const run = promisify(execFile);

/** Lines as a log has them, of about 80 bytes; returns how many there are. */
function writeLog(path: string): number {
  const descriptor = openSync(path, "w");
  let lines = 0;
  for (let written = 0; written < bytes; ) {
    let part = "";
    for (let count = 0; count < 50_000; count += 1) {
      lines += 1;
      part += `2026-01-01T00:00:00Z info request ${lines} answered in 12 ms, “ok”, 512 bytes\n`;
    }
    written += writeSync(descriptor, part);
  }
  closeSync(descriptor);
  return lines;
}

const childSchema = z.object({ milliseconds: z.number(), grown: z.number(), shown: z.number() });

async function inLargeFile(
  action: (read: () => Promise<z.infer<typeof childSchema>>, path: string, from: number) => Promise<Measured>,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  try {
    const root = join(folder, "root");
    mkdirSync(root);
    const from = writeLog(join(root, "large.log")) - shownLines + 1;
    const child = new URL("./read-child.ts", import.meta.url).pathname;
    const read = async () => {
      const flags = ["--disable-warning=ExperimentalWarning", child];
      const { stdout } = await run(process.execPath, [
        ...flags,
        root,
        join(folder, "data"),
        "large.log",
        String(from),
      ]);
      const answer = childSchema.parse(JSON.parse(stdout));
      // The line before comes along.
      if (answer.shown !== shownLines + 1) throw new Error(`${answer.shown} lines were shown`);
      return answer;
    };
    return await action(read, join(root, "large.log"), from);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const benches: readonly Bench[] = [
  {
    name: "read-tail",
    what: "the last 20 lines of a file of 1 GB, by their number",
    versus: "sed -n",
    goal: "under 1,500 ms",
    isReached: ({ value }) => value < 1500,
    measure: () =>
      inLargeFile(async (read, path, from) => {
        const { milliseconds: value } = await read();
        const against = await best(3, () => execFileSync("sed", ["-n", `${from},$p`, path]));
        return { value, unit: "ms", against, ratio: value / against };
      }),
  },
  {
    name: "read-memory",
    what: "how far the memory grows while the last 20 lines of a file of 1 GB are read",
    versus: "",
    goal: "under 100 MB",
    isReached: ({ value }) => value < 100,
    measure: () =>
      inLargeFile(async (read) => {
        const { grown } = await read();
        return { value: grown / 1024 ** 2, unit: "MB", against: null, ratio: null };
      }),
  },
];
