// Commands of one agent over one folder. After `close` nothing that was started here is alive. After `retire` only those
// commands are that were left to go on; when the last of them has ended, the rest is closed.
//
// Commands go to a shell that keeps its folder, variables and functions. Each profile (shell-hosts.ts) has one; they share the
// folder that they are in, and those in the sandbox also plain variables (carried-variables.ts). A command that comes while
// the shell is busy, or that asks for it, gets a shell of its own.

import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { type Root, resolveFolder } from "../files/containment.ts";
import { type CommandEnd, type CommandRequest, clampTimeout, requestFault } from "./command.ts";
import { CommandLimits } from "./command-limits.ts";
import { CommandOutput, type TailLimits } from "./command-output.ts";
import type { SandboxStatus } from "./sandbox/sandbox.ts";
import { carryVariables, type VariableEnd, type VariableRisk } from "./shell/carried-variables.ts";
import type { Shell, ShellAnswer } from "./shell/shell.ts";
import type { TerminalSize } from "./shell/terminal.ts";
import { type CommandProfile, isReadOnly, ShellHosts, type ShellHostsOptions } from "./shell-hosts.ts";

export interface CommandsOptions extends ShellHostsOptions {
  /** Which variables may be carried from one profile of the sandbox to another; without it none is. */
  readonly variableRisk?: VariableRisk | undefined;
}

/** A command on its way. */
export interface RunningCommand {
  /** When it was started, by `performance.now()`. */
  readonly started: number;
  readonly ended: Promise<CommandEnd | Fault>;
  /** The last lines of its output so far. */
  lastLines(bounds: TailLimits): string;
  /** Leaves it to itself: its shell goes with it, and the next command gets a fresh one in the same folder. */
  leave(): void;
}

/** The shell of a profile that goes on from command to command. */
interface Slot {
  readonly profile: CommandProfile;
  isTaken: boolean;
  end: VariableEnd | undefined;
}

interface Flight {
  readonly request: CommandRequest;
  readonly output: CommandOutput;
  /** Undefined where it has a shell of its own. */
  slot: Slot | undefined;
  /** Of the processes that it starts; undefined where it starts none. */
  readonly marker: PromiseWithResolvers<string | undefined>;
  isLeft: boolean;
  /** Ends it before its end. */
  readonly stop: AbortController;
}

type EndReport = Pick<CommandEnd, "exitCode" | "folderWasGone" | "shellEnded">;

export class Commands {
  readonly hosts: ShellHosts;
  readonly #root: Root;
  readonly #ending = new AbortController();
  readonly #slots = new Map<CommandProfile, Slot>();
  readonly #variableRisk: VariableRisk | undefined;
  /** The one in the sandbox whose shell has run the last command: what that has set, the next one sees. */
  #lastSlot: Slot | undefined;
  readonly #running = new Map<Flight, Promise<unknown>>();
  #folder: string;
  #count = 0;
  #isRetired = false;
  #closing: Promise<void> | undefined;
  readonly #closed = Promise.withResolvers<void>();

  constructor(options: CommandsOptions) {
    this.#root = options.root;
    this.hosts = new ShellHosts(options);
    this.#folder = options.root.path;
    this.#variableRisk = options.variableRisk;
  }

  get sandbox(): SandboxStatus {
    const { kind, reason } = this.hosts.sandbox;
    return { kind, reason };
  }

  /** Whether anything is running: a command, one that was left to go on, or what one of them has left behind. */
  get isAtWork(): boolean {
    return this.#running.size > 0 || this.hosts.hasLeft;
  }

  /** Where the next command runs: absolute. */
  get folder(): string {
    return this.#folder;
  }

  run(request: CommandRequest): Promise<CommandEnd | Fault> {
    return this.start(request).ended;
  }

