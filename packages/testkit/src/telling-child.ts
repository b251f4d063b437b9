// What a process that is killed on purpose tells of itself: "step NAME" before each step, "did NAME" after each thing that it
// did. killed-child.ts reads it.

import { writeSync } from "node:fs";
import { type Fault, isFault } from "@stet/protocol/fault";

/** Counts steps; the process ends at the one with this number, as a power cut would end it. */
export function fatalSteps(fatal: number): (name: string) => void {
  let steps = 0;
  return (name) => {
    steps += 1;
    writeSync(1, `step ${name}\n`);
    if (steps === fatal) process.kill(process.pid, "SIGKILL");
  };
}

export function mustDo<T>(value: T | Fault, did: string): T {
  if (isFault(value)) throw new Error(`${did}: ${JSON.stringify(value)}`);
  writeSync(1, `did ${did}\n`);
  return value;
}
