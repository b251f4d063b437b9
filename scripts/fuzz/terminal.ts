// Random scripts in a terminal emulator: history and window are what the ledger says. `--scripts N --from S --steps N`.

import { parseArgs } from "node:util";
import { simulateTerminal } from "../../packages/testkit/src/terminal-simulation.ts";
import { progressLine } from "../progress-line.ts";

export async function runTerminal(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      scripts: { type: "string", default: "5000" },
      from: { type: "string", default: "1" },
      steps: { type: "string", default: "60" },
    },
  });
  const wanted = Number(values.scripts);
  const first = Number(values.from);
  const progress = progressLine();
  let [failures, strays, repeats, rows] = [0, 0, 0, 0];
  for (let seed = first; seed < first + wanted; seed += 1) {
    try {
      const result = await simulateTerminal(seed, Number(values.steps));
      strays += result.strays;
      repeats += result.repeats;
      rows += result.rows;
    } catch (error) {
      failures += 1;
      console.error(`seed ${seed}:`, error);
    }
    progress.show(`${seed - first + 1} of ${wanted} scripts, ${failures} failed`);
  }
  progress.clear();
  console.log(
    `${wanted} scripts, ${rows} rows of history, ${failures} scripts in which a row was lost or is not where it belongs; ` +
      `${repeats} rows twice because committed rows were changed or pushed by a lower screen, ${strays} rows of the window left by a narrower one`,
  );
  return failures;
}
