// Commands: what a command costs beyond running its program directly, in each place: outside the sandbox, in it, and in the
// sandbox with the workspace read-only; warm, as the first of its place, and from one place to the other.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { must } from "../packages/testkit/src/workspace.ts";
import { Commands } from "../packages/workspace/src/commands/commands.ts";
import { openRoot } from "../packages/workspace/src/files/containment.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const run = promisify(execFile);
const rounds = 60;

const places = {
  open: { name: "outside the sandbox", isSandboxed: false, isReadOnly: false },
  sandboxed: { name: "in the sandbox", isSandboxed: true, isReadOnly: false },
  reading: { name: "in the sandbox, with the workspace read-only", isSandboxed: true, isReadOnly: true },
} as const;

type SandboxLevel = (typeof places)[keyof typeof places];

async function withCommands<T>(action: (commands: Commands) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  for (const name of ["root", "state"]) mkdirSync(join(folder, name));
  const commands = new Commands({
    root: must(openRoot(join(folder, "root"))),
    stateFolder: join(folder, "state"),
    environment: process.env,
    isSandboxed: true,
    variableRisk: () => "none",
  });
  try {
    return await action(commands);
  } finally {
    await commands.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function carryOut(commands: Commands, command: string, place: SandboxLevel): Promise<void> {
  const { isSandboxed, isReadOnly } = place;
  if (isSandboxed && commands.sandbox.kind === "none") throw new Error(commands.sandbox.reason);
  const request = { command, timeoutSeconds: 60, isSandboxed, isReadOnly, network: false };
  const end = must(await commands.run(request));
  if (end.exitCode !== 0) throw new Error(`${command} ended with ${end.exitCode}: ${end.output.text}`);
}

/** A program that is a file, so that both start a process for it. */
function each(program: string, words: readonly string[], place: SandboxLevel): Promise<Measured> {
  return withCommands(async (commands) => {
    const command = [program, ...words].join(" ");
    await carryOut(commands, command, place);
    let value = Number.POSITIVE_INFINITY;
    let against = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      value = Math.min(value, await best(1, () => carryOut(commands, command, place)));
      against = Math.min(against, await best(1, () => run(program, words)));
    }
    return { value, unit: "ms", against, ratio: value / against };
  });
}

async function first(place: SandboxLevel): Promise<Measured> {
  let value = Number.POSITIVE_INFINITY;
  let against = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round += 1) {
    const begin = () => withCommands((commands) => best(1, () => carryOut(commands, "/bin/true", place)));
    value = Math.min(value, await begin());
    against = Math.min(against, await best(1, () => run("bash", ["-c", "/bin/true"])));
  }
  return { value, unit: "ms", against, ratio: value / against };
}

/** A command after one of the other place: its variables are carried over. Beside one after another of the same place. */
function switched(): Promise<Measured> {
  return withCommands(async (commands) => {
    let value = Number.POSITIVE_INFINITY;
    let against = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      await carryOut(commands, `round=${round}`, places.sandboxed);
      value = Math.min(value, await best(1, () => carryOut(commands, "/bin/true", places.reading)));
      against = Math.min(against, await best(1, () => carryOut(commands, "/bin/true", places.reading)));
    }
    return { value, unit: "ms", against, ratio: value / against };
  });
}

/** At most 5 ms more than the program alone. */
const overhead = 5;

function warmBench(name: string, program: string, words: readonly string[], place: SandboxLevel): Bench {
  return {
    name,
    what: `one command (${program}) in a shell that is there, ${place.name}`,
    versus: "starting the program directly",
    goal: `at most ${overhead} ms more`,
    isReached: ({ value, against }) => value - (against ?? 0) <= overhead,
    measure: () => each(program, words, place),
  };
}

function firstBench(name: string, place: SandboxLevel): Bench {
  return {
    name,
    what: `the first command of a turn, with the start of everything that it needs, ${place.name}`,
    versus: "bash -c",
    goal: "at most 40 ms",
    isReached: ({ value }) => value <= 40,
    measure: () => first(place),
  };
}

const { open, sandboxed, reading } = places;

export const benches: readonly Bench[] = [
  warmBench("commands/true", "/bin/true", [], open),
  warmBench("commands/echo", "/bin/echo", ["hello"], open),
  warmBench("commands/sandboxed-true", "/bin/true", [], sandboxed),
  warmBench("commands/sandboxed-echo", "/bin/echo", ["hello"], sandboxed),
  warmBench("commands/reading-true", "/bin/true", [], reading),
  firstBench("commands/first", open),
  firstBench("commands/sandboxed-first", sandboxed),
  firstBench("commands/reading-first", reading),
  {
    name: "commands/switched",
    what: "one command (/bin/true) that only reads after one that writes and set a variable, which is carried over",
    versus: "after another one that only reads",
    goal: "at most 1 ms more",
    isReached: ({ value, against }) => value - (against ?? 0) <= 1,
    measure: switched,
  },
];
