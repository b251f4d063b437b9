// Commands: what a command costs beyond running its program directly, outside the sandbox and in it.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { must } from "../packages/testkit/src/workspace.ts";
import { Commands } from "../packages/workspace/src/commands/commands.ts";
import { openRoot } from "../packages/workspace/src/containment.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const run = promisify(execFile);
const rounds = 60;

async function withCommands<T>(action: (commands: Commands) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  for (const name of ["root", "state"]) mkdirSync(join(folder, name));
  const commands = new Commands({
    root: must(openRoot(join(folder, "root"))),
    stateFolder: join(folder, "state"),
    environment: process.env,
    isSandboxed: true,
    maxJobs: 5,
  });
  try {
    return await action(commands);
  } finally {
    await commands.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function carryOut(commands: Commands, command: string, isSandboxed: boolean): Promise<void> {
  const end = must(await commands.run({ command, timeoutSeconds: 60, isSandboxed, network: false }));
  if (end.exitCode !== 0) throw new Error(`${command} ended with ${end.exitCode}: ${end.output.text}`);
}

/** A program that is a file, so that both start a process for it. */
function each(program: string, words: readonly string[], isSandboxed: boolean): Promise<Measured> {
  return withCommands(async (commands) => {
    if (isSandboxed && commands.sandbox.kind === "none") throw new Error(commands.sandbox.reason);
    const command = [program, ...words].join(" ");
    await carryOut(commands, command, isSandboxed);
    let value = Number.POSITIVE_INFINITY;
    let against = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      value = Math.min(value, await best(1, () => carryOut(commands, command, isSandboxed)));
      against = Math.min(against, await best(1, () => run(program, words)));
    }
    return { value, unit: "ms", against, ratio: value / against };
  });
}

async function first(isSandboxed: boolean): Promise<Measured> {
  let value = Number.POSITIVE_INFINITY;
  let against = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round += 1) {
    const begin = () =>
      withCommands((commands) => best(1, () => carryOut(commands, "/bin/true", isSandboxed)));
    value = Math.min(value, await begin());
    against = Math.min(against, await best(1, () => run("bash", ["-c", "/bin/true"])));
  }
  return { value, unit: "ms", against, ratio: value / against };
}

interface Case {
  readonly program: string;
  readonly words: readonly string[];
  readonly isSandboxed: boolean;
  /** Milliseconds more than the program alone. */
  readonly overhead: number;
}

function benchOf(name: string, { program, words, isSandboxed, overhead }: Case): Bench {
  return {
    name,
    what: `one command (${program}) in a shell that is there, ${isSandboxed ? "in the sandbox" : "outside the sandbox"}`,
    versus: "starting the program directly",
    goal: `at most ${overhead} ms more`,
    isReached: ({ value, against }) => value - (against ?? 0) <= overhead,
    measure: () => each(program, words, isSandboxed),
  };
}

const outside = { isSandboxed: false, overhead: 15 };
const inside = { isSandboxed: true, overhead: 40 };

export const benches: readonly Bench[] = [
  benchOf("commands/true", { program: "/bin/true", words: [], ...outside }),
  benchOf("commands/echo", { program: "/bin/echo", words: ["hello"], ...outside }),
  benchOf("commands/sandboxed-true", { program: "/bin/true", words: [], ...inside }),
  benchOf("commands/sandboxed-echo", { program: "/bin/echo", words: ["hello"], ...inside }),
  {
    name: "commands/first",
    what: "the first command of a turn, with the start of everything that it needs, outside the sandbox",
    versus: "bash -c",
    goal: "under 60 ms",
    isReached: ({ value }) => value < 60,
    measure: () => first(false),
  },
  {
    name: "commands/sandboxed-first",
    what: "the first command of a turn, with the start of everything that it needs, in the sandbox",
    versus: "bash -c",
    goal: "under 120 ms",
    isReached: ({ value }) => value < 120,
    measure: () => first(true),
  },
];
