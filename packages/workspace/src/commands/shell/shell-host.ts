// One process that shells live under: inside the sandbox or outside, with the network or without. Shells of the same host
// share its loopback network, so a command reaches a server that another one has started.
//
// When the host is gone, nothing that it started is left: in the sandbox the kernel ends its process namespace, elsewhere
// the host's own script kills what carries the marker (see shell-script.ts), also when Stet was killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { Fault } from "@stet/protocol/fault";
import type { ResourceLimits } from "../sandbox/resource-limits.ts";
import { childrenOf, countBelow, countMarked, graceMs } from "./processes.ts";
import { Shell } from "./shell.ts";
import { type OutputPipe, ShellChannels } from "./shell-channels.ts";
import { hostScript, type Program, slotsOf } from "./shell-script.ts";

export interface HostOptions {
  /** What stands before the shell on the command line: the sandbox, or nothing. */
  readonly prefix: readonly string[];
  readonly program: Program;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** For the output of each shell, as many as `slotsOf` the program says. */
  readonly pipes: readonly OutputPipe[];
  /** Where programs are that are not the workspace's. */
  readonly helperPath: string;
  /** The marker of all processes, ending in a dot. */
  readonly marker: string;
  /** What the markers of its shells begin with. */
  readonly shellMarker: string;
  /** Whether the prefix makes a process namespace. */
  readonly isNamespace: boolean;
  /** What the shell bounds for itself. */
  readonly limits: Partial<ResourceLimits>;
  /** A file that the prefix reads from the descriptor `filterDescriptor`. */
  readonly filter: string | undefined;
}

/** Behind those of the shells. */
export function filterDescriptor(program: Program): number {
  return 3 + 2 * slotsOf(program).length;
}

const maxMessage = 4096;

type HostProcess = ChildProcess & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

export class ShellHost {
  readonly #options: HostOptions;
  readonly #child: HostProcess;
  readonly #channels: ShellChannels;
  readonly #shells = new Map<string, Shell>();
  #message = "";
  #hasEnded = false;
  /** How many processes it needs for itself, beside its shells; undefined until the first shell is there. */
  #own: number | undefined;
  /** Whether shells can be started in it. */
  isAlive = true;

  constructor(options: HostOptions) {
    this.#options = options;
    const { prefix, program, environment, folder, marker, helperPath, pipes } = options;
    const script = hostScript(program, options.limits);
    // A bash whose input is a socket, as Node's pipes are, would read the person's start-up file.
    const plain = program.kind === "bash" ? ["--noprofile", "--norc"] : [];
    const names = ["host", marker.slice(0, -1), program.path, helperPath];
    const words = [...prefix, program.path, ...plain, "-c", script, ...names];
    const [file = program.path, ...rest] = words;
    const filter = options.filter === undefined ? [] : [openSync(options.filter, constants.O_RDONLY)];
    const inherited = [...pipes.flatMap(({ write }) => ["pipe" as const, write]), ...filter];
    // A process session of its own: signals of Stet's terminal (Ctrl-C) do not reach it.
    const child = spawn(file, rest, {
      cwd: folder,
      env: environment,
      stdio: ["pipe", "pipe", "pipe", ...inherited],
      detached: true,
    });
    for (const descriptor of filter) closeSync(descriptor);
    if (!isHostProcess(child)) throw new Error("A host of shells was started without streams");
    this.#child = child;
    this.#channels = new ShellChannels(this.#child, slotsOf(program), pipes);
    this.#follow();
  }

  /** Whether another shell can be started in it. */
  get hasRoom(): boolean {
    return this.isAlive && !this.#channels.isEmpty;
  }

  /** No two shells have the same name. */
  async startShell(name: string): Promise<Shell | Fault> {
    const { marker, program } = this.#options;
    const taken = this.#channels.take();
    if (!this.isAlive || taken === undefined) return failed(this.#reason());
    const { slot, channel } = taken;
    const shell = new Shell(channel, `${marker}${name}`, program);
    this.#shells.set(name, shell);
    this.#child.stdin.write(`${name} ${slot.control} ${slot.output}\n`);
    if (await shell.ready) {
      // Of the first shell nothing was asked yet.
      this.#own ??= this.#processes() - this.#perShell;
      return shell;
    }
    this.#shells.delete(name);
    // The reason why it did not start follows a moment later.
    if (this.#message === "")
      await Promise.race([once(this.#child, "close"), new Promise((go) => setTimeout(go, 200))]);
    return failed(this.#reason());
  }

  /** Whether anything is running in it that a command has left there. */
  get hasLeft(): boolean {
    if (this.#hasEnded || this.#own === undefined) return false;
    const shells = [...this.#shells.values()].filter((shell) => shell.isAlive).length;
    const known = this.#own + shells * this.#perShell;
    // The system lists processes one after the other: one that loses its parent meanwhile may be missed, not every time.
    return Array.from({ length: 3 }).some(() => this.#processes() > known);
  }

  /** A shell, and in a namespace, where all are counted, the one that waits for its end. */
  get #perShell(): number {
    return this.#options.isNamespace ? 2 : 1;
  }

  #processes(): number {
    const { pid } = this.#child;
    if (pid === undefined) return 0;
    // Outside a namespace a process that has lost its parent is not below the host any more.
    return this.#options.isNamespace ? countBelow(pid) : countMarked(this.#options.shellMarker);
  }

  /** Ends everything. What carries the marker has been ended before where there is no namespace. */
  async close(): Promise<void> {
    for (const shell of this.#shells.values()) shell.close();
    this.#channels.close();
    if (!this.#hasEnded) {
      // Everything that the host waits with holds its output, so this is the end of all of it.
      const closed = once(this.#child, "close");
      this.#child.stdin.end("\n");
      if (this.#options.isNamespace) this.#kill();
      const timer = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
      await closed;
      clearTimeout(timer);
    }
  }

  /** The first process of a namespace ends only after all others in it, and the sandbox only after that one. */
  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const first = childrenOf(pid);
    for (const target of first.length > 0 ? first : [pid]) {
      try {
        process.kill(target, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
  }

  #follow(): void {
    const { stdin, stdout, stderr } = this.#child;
    let line = "";
    stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (line + text).split("\n");
      line = (lines.pop() ?? "").slice(0, 100);
      for (const ended of lines) {
        const [name = "", code = ""] = ended.split(" ");
        this.#shells.get(name)?.hasExited(Number(code));
        this.#shells.delete(name);
      }
    });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#message = (this.#message + text).slice(0, maxMessage);
    });
    stdin.on("error", () => {});
    const gone = (message: string) => {
      this.isAlive = false;
      this.#hasEnded = true;
      if (this.#message === "") this.#message = message;
      for (const shell of this.#shells.values()) shell.hasExited(undefined);
      this.#shells.clear();
    };
    this.#child.on("error", (error) => gone(String(error)));
    this.#child.on("exit", (code, signal) =>
      gone(`it ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
    );
  }

  #reason(): string {
    return this.#message.trim() || "it gave no reason";
  }
}

function isHostProcess(child: ChildProcess): child is HostProcess {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

export function failed(reason: string): Fault {
  return new Fault(
    "command_failed",
    `The shell could not be started: ${reason}.`,
    "Tell the person; nothing was run.",
    { reason },
  );
}
