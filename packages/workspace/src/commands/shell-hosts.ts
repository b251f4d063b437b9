// The processes that commands run in: each profile has a host process for its shells, which is started when it is first needed.
//
// What a command that was wrongly judged to only read leaves behind must not reach one that writes: of /tmp, which the
// profiles of the sandbox share, it can read everything and write nothing. Its own temporary files have a folder of their own.

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { Root } from "../files/containment.ts";
import {
  commandEnvironment,
  type Environment,
  openEnvironment,
  terminalEnvironment,
} from "./command-environment.ts";
import type { PutBack } from "./repositories/watched-paths.ts";
import { type ResourceLimits, resourceLimits } from "./sandbox/resource-limits.ts";
import { type Bounds, boundResources } from "./sandbox/resource-watch.ts";
import { type FoundSandbox, findSandbox, noneFound, sandboxPrefix } from "./sandbox/sandbox.ts";
import type { SandboxAccess } from "./sandbox/sandbox-policy.ts";
import { sandboxReport } from "./sandbox/sandbox-report.ts";
import { SandboxView } from "./sandbox/sandbox-view.ts";
import { expanded, isShownPath } from "./sandbox/visible-paths.ts";
import { launchWords, openedFilter } from "./shell/launch-script.ts";
import { endProcesses, isAlive, newMarker } from "./shell/processes.ts";
import type { Shell } from "./shell/shell.ts";
import { closePipes, makePipes, type OutputPipe } from "./shell/shell-channels.ts";
import { failed, filterDescriptor, ShellHost } from "./shell/shell-host.ts";
import { closeFrom, type Program, slotsOf } from "./shell/shell-script.ts";
import { openTerminal, type PseudoTerminal, type TerminalSize } from "./shell/terminal.ts";
import {
  findProgram,
  isWritableProgram,
  type ProgramSearch,
  pathOutside,
  trustedPath,
  trustedProgram,
} from "./trusted-program.ts";

/**
 * What a command may do: in the sandbox, with or without the network, with the root writable or mounted read-only; or outside of
 * it.
 */
export type CommandProfile = "sandbox" | "sandboxOnline" | "readOnly" | "readOnlyOnline" | "unsandboxed";

export interface ShellHostsOptions {
  readonly root: Root;
  /** Where Stet keeps what it knows of the root. */
  readonly stateFolder: string;
  /** What commands get their environment from. */
  readonly environment: Environment;
  /** Names of variables that commands get beside the usual ones. */
  readonly passed?: readonly string[] | undefined;
  /** Whether commands may be run in the sandbox at all. */
  readonly isSandboxed: boolean;
  /** Further paths that commands in the sandbox must not change: absolute. */
  readonly readOnly?: readonly string[] | undefined;
  /** Paths that commands in the sandbox must not read, beside keys and passwords: asked for when a sandbox is started. */
  readonly covered?: (() => readonly string[]) | undefined;
  /** What the person lets commands in the sandbox see beyond the usual. */
  readonly access?: SandboxAccess | undefined;
  /** How many processes and how much memory they may use. */
  readonly limits?: Partial<ResourceLimits> | undefined;
}

export interface TerminalRequest {
  readonly folder: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  readonly read: (chunk: Buffer) => void;
}

interface CurrentHost {
  readonly starting: Promise<ShellHost | Fault>;
  /** Undefined while it is being started. */
  host: ShellHost | undefined;
}

export class ShellHosts {
  readonly #options: ShellHostsOptions;
  readonly #environment: Record<string, string>;
  /** Where programs that Stet starts itself are looked for. */
  readonly #search: ProgramSearch;
  readonly #program: Program;
  /** Of all processes of all profiles. */
  readonly #marker = newMarker();
  /** Where new shells of a profile are started. */
  readonly #current = new Map<CommandProfile, CurrentHost>();
  readonly #hosts = new Set<ShellHost>();
  /** The markers of all shells and terminals that were started. */
  readonly #started: string[] = [];
  #count = 0;
  /** Whether anything has run in the sandbox. */
  hasUsedSandbox = false;
  #folder: string | undefined;
  #view: SandboxView | undefined;
  #bounds: Bounds | undefined;
  #filter: string | undefined;
  /** Everything is being ended. What is started meanwhile has the same marker, and would be ended with it. */
  #ending: Promise<unknown> | undefined;

  constructor(options: ShellHostsOptions) {
    this.#options = options;
    this.#environment = commandEnvironment(options.environment, options.passed);
    const { environment, access } = options;
    const root = options.root.path;
    const home = environment.HOME || homedir();
    const writable = access?.writable?.map((path) => expanded(path, home, environment));
    this.#search = { path: this.#environment.PATH ?? "", root, writable };
    this.#program = findShell(this.#search);
  }

