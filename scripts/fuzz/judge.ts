// Random command lines against the judge and a real bash: `--lines N --seed S`. `--judge FILE` takes the judge of another
// revision, whose folder is checked out elsewhere.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { fuzzJudge } from "../../packages/testkit/src/judge-fuzz/judge-fuzz.ts";
import { cannotRun } from "../../packages/testkit/src/judge-fuzz/line-runner.ts";
import cases from "../../packages/tools/src/permission/cases.json" with { type: "json" };
import type { judge } from "../../packages/tools/src/permission/judge.ts";
import { progressLine } from "../progress-line.ts";

export async function runJudge(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      lines: { type: "string", default: "250000" },
      seed: { type: "string", default: "1" },
      judge: { type: "string", default: "packages/tools/src/permission/judge.ts" },
    },
  });
  const missing = cannotRun();
  if (missing !== undefined) {
    console.error(`Lines cannot be run here: ${missing}.`);
    return 1;
  }
  const tested: { judge: typeof judge } = await import(pathToFileURL(resolve(values.judge)).href);
  const started = performance.now();
  const progress = progressLine();
  const report = fuzzJudge({
    judge: tested.judge,
    known: cases.map((entry) => entry.command),
    seed: Number(values.seed),
    lines: Number(values.lines),
    onProgress: (judged, allowed, failures) =>
      progress.show(`${judged} lines judged, ${allowed} allowed, ${failures} failed`),
  });
  progress.clear();
  for (const failure of report.failures) console.error(failure);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${report.judged} lines judged, ${report.allowed} allowed, ${report.ran} run in bash, ${report.failures.length} changed something or ran what was not judged; ${seconds} s`,
  );
  return report.failures.length;
}
