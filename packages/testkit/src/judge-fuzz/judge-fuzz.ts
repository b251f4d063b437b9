// The judge of commands against a real bash: lines at random are judged, and what may run without a question in mode plan is
// run. A line that leaves a trace was not only reading.

import { posix } from "node:path";
import { examineCommand } from "@stet/tools/permission/examine-command";
import type { judge } from "@stet/tools/permission/judge";
import { Random } from "../random.ts";
import { LineRunner, lineHome, lineRoot } from "./line-runner.ts";
import { LineMaker } from "./random-line.ts";

export interface JudgeFuzzOptions {
  readonly judge: typeof judge;
  /** Lines to begin with, half of what is judged. */
  readonly known: readonly string[];
  readonly seed: number;
  readonly lines: number;
  readonly onProgress?: (judged: number, allowed: number, failures: number) => void;
}

export interface JudgeFuzzReport {
  readonly judged: number;
  readonly allowed: number;
  /** Allowed lines that were run; the same line is run once. */
  readonly ran: number;
  readonly failures: readonly string[];
}

const batchSize = 200;
const longestLine = 2000;

export function fuzzJudge({ judge, known, seed, lines, onProgress }: JudgeFuzzOptions): JudgeFuzzReport {
  const maker = new LineMaker(new Random(seed), known);
  const runner = new LineRunner();
  const failures: string[] = [];
  const seen = new Set<string>();
  let waiting: string[] = [];
  let allowed = 0;
  const runWaiting = () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0 || runner.run(batch, { waitSeconds: 0.05 }).length === 0) return;
    for (const line of batch) {
      const traces = runner.run([line], { waitSeconds: 0.05 });
      if (traces.length > 0) failures.push(`${JSON.stringify(line)} left ${traces.slice(0, 3).join(", ")}`);
    }
  };
  try {
    for (let judged = 1; judged <= lines; judged += 1) {
      const line = maker.line();
      if (line.length <= longestLine && isAllowed(judge, line)) {
        allowed += 1;
        if (!seen.has(line) && !isSlow(line)) {
          seen.add(line);
          waiting.push(line);
        }
      }
      if (waiting.length >= batchSize) runWaiting();
      if (judged % 1000 === 0) onProgress?.(judged, allowed, failures.length);
    }
    runWaiting();
  } finally {
    runner.close();
  }
  return { judged: lines, allowed, ran: seen.size, failures };
}

function isAllowed(judgeOf: typeof judge, command: string): boolean {
  const target = { kind: "command", command, folder: ".", network: false } as const;
  return [true, false].some((hasSandbox) => {
    const setting = {
      mode: "plan",
      rules: [],
      remembered: [],
      hasSandbox,
      sandboxNetwork: false,
      place: {
        root: lineRoot,
        home: lineHome,
        realPath: (absolute: string) => posix.normalize(absolute),
        entriesIn: () => [],
        git: { tracked: () => [], known: () => [], unignored: (paths: readonly string[]) => paths },
        shell: "bash",
        isWritableProgram: () => false,
        // Older judges ask for these.
        isRepository: true,
        secretsIn: () => [],
      },
    } as const;
    return judgeOf({ tool: "bash", targets: [target] }, setting, examineCommand).effect === "allow";
  });
}

/** It would only wait. */
function isSlow(line: string): boolean {
  return /sleep|tail[^\n]*-\w*f|--follow|while|until|yes/.test(line) && !/break/.test(line);
}
