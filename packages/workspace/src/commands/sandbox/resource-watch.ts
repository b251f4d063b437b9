// The bounds of resource-limits.ts where there is no control group: a look at all processes of the sandbox, every second. It
// comes too late for the fastest, which is why the limits that a shell sets for itself stand beside it.

import { readFileSync } from "node:fs";
import { processesOf } from "../shell/processes.ts";
import { type LimitGroup, makeLimitGroup, type Resource, type ResourceLimits } from "./resource-limits.ts";

const pauseMs = 1000;
const pageBytes = 4096;

/** The bounds of all commands of one turn. */
export interface Bounds extends LimitGroup {
  /** What a shell sets for itself: for each process, and without effect for root where it is about their number. */
  readonly ownLimits: Partial<ResourceLimits>;
}

/** A control group where there is one, and for what it does not bound, a watch. `marker` of all processes, ending in a dot. */
export function boundResources(marker: string, limits: ResourceLimits): Bounds {
  const group = makeLimitGroup(limits);
  const { entrances, bounded } = group;
  const left = (["processes", "memoryBytes"] as const).filter((resource) => !bounded.includes(resource));
  const timer =
    left.length === 0 ? undefined : setInterval(() => look(marker, limits, left), pauseMs).unref();
  const { processes, memoryBytes } = limits;
  return {
    entrances,
    bounded,
    ownLimits: bounded.includes("memoryBytes") ? { processes } : { processes, memoryBytes },
    release() {
      clearInterval(timer);
      group.release();
    },
  };
}

function look(marker: string, limits: ResourceLimits, resources: readonly Resource[]): void {
  const pids = processesOf(marker);
  // All at once: each that is left could start others.
  if (resources.includes("processes") && pids.length > limits.processes) end(pids);
  else if (resources.includes("memoryBytes")) endLargest(pids, limits.memoryBytes);
}

/** As the kernel does: the largest goes first, until the others fit. */
function endLargest(pids: readonly number[], bound: number): void {
  const sizes = pids
    .map((pid) => ({ pid, bytes: privateBytes(pid) }))
    .toSorted((one, other) => other.bytes - one.bytes);
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { pid, bytes } of sizes) {
    if (total <= bound) return;
    end([pid]);
    total -= bytes;
  }
}

/** Memory that is the process's own: of the resident pages those that are no file's and not shared. */
function privateBytes(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}

function end(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}