  start(request: CommandRequest): RunningCommand {
    this.#count += 1;
    const name = `output-${this.#count}.txt`;
    const output = new CommandOutput(() => join(this.hosts.ownFolder, name));
    const stop = new AbortController();
    const marker = Promise.withResolvers<string | undefined>();
    const flight: Flight = { request, output, slot: undefined, marker, isLeft: false, stop };
    const started = performance.now();
    const ended = this.#carryOut(flight);
    this.#running.set(flight, ended);
    const forget = () => {
      marker.resolve(undefined);
      this.#running.delete(flight);
    };
    void ended.then(forget, forget);
    const leave = () => {
      flight.isLeft = true;
      for (const [profile, slot] of this.#slots) {
        if (slot === flight.slot) this.#slots.delete(profile);
      }
    };
    return { started, ended, leave, lastLines: (bounds) => output.lastLines(bounds) };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await Promise.all([this.hosts.close(), Promise.allSettled(this.#running.values())]);
    this.#closed.resolve();
  }

  /** Resolves when nothing that was started here is alive. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Ends everything but the commands that were left to go on; false where there is none. From now on none is begun. */
  async retire(): Promise<boolean> {
    const left = [...this.#running].filter(([{ isLeft }]) => isLeft);
    if (left.length === 0) {
      await this.close();
      return false;
    }
    this.#isRetired = true;
    const others = [...this.#running].filter(([{ isLeft }]) => !isLeft);
    for (const [{ stop }] of others) stop.abort();
    await Promise.allSettled(others.map(([, ended]) => ended));
    for (const { end } of this.#slots.values()) end?.shell.close();
    this.#slots.clear();
    const markers = await Promise.all(left.map(([{ marker }]) => marker.promise));
    await this.hosts.endAllBut(markers.filter((marker) => marker !== undefined));
    void Promise.allSettled(left.map(([, ended]) => ended)).then(() => this.close());
    return true;
  }

  async #carryOut(flight: Flight): Promise<CommandEnd | Fault> {
    const { request, output } = flight;
    const fault = requestFault(request) ?? this.#refusal(request);
    if (fault !== undefined) return fault;
    const folder = this.#folderFor(request);
    if (isFault(folder)) return folder;
    const { timeoutSeconds: wanted } = request;
    const timeoutSeconds = wanted === undefined ? undefined : clampTimeout(wanted);
    const signals = [request.signal, flight.stop.signal, this.#ending.signal];
    const limits = new CommandLimits(timeoutSeconds && timeoutSeconds * 1000, signals);
    const started = performance.now();
    try {
      const report =
        request.terminal === undefined
          ? await this.#inShell(flight, folder, limits)
          : await this.#inTerminal(flight, folder, request.terminal, limits);
      if (isFault(report)) return limits.isCancelled ? cancelledFault() : report;
      const { paths, setAside } = this.hosts.putBack();
      return {
        exitCode: limits.isOver ? undefined : report.exitCode,
        timedOut: limits.hasTimedOut,
        timeoutSeconds,
        cancelled: limits.isCancelled,
        folder: this.#folder,
        folderWasGone: report.folderWasGone,
        shellEnded: report.shellEnded,
        output: output.end(),
        durationMs: Math.round(performance.now() - started),
        isSandboxed: request.isSandboxed,
        wasReadOnly: request.isSandboxed && (request.isReadOnly ?? false),
        network: request.network || !request.isSandboxed,
        hasOtherTemporary: !request.isSandboxed && this.hosts.hasUsedSandbox,
        putBack: paths,
        setAside,
      };
    } finally {
      limits.release();
    }
  }

  #refusal({ isSandboxed, signal }: CommandRequest): Fault | undefined {
    if (this.#closing !== undefined || this.#isRetired || signal?.aborted) return cancelledFault();
    if (!isSandboxed || this.sandbox.kind !== "none") return undefined;
    return new Fault(
      "not_allowed",
      `The command was to run in a sandbox, and there is none. ${this.sandbox.reason}`,
      "Ask the person to allow it outside a sandbox.",
    );
  }

  #folderFor({ cwd }: CommandRequest): string | Fault {
    if (cwd === undefined) return this.#folder;
    const found = resolveFolder(this.#root, cwd);
    return isFault(found) ? found : found.absolute;
  }

  async #inShell(flight: Flight, folder: string, limits: CommandLimits): Promise<EndReport | Fault> {
    const shell = await this.#shellFor(flight);
    if (isFault(shell)) return shell;
    flight.marker.resolve(shell.marker);
    limits.begin(() => shell.stop());
    const answer = await this.#say(flight, shell, folder);
    const folderWasGone = answer.kind === "done" && answer.wasMoved;
    await limits.stopped;
    const { slot } = flight;
    const isKept = slot !== undefined && !flight.isLeft;
    if (slot !== undefined) slot.isTaken = false;
    if (!isKept) shell.close();
    if (answer.kind === "gone") return goneFault(folder);
    const isStaying = answer.kind === "done" && flight.request.cwd === undefined;
    if (isKept && isStaying) this.#folder = shell.folder ?? this.#folder;
    return { exitCode: answer.exitCode, folderWasGone, shellEnded: isKept && !shell.isAlive };
  }

  #say({ request, output }: Flight, shell: Shell, folder: string): Promise<ShellAnswer> {
    const { command, env = {}, cwd } = request;
    const returnTo = cwd === undefined ? undefined : this.#folder;
    const instead = this.#root.path;
    return shell.say({ command, env, folder, instead, returnTo }, (chunk) => {
      output.add(chunk);
      request.onOutput?.(chunk);
    });
  }

  /** The profile's shell, or one for this command alone. */
  async #shellFor(flight: Flight): Promise<Shell | Fault> {
    const profile = profileOf(flight.request);
    const slot = this.#slots.get(profile) ?? { profile, isTaken: false, end: undefined };
    if (slot.isTaken || flight.request.hasOwnShell) return this.hosts.startShell(profile);
    this.#slots.set(profile, slot);
    slot.isTaken = true;
    flight.slot = slot;
    if (!slot.end?.shell.isAlive) {
      const shell = await this.hosts.startShell(profile);
      if (isFault(shell)) {
        slot.isTaken = false;
        return shell;
      }
      const environment = this.hosts.environmentOf(profile);
      slot.end = { shell, isReadOnly: isReadOnly(profile), environment, synced: new Map() };
    }
    await this.#carryTo(slot, slot.end);
    return slot.end.shell;
  }

  /** Gives the shell of a profile what was set in that of the last one. */
  async #carryTo(slot: Slot, end: VariableEnd): Promise<void> {
    if (slot.profile === "unsandboxed") return;
    const last = this.#lastSlot;
    this.#lastSlot = slot;
    if (last === undefined || last === slot || last.isTaken || this.#variableRisk === undefined) return;
    if (!last.end?.shell.isAlive) return;
    last.isTaken = true;
    await carryVariables(last.end, end, this.#variableRisk);
    last.isTaken = false;
  }

  async #inTerminal(
    flight: Flight,
    folder: string,
    size: TerminalSize,
    limits: CommandLimits,
  ): Promise<EndReport | Fault> {
    const { request, output } = flight;
    const { command, env = {} } = request;
    const read = (chunk: Buffer) => {
      output.add(chunk);
      request.onOutput?.(chunk);
    };
    const terminal = await this.hosts.startTerminal(profileOf(request), { folder, command, env, size, read });
    if (isFault(terminal)) return terminal;
    flight.marker.resolve(terminal.marker);
    limits.begin(() => terminal.stop());
    const { exitCode } = await terminal.exited;
    await limits.stopped;
    return { exitCode, folderWasGone: false, shellEnded: false };
  }
}

function profileOf({ isSandboxed, isReadOnly: readOnly = false, network }: CommandRequest): CommandProfile {
  if (!isSandboxed) return "unsandboxed";
  if (readOnly) return network ? "readOnlyOnline" : "readOnly";
  return network ? "sandboxOnline" : "sandbox";
}

function cancelledFault(): Fault {
  return new Fault("aborted", "The command was stopped before it had begun.", "Wait for the next message.");
}

function goneFault(folder: string): Fault {
  return new Fault(
    "command_failed",
    `The folder ${folder} does not exist any more, so nothing was run.`,
    "Tell the person that the workspace was removed or moved.",
  );
}
