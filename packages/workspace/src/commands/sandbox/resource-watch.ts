// The bounds of resource-limits.ts where there is no control group: a look at all processes of the sandbox, every second. It
// comes too late for the fastest, which is why the limits that a shell sets for itself stand beside it.

import { readFileSync } from "node:fs";
import { processesOf } from "../shell/processes.ts";
import type { Resource, ResourceLimits } from "./resource-limits.ts";

const pauseMs = 1000;
const pageBytes = 4096;

export class ResourceWatch {
  readonly #timer: NodeJS.Timeout;

  /** `marker` of all processes, ending in a dot. */
  constructor(marker: string, limits: ResourceLimits, resources: readonly Resource[]) {
    this.#timer = setInterval(() => look(marker, limits, resources), pauseMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
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