  /** Whether commands find a program of this name. */
  hasProgram(name: string): boolean {
    return findProgram(name, this.#search.path) !== undefined;
  }

  get shell(): "bash" | "sh" {
    return this.#program.kind;
  }

  /** Whether the program that a reading command finds under a name could have been written by another command. */
  isWritableProgram(name: string): boolean {
    return isWritableProgram(name, this.#search);
  }

  get sandbox(): FoundSandbox {
    if (this.#options.isSandboxed) return findSandbox(this.#search);
    return noneFound("The sandbox is switched off by a setting.");
  }

  /** What the sandbox consists of: lines for people. */
  get sandboxReport(): string[] {
    return sandboxReport(this.sandbox, this.#limited.bounded);
  }

  /** Whether commands in the sandbox see a path outside of the root. */
  shows(path: string): boolean {
    const { environment, access = {} } = this.#options;
    return isShownPath(path, { home: environment.HOME || homedir(), environment, access });
  }

  /** For what commands take for /tmp, and for long outputs. Throws errno errors. */
  get ownFolder(): string {
    if (this.#folder === undefined) {
      removeLeft(tmpdir());
      this.#folder = realpathSync(mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`)));
      for (const name of ["tmp", "scratch"]) mkdirSync(join(this.#folder, name), { mode: 0o700 });
    }
    return this.#folder;
  }

  async startShell(profile: CommandProfile): Promise<Shell | Fault> {
    const host = await this.#host(profile);
    if (isFault(host)) return host;
    // Others that waited as well may have filled it, or it may have ended.
    return host.hasRoom ? host.startShell(this.#nextName(profile)) : this.startShell(profile);
  }

  async startTerminal(profile: CommandProfile, request: TerminalRequest): Promise<PseudoTerminal | Fault> {
    // Outside the sandbox it is the host that ends what is left when Stet is killed.
    const host = profile === "unsandboxed" ? await this.#host(profile) : undefined;
    if (isFault(host)) return host;
    const prefix = this.#prefix(profile, true);
    if (isFault(prefix)) return prefix;
    await this.#view?.introduceToGit();
    const isBash = this.#program.kind === "bash";
    const flags = isBash ? ["--noprofile", "--norc"] : [];
    const script = `${isBash ? closeFrom(3) : ""} cd -- "$1" || exit; eval "$2"`;
    return openTerminal({
      words: [...prefix, this.#program.path, ...flags, "-c", script, "stet", request.folder, request.command],
      folder: this.#search.root,
      environment: { ...terminalEnvironment(this.environmentOf(profile)), ...request.env },
      marker: `${this.#marker}${this.#nextName("terminal")}`,
      size: request.size,
      read: request.read,
    });
  }

  /** Whether anything is running that a command has left behind. */
  get hasLeft(): boolean {
    return [...this.#hosts].some((host) => host.hasLeft);
  }

  /** Puts back what a command in the sandbox must not have changed, and says what that was. */
  putBack(): PutBack {
    return this.#view?.putBack() ?? { paths: [], setAside: [] };
  }

  /** Ends everything that runs; what comes next gets new hosts. */
  #endAll(): void {
    this.#current.clear();
    const hosts = [...this.#hosts];
    for (const host of hosts) host.isAlive = false;
    const closing = hosts.map((host) => host.close());
    const ending = Promise.all([this.#ending, endProcesses(this.#marker), ...closing]).finally(() => {
      if (this.#ending === ending) this.#ending = undefined;
    });
    this.#ending = ending;
  }

  /** Ends what was started by all shells but those with these markers. */
  async endAllBut(kept: readonly string[]): Promise<void> {
    const ended = this.#started.filter((marker) => !kept.includes(marker));
    await Promise.all(ended.map((marker) => endProcesses(marker)));
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    // One that is just being started is ended as well.
    await Promise.all([...this.#current.values()].map(({ starting }) => starting));
    const hosts = [...this.#hosts];
    for (const host of hosts) host.isAlive = false;
    await endProcesses(this.#marker);
    await Promise.all(hosts.map((host) => host.close()));
    this.#view?.release();
    this.#bounds?.release();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** The host of a profile. One that is full goes on with its shells, and another is started for the next ones. */
  #host(profile: CommandProfile): Promise<ShellHost | Fault> {
    const known = this.#current.get(profile);
    if (known !== undefined && (known.host === undefined || known.host.hasRoom)) return known.starting;
    const entry: CurrentHost = { starting: this.#startHost(profile), host: undefined };
    this.#current.set(profile, entry);
    void entry.starting.then((host) => {
      if (!isFault(host)) entry.host = host;
      else if (this.#current.get(profile) === entry) this.#current.delete(profile);
    });
    return entry.starting;
  }

  async #startHost(profile: CommandProfile): Promise<ShellHost | Fault> {
    // They are made while the arguments of the sandbox are put together.
    const making = this.#makePipes();
    const prefix = this.#prefix(profile, false);
    const pipes = await making;
    if (isFault(pipes)) return pipes;
    if (isFault(prefix)) {
      closePipes(pipes);
      return prefix;
    }
    const isNamespace = profile !== "unsandboxed" && this.sandbox.kind === "bubblewrap";
    while (this.#ending !== undefined) await this.#ending;
    const host = new ShellHost({
      prefix,
      program: this.#program,
      environment: this.environmentOf(profile),
      folder: this.#search.root,
      pipes,
      helperPath: trustedPath(this.#search),
      marker: this.#marker,
      shellMarker: `${this.#marker}${profile}-`,
      isNamespace,
      limits: isNamespace ? this.#limited.ownLimits : {},
      filter: isNamespace ? this.#filterFile() : undefined,
    });
    this.#hosts.add(host);
    // Takes as long as the host needs to come up.
    await this.#view?.introduceToGit();
    return host;
  }

  async #makePipes(): Promise<OutputPipe[] | Fault> {
    const mkfifo = trustedProgram("mkfifo", this.#search) ?? "/usr/bin/mkfifo";
    try {
      return await makePipes(mkfifo, this.ownFolder, slotsOf(this.#program).length);
    } catch (error) {
      return failed(`its pipes could not be made: ${String(error)}`);
    }
  }

  /** What stands before a shell. A terminal inherits nothing but itself, so its filter of system calls has to be opened. */
  #prefix(profile: CommandProfile, hasTerminal: boolean): string[] | Fault {
    return attempt("used for commands", this.#search.root, () => {
      const { ownFolder } = this;
      const { entrances } = this.#limited;
      if (profile === "unsandboxed") return launchWords({ entrances, filter: undefined });
      this.hasUsedSandbox = true;
      const { readOnly = [], access = {}, covered = () => [] } = this.#options;
      this.#view ??= new SandboxView({
        ...this.#options,
        root: this.#search.root,
        ownFolder,
        search: this.#search,
        readOnly,
        access,
        covered,
        onAgain: () => this.#endAll(),
      });
      const network = profile === "sandboxOnline" || profile === "readOnlyOnline";
      const policy = this.#view.policy({ isRootWritable: !isReadOnly(profile), network, hasTerminal });
      const filter = this.#filterFile();
      const descriptor = hasTerminal ? openedFilter : filterDescriptor(this.#program);
      const outputs = hasTerminal ? [] : slotsOf(this.#program).map(({ output }) => output);
      return [
        ...launchWords({ entrances, filter: hasTerminal ? filter : undefined }),
        ...sandboxPrefix(this.sandbox, policy, {
          filter: filter === undefined ? filter : descriptor,
          outputs,
        }),
      ];
    });
  }

  /** The bounds of all profiles together. */
  get #limited(): Bounds {
    this.#bounds ??= boundResources(this.#marker, resourceLimits(this.#options.limits));
    return this.#bounds;
  }

  /** Written once: a sandbox that is just being started may be reading it. */
  #filterFile(): string | undefined {
    const { filter } = this.sandbox;
    if (filter === undefined) return undefined;
    if (this.#filter === undefined) {
      this.#filter = join(this.ownFolder, "filter");
      writeFileSync(this.#filter, filter, { mode: 0o600 });
    }
    return this.#filter;
  }

  /** What shells of a profile begin with. */
  environmentOf(profile: CommandProfile): Record<string, string> {
    const { environment } = this.#options;
    const { root } = this.#search;
    // A program of the workspace is run only where it can do no more than write in it, and is meant to.
    const outside = { ...this.#environment, PATH: pathOutside(this.#search.path, root) };
    if (profile === "unsandboxed") return openEnvironment(outside, environment);
    const inner = isReadOnly(profile) ? outside : this.#environment;
    if (this.sandbox.kind === "bubblewrap" && this.#view !== undefined) {
      return this.#view.environment(inner, { isRootWritable: !isReadOnly(profile) });
    }
    return { ...inner, TMPDIR: join(this.ownFolder, isReadOnly(profile) ? "scratch" : "tmp") };
  }

  #nextName(kind: string): string {
    this.#count += 1;
    const name = `${kind}-${this.#count}`;
    this.#started.push(`${this.#marker}${name}`);
    return name;
  }
}

export function isReadOnly(profile: CommandProfile): boolean {
  return profile === "readOnly" || profile === "readOnlyOnline";
}

const folderPrefix = "stet-commands-";

/** Folders of a Stet that was killed. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(folderPrefix)
      ? Number.parseInt(name.slice(folderPrefix.length), 10)
      : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another person's.
    }
  }
}

function findShell(search: ProgramSearch): Program {
  const bash = trustedProgram("bash", search);
  return bash === undefined ? { path: "/bin/sh", kind: "sh" } : { path: bash, kind: "bash" };
}
