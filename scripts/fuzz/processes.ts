// Several processes on the same files, then everything is rejected: `--seeds N --from S --steps N`; with `--commands`
// they run commands instead of editing, with `--mixed` one edits and one runs commands.

import { parseArgs } from "node:util";
import { rejectAfterProcesses } from "../../packages/testkit/src/processes-law.ts";
import { progressLine } from "../progress-line.ts";

export async function runProcesses(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "200" },
      from: { type: "string", default: "1" },
      steps: { type: "string", default: "25" },
      commands: { type: "boolean", default: false },
      mixed: { type: "boolean", default: false },
    },
  });
  const [seeds, from, steps] = [Number(values.seeds), Number(values.from), Number(values.steps)];
  const progress = progressLine();
  let failures = 0;
  let edits = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    try {
      const ofCommands = values.mixed ? { editors: 1, commanders: 1 } : { editors: 0, commanders: 2 };
      const writers = values.commands || values.mixed ? ofCommands : { editors: 2 + (seed % 2) };
      edits += await rejectAfterProcesses({ seed, ...writers, readers: (seed >> 1) % 2, steps });
    } catch (error) {
      failures += 1;
      console.error(error);
    }
    progress.show(`${seed - from + 1} of ${seeds} seeds, ${edits} edits, ${failures} failed`);
  }
  progress.clear();
  console.log(`${seeds - failures} passed, ${failures} failed, ${edits} edits`);
  return failures;
}
