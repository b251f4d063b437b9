// Runs a process that is killed on purpose (see telling-child.ts) until its end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { sample } from "./depth.ts";

export interface ChildReport {
  /** The names of the steps that it came to. */
  readonly steps: readonly string[];
  readonly done: readonly string[];
  /** Whether it came to its end, and was not killed before. */
  readonly isFinished: boolean;
}

export async function runKilledChild(script: string, words: readonly string[]): Promise<ChildReport> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  await ended;
  const lines = output.split("\n");
  const named = (word: string) =>
    lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length));
  return { steps: named("step "), done: named("did "), isFinished: lines.includes("finished") };
}

/** How many of the steps `npm test` kills a process at. */
const killed = 10;

/**
 * Lets a process come to its end, then kills one at each of its steps (a sample of them), and checks what is left each time.
 * Returns how many steps there are to be killed at.
 */
export async function killEverywhere<T extends ChildReport>(
  t: TestContext,
  crashAt: (step: number) => Promise<T>,
  checkAfter: (crash: T) => Promise<void>,
): Promise<number> {
  const whole = await crashAt(0);
  assert.ok(whole.isFinished, "the child finishes when it is not killed");
  await checkAfter(whole);
  // Of a transaction that is not committed nothing remains, whichever of its statements was the last.
  const isWithin = (name: string) => name.startsWith("ledger ") && !name.startsWith("ledger commit");
  const moments = whole.steps.flatMap((name, index) => (isWithin(name) ? [] : [index + 1]));
  const pending = sample(t, moments, killed);
  const worker = async () => {
    for (let step = pending.shift(); step !== undefined; step = pending.shift()) {
      const crash = await crashAt(step);
      assert.ok(!crash.isFinished, `it was killed at step ${step}`);
      await checkAfter(crash).catch((error: unknown) => {
        throw new Error(`killed at step ${step}, ${crash.steps.at(-1)}`, { cause: error });
      });
    }
  };
  await Promise.all([worker(), worker()]);
  return moments.length;
}
