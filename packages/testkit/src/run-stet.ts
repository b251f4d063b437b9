// The `stet` command, run to its end: by a call in this process, which takes milliseconds, or as a process of its own, for
// what only a process has (signals, an exit in the middle, a real terminal). Both take and return the same.
//
// A call shares nothing with the test that makes it: the folder, the environment, the streams and Ctrl-C are its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Keyboard } from "@stet/cli/keyboard";
import { main } from "@stet/cli/main";
import { terminalOver } from "@stet/cli/terminal";
import { noLocalServers } from "./no-local-servers.ts";

export interface RunOptions {
  /** The folder that the person stands in. */
  readonly cwd: string;
  /** All of it: nothing is inherited but what a process needs to start. */
  readonly env: NodeJS.ProcessEnv;
  readonly as?: "call" | "process";
  /** What is piped into it. Not beside `isTerminal`. */
  readonly input?: string;
  /** Keyboard and screen are a terminal's. `out` of a process then has everything, as a screen has. */
  readonly isTerminal?: boolean;
  /** Who sits there. Called when the command starts. */
  readonly person?: (person: TypedInput) => unknown;
}

export interface TypedInput {
  /** Everything written so far, in its order. */
  screen(): string;
  /** Waits until the screen has it, from `from` characters on; returns the length of the screen up to its end. */
  sees(what: RegExp, from?: number): Promise<number>;
  types(keys: string): void;
  /** Ctrl-C while nobody reads keys. */
  interrupts(): void;
}

export interface StetResult {
  readonly code: number | null;
  readonly out: string;
  readonly note: string;
  /** Both, in the order they were written. */
  readonly screen: string;
}

/** The person's own folders below `home`, as every run of a test needs them. */
export function environmentBelow(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    HOME: home,
    STET_DATA_DIR: join(home, "data"),
    STET_KEYCHAIN: "off",
    ...noLocalServers,
    XDG_CONFIG_HOME: join(home, "config"),
  };
}

export function runStet(args: readonly string[], options: RunOptions): Promise<StetResult> {
  if (options.as !== "process") return call(args, options);
  return options.isTerminal ? runInTerminal(args, options) : run(args, options);
}

async function call(args: readonly string[], options: RunOptions): Promise<StetResult> {
  const { cwd, env, isTerminal = false, input = "" } = options;
  const seen = new Screen();
  const controller = new AbortController();
  const keys = Object.assign(new PassThrough(), { isTTY: isTerminal });
  if (!isTerminal) keys.end(input);
  const keyboard = new Keyboard(keys);
  const terminal = terminalOver({
    out: (part) => seen.add("out", part),
    note: (part) => seen.add("note", part),
    input: () => (isTerminal ? Promise.resolve("") : text(keys)),
    keys: keyboard,
    person: () => (isTerminal ? { keys: keyboard, show: (part) => seen.add("note", part) } : undefined),
    isInteractive: isTerminal,
    isWatched: isTerminal,
    isRead: isTerminal,
    isColoured: false,
    width: 100,
  });
  const ended = main(args, {
    terminal,
    cwd,
    environment: env,
    signal: controller.signal,
    interrupt: () => controller.abort(),
    endsProcess: false,
  });
  const stop = () => {
    controller.abort();
    keys.end();
  };
  const person = seen.seat(options, {
    types: (typed) => keys.write(typed),
    interrupts: () => controller.abort(),
    stop,
  });
  const code = await ended;
  await person.leaves();
  keys.destroy();
  return { code, ...seen.parts };
}

const command = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../../cli/src/main.ts")];

async function run(args: readonly string[], options: RunOptions): Promise<StetResult> {
  const { cwd, env, input = "" } = options;
  const child = spawn(process.execPath, [...command, ...args], { cwd, env });
  const seen = new Screen();
  child.stdin.on("error", () => {}).end(input);
  child.stdout.on("data", (data) => seen.add("out", String(data)));
  child.stderr.on("data", (data) => seen.add("note", String(data)));
  const person = seen.seat(options, {
    types: () => {},
    interrupts: () => child.kill("SIGINT"),
    stop: () => child.kill("SIGKILL"),
  });
  const [code] = await once(child, "close");
  await person.leaves();
  return { code, ...seen.parts };
}

async function runInTerminal(args: readonly string[], options: RunOptions): Promise<StetResult> {
  const { cwd, env } = options;
  const { spawn: spawnInTerminal } = await import("@lydell/node-pty");
  const child = spawnInTerminal(process.execPath, [...command, ...args], {
    cwd,
    env: { TERM: "xterm-256color", NO_COLOR: "1", ...env },
    cols: 100,
    rows: 40,
  });
  const seen = new Screen();
  const ended = new Promise<number>((done) => child.onExit(({ exitCode }) => done(exitCode)));
  child.onData((data) => seen.add("out", data.replaceAll("\r\n", "\n")));
  const person = seen.seat(options, {
    types: (typed) => child.write(typed),
    interrupts: () => child.write("\u0003"),
    stop: () => child.kill("SIGKILL"),
  });
  const code = await ended;
  await person.leaves();
  return { code, ...seen.parts };
}

interface Hands {
  types(keys: string): void;
  interrupts(): void;
  /** Ends the command because the test has failed. */
  stop(): void;
}

/** What was written, and those who wait for some of it. */
class Screen {
  readonly parts = { out: "", note: "", screen: "" };
  #isEnded = false;
  #waiting: (() => void)[] = [];

  add(stream: "out" | "note", part: string): void {
    this.parts[stream] += part;
    this.parts.screen += part;
    this.#wake();
  }

  /** Puts the test's person before it. What goes wrong for them ends the command, and is thrown when they leave. */
  seat({ person }: RunOptions, hands: Hands): { leaves(): Promise<void> } {
    const { types, interrupts, stop } = hands;
    const sees = (what: RegExp, from = 0) => this.#sees(what, from);
    const acting = (async () => person?.({ screen: () => this.parts.screen, sees, types, interrupts }))();
    acting.catch(stop);
    return {
      leaves: async () => {
        this.#isEnded = true;
        this.#wake();
        await acting;
      },
    };
  }

  async #sees(what: RegExp, from: number): Promise<number> {
    for (;;) {
      const found = what.exec(this.parts.screen.slice(from));
      if (found !== null) return from + found.index + found[0].length;
      if (this.#isEnded) throw new Error(`${what} was never shown:\n${this.parts.screen}`);
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
