// Random scripts with background writers: what they did is in the review, rejected and brought again. `--scripts N --from S`.

import { parseArgs } from "node:util";
import { simulateScripts } from "../../packages/testkit/src/script-simulation.ts";
import { progressLine } from "../progress-line.ts";

/** Turns over one folder. */
const turns = 10;

export async function runScripts(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { scripts: { type: "string", default: "10000" }, from: { type: "string", default: "1" } },
  });
  const wanted = Number(values.scripts);
  const started = performance.now();
  const progress = progressLine();
  let [scripts, failures] = [0, 0];
  for (let seed = Number(values.from); scripts < wanted; seed += 1) {
    try {
      scripts += await simulateScripts(seed, turns);
    } catch (error) {
      failures += 1;
      scripts += turns;
      console.error(`seed ${seed}:`, error);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    progress.show(`${scripts} of ${wanted} scripts, ${failures} folders failed, ${seconds} s`);
  }
  progress.clear();
  console.log(`${scripts} scripts, ${failures} folders in which something was missing or not as before`);
  return failures;
}
