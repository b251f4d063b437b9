// Bounds on the processes and the memory of commands in the sandbox.
//
//   a control group   where the system lets us make one (cgroup v1 and v2). Whatever is to run in it enters it before it
//                     becomes the sandbox (launch-script.ts), so that nothing is started outside of it
//   else              the limits that a shell sets for itself, which count for each process and not for root, and a look at
//                     all processes every half second (resource-watch.ts)
//
// A group belongs to one manager. So one is made only in a group that was given to this account, or at the top of what this
// machine or container has; not inside of a group that somebody else keeps for us.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import { isAlive } from "../shell/processes.ts";

export interface ResourceLimits {
  readonly processes: number;
  readonly memoryBytes: number;
}

export type Resource = keyof ResourceLimits;

/** As many processes as a person's own build would need, and few enough that the machine survives a fork bomb. */
export function resourceLimits(chosen: Partial<ResourceLimits> = {}): ResourceLimits {
  const { processes = 4096, memoryBytes = Math.floor(0.75 * totalmem()) } = chosen;
  return { processes, memoryBytes };
}

export interface LimitGroup {
  /** Files into which a process writes its number to enter. */
  readonly entrances: readonly string[];
  /** What it bounds. */
  readonly bounded: readonly Resource[];
  release(): void;
}

interface Hierarchy {
  readonly parent: string;
  readonly files: Readonly<Partial<Record<Resource, string>>>;
}

const prefix = "stet-limits-";

export function makeLimitGroup(limits: ResourceLimits): LimitGroup {
  const folders: string[] = [];
  const bounded = new Set<Resource>();
  for (const { parent, files } of process.platform === "linux" ? hierarchies() : []) {
    removeEmpty(parent);
    const folder = join(parent, `${prefix}${process.pid}-${uniqueSuffix()}`);
    try {
      mkdirSync(folder);
      folders.push(folder);
    } catch {
      continue;
    }
    const set = (["processes", "memoryBytes"] as const).filter((resource) => {
      const file = files[resource];
      return file !== undefined && setLimit(join(folder, file), limits[resource]);
    });
    for (const resource of set) bounded.add(resource);
    if (set.length === 0) remove(folders.pop() ?? folder);
  }
  return {
    entrances: folders.map((folder) => join(folder, "cgroup.procs")),
    bounded: [...bounded],
    release: () => {
      for (const folder of folders) remove(folder);
    },
  };
}

/** The kernel rounds memory to pages. */
function setLimit(file: string, value: number): boolean {
  try {
    writeFileSync(file, String(value), { flag: "r+" });
    const set = Number(readFileSync(file, "utf8"));
    return set > 0 && set <= value;
  } catch {
    return false;
  }
}

const base = "/sys/fs/cgroup";

/** Where groups may be made. */
function hierarchies(): Hierarchy[] {
  const own = ownGroups();
  if (existsSync(join(base, "cgroup.controllers"))) {
    const parent = join(base, dirname(own.get("") ?? "/"));
    const files = { processes: "pids.max", memoryBytes: "memory.max" };
    return isOurs(parent, dirname(own.get("") ?? "/")) ? [{ parent, files }] : [];
  }
  const found: Hierarchy[] = [];
  const add = (controller: string, files: Hierarchy["files"]) => {
    const path = own.get(controller);
    if (path === undefined) return;
    const parent = join(base, controller, path);
    if (isOurs(parent, path)) found.push({ parent, files });
  };
  add("pids", { processes: "pids.max" });
  add("memory", { memoryBytes: "memory.limit_in_bytes" });
  return found;
}

/** The group of this process in each hierarchy; that of version 2 has no name. */
function ownGroups(): Map<string, string> {
  try {
    const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
    return new Map(
      lines.flatMap((line) => {
        const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
        return controllers.split(",").map((name) => [name, path] as const);
      }),
    );
  } catch {
    return new Map();
  }
}

function isOurs(folder: string, path: string): boolean {
  const uid = process.getuid?.() ?? 0;
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === uid && (uid !== 0 || path === "/");
}

/** Groups of a Stet that was killed. */
function removeEmpty(parent: string): void {
  try {
    for (const name of readdirSync(parent)) {
      const isLeft = name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10));
      if (isLeft) remove(join(parent, name), 0);
    }
  } catch {
    // Not ours to look into.
  }
}

function remove(folder: string, tries = 5): void {
  try {
    rmdirSync(folder);
  } catch {
    // The kernel takes a moment to notice that the last process has gone.
    if (tries > 0 && existsSync(folder)) setTimeout(() => remove(folder, tries - 1), 20).unref();
  }
}
