// Random lines that read, against a rule that denies a folder, secrets and links, in a real bash: `--lines N --seed S`.

import { parseArgs } from "node:util";
import { cannotRun } from "../../packages/testkit/src/judge-fuzz/line-runner.ts";
import { fuzzReach } from "../../packages/testkit/src/reach-fuzz/reach-fuzz.ts";

export async function runReach(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { lines: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
  });
  const missing = cannotRun();
  if (missing !== undefined) {
    console.error(`Lines cannot be run here: ${missing}.`);
    return 1;
  }
  const report = fuzzReach({ seed: Number(values.seed), lines: Number(values.lines) });
  for (const failure of report.failures) console.error(failure);
  console.log(
    `${report.judged} lines judged, ${report.ran} run in bash, ${report.failures.length} printed what they must not`,
  );
  return report.failures.length;
}
