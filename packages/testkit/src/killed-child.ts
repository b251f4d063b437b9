// Runs a process that is killed on purpose (see telling-child.ts) until its end.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Told {
  /** The names of the steps that it came to. */
  readonly steps: readonly string[];
  readonly done: readonly string[];
  /** Whether it came to its end, and was not killed before. */
  readonly isFinished: boolean;
}

export async function runKilledChild(script: string, words: readonly string[]): Promise<Told> {
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
