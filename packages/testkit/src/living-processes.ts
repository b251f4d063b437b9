// Which processes live, asked of the system and not of what is tested. Linux only.

import { readdirSync, readFileSync } from "node:fs";
import { isAlive } from "@stet/workspace/commands/shell/processes";

/** Living processes whose command line contains a text. */
export function living(text: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const pid = Number(name);
      const isIt = Number.isInteger(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text);
      return isIt && isAlive(pid) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

let count = 0;

/** A name for processes of one test. */
export function uniqueName(): string {
  count += 1;
  // With an end of its own: the first is no part of the tenth.
  return `stet-sleeper-${process.pid}-${count}-here`;
}
