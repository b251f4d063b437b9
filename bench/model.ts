// Models: the cost of a stream, over reading its bytes.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Bench, Measured } from "./bench.ts";

/** Server and client run in processes of their own; the client prints what it used. */
function stream(): Measured {
  const child = join(import.meta.dirname, "model-stream-child.ts");
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const output = execFileSync(process.execPath, [...flags, child], { encoding: "utf8" });
  const {
    streamMicroseconds,
    bytesMicroseconds,
    grownMegabytes,
  }: { streamMicroseconds: number; bytesMicroseconds: number; grownMegabytes: number } = JSON.parse(output);
  if (grownMegabytes > 50) throw new Error(`the memory of the client grew by ${grownMegabytes} MB`);
  const value = streamMicroseconds - bytesMicroseconds;
  return { value, unit: "µs", against: bytesMicroseconds, ratio: value / bytesMicroseconds };
}

export const benches: readonly Bench[] = [
  {
    name: "model/stream",
    what: "CPU time for each of 100,000 deltas to a consumer, over reading the bytes; memory stays flat",
    versus: "only reading the bytes",
    goal: "at most 5 µs",
    isReached: ({ value }) => value <= 5,
    measure: stream,
  },
];
