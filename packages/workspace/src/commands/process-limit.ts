// A bound on the number of processes, where the system lets us set one: a control group of our own. Root needs it, because
// the limit that a shell sets for itself does not count for root.

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { maxProcesses } from "./shell-script.ts";

export interface ProcessLimit {
  release(): void;
}

const prefix = "stet-commands-";

/** Puts a process, and so all that it will start, under the limit. Undefined where that is not possible. */
export function limitProcesses(name: string, pid: number): ProcessLimit | undefined {
  for (const parent of process.platform === "linux" ? parents() : []) {
    removeEmpty(parent);
    const folder = join(parent, `${prefix}${name.replaceAll(/[^\w-]/g, "")}-${pid}`);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, "pids.max"), String(maxProcesses), { flag: "r+" });
      writeFileSync(join(folder, "cgroup.procs"), String(pid), { flag: "r+" });
      return { release: () => remove(folder) };
    } catch {
      // Not ours to make groups in, or without that controller.
      remove(folder);
    }
  }
  return undefined;
}

/** Groups of a Stet that was killed; one that is in use cannot be removed. */
function removeEmpty(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) remove(join(parent, name), 0);
  }
}

/** Where a group may be made: in the hierarchy of processes alone, or beside our own group in the common one. */
function parents(): string[] {
  const base = "/sys/fs/cgroup";
  const separate = join(base, "pids");
  if (existsSync(join(separate, "cgroup.procs"))) return isWritable(separate) ? [separate] : [];
  try {
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const parent = own === undefined ? base : join(base, dirname(own));
    return isWritable(parent) ? [parent] : [];
  } catch {
    return [];
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function remove(folder: string, tries = 5): void {
  try {
    rmdirSync(folder);
  } catch {
    // The kernel takes a moment to notice that the last process has gone.
    if (tries > 0 && existsSync(folder)) setTimeout(() => remove(folder, tries - 1), 20);
  }
}
