// The laws of the ledger under random load, for thousands of seeds: `--seeds N --from S --steps N`.

import { parseArgs } from "node:util";
import { simulate } from "../../packages/testkit/src/workspace-simulation.ts";
import { progressLine } from "../progress-line.ts";

export async function runLedger(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "3000" },
      from: { type: "string", default: "1" },
      steps: { type: "string", default: "40" },
    },
  });
  const [seeds, from, steps] = [Number(values.seeds), Number(values.from), Number(values.steps)];
  const started = performance.now();
  const progress = progressLine();
  let failures = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    try {
      await simulate(seed, steps);
    } catch (error) {
      failures += 1;
      console.error(error);
    }
    const done = seed - from + 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    progress.show(`${done} of ${seeds} seeds, ${failures} failed, ${seconds} s`);
  }
  progress.clear();
  console.log(`${seeds - failures} passed, ${failures} failed`);
  return failures;
}
