// Where commands run: in the sandbox, in the sandbox with the network, and outside. Each place has a host process for its
// shells, which is started when it is first needed.

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { dataFolder } from "../state-folder.ts";
import {
  commandEnvironment,
  type Environment,
  openEnvironment,
  sandboxEnvironment,
  terminalEnvironment,
} from "./command-environment.ts";
import { type Guards, guardsOf } from "./guarded-paths.ts";
import { holdMountPoints, type MountPoints } from "./mount-points.ts";
import { endProcesses, isAlive, newMarker } from "./processes.ts";
import { type FoundSandbox, findProgram, findSandbox, sandboxPrefix } from "./sandbox.ts";
import { realPaths, secretPaths } from "./secret-paths.ts";
import type { Shell } from "./shell.ts";
import { ShellHost } from "./shell-host.ts";
import type { Program } from "./shell-script.ts";
import { openTerminal, type Terminal, type TerminalSize } from "./terminal.ts";
import { putBack } from "./watched-paths.ts";

export type PlaceKind = "closed" | "online" | "open";

export interface PlacesOptions {
  /** Absolute, every link resolved. */
  readonly root: string;
  readonly stateFolder: string;
  readonly environment: Environment;
  /** Names of variables that commands get beside the usual ones. */
  readonly passed?: readonly string[] | undefined;
  readonly isSandboxed: boolean;
  readonly readOnly?: readonly string[] | undefined;
}

export interface TerminalRequest {
  readonly folder: string;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  readonly read: (chunk: Buffer) => void;
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #environment: Record<string, string>;
  readonly #program: Program;
  /** Of all processes of all places. */
  readonly #marker = newMarker();
  readonly #hosts = new Map<PlaceKind, ShellHost>();
  #count = 0;
  #folder: string | undefined;
  #guards: Guards | undefined;
  #mountPoints: MountPoints | undefined;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#environment = commandEnvironment(options.environment, options.passed);
    this.#program = findShell(this.#environment.PATH ?? "");
  }

  /** Whether commands find a program of this name. */
  hasProgram(name: string): boolean {
    return findProgram(name, this.#environment.PATH ?? "") !== undefined;
  }

  get sandbox(): FoundSandbox {
    if (this.#options.isSandboxed) return findSandbox(this.#environment.PATH ?? "");
    return { kind: "none", reason: "The sandbox is switched off by a setting.", program: "" };
  }

  /** For pipes, for what commands take for /tmp, and for long outputs. Throws errno errors. */
  get ownFolder(): string {
    if (this.#folder === undefined) {
      removeLeft(tmpdir());
      this.#folder = realpathSync(mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`)));
      for (const name of ["tmp", "pipes"]) mkdirSync(join(this.#folder, name), { mode: 0o700 });
    }
    return this.#folder;
  }

  async startShell(kind: PlaceKind): Promise<Shell | Fault> {
    const host = this.#host(kind);
    return isFault(host) ? host : host.startShell(this.#nextName(kind));
  }

  async startTerminal(kind: PlaceKind, request: TerminalRequest): Promise<Terminal | Fault> {
    // Outside the sandbox it is the host that ends what is left when Stet is killed.
    const host = kind === "open" ? this.#host(kind) : undefined;
    if (isFault(host)) return host;
    const prefix = this.#prefix(kind, true);
    if (isFault(prefix)) return prefix;
    const flags = this.#program.kind === "bash" ? ["--noprofile", "--norc"] : [];
    const script = 'cd -- "$1" || exit; eval "$2"';
    return openTerminal({
      words: [...prefix, this.#program.path, ...flags, "-c", script, "stet", request.folder, request.command],
      folder: this.#options.root,
      environment: { ...terminalEnvironment(this.#environmentOf(kind)), ...request.env },
      marker: `${this.#marker}${this.#nextName("terminal")}`,
      size: request.size,
      read: request.read,
    });
  }

  /** Puts back what a command in the sandbox must not have changed, and says what that was. */
  putBack(): string[] {
    return putBack(this.#guards?.watched ?? []);
  }

  /** Ends everything that was started in any place. */
  async close(): Promise<void> {
    const hosts = [...this.#hosts.values()];
    for (const host of hosts) host.isAlive = false;
    await endProcesses(this.#marker);
    await Promise.all(hosts.map((host) => host.close()));
    this.putBack();
    this.#mountPoints?.release();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #host(kind: PlaceKind): ShellHost | Fault {
    const known = this.#hosts.get(kind);
    if (known?.isAlive) return known;
    const prefix = this.#prefix(kind, false);
    if (isFault(prefix)) return prefix;
    const host = new ShellHost({
      prefix,
      program: this.#program,
      environment: this.#environmentOf(kind),
      folder: this.#options.root,
      pipesFolder: join(this.ownFolder, "pipes"),
      marker: this.#marker,
      isNamespace: kind !== "open" && this.sandbox.kind === "bubblewrap",
    });
    this.#hosts.set(kind, host);
    return host;
  }

  #prefix(kind: PlaceKind, hasTerminal: boolean): string[] | Fault {
    const { root, stateFolder, environment, readOnly = [] } = this.#options;
    return attempt("used for commands", root, () => {
      const { ownFolder } = this;
      if (kind === "open") return [];
      const home = environment.HOME || homedir();
      const config = join(environment.XDG_CONFIG_HOME || join(home, ".config"), "stet");
      const own = [stateFolder, dataFolder(environment), config];
      this.#guards ??= guardsOf(root, [...own, ...readOnly]);
      this.#mountPoints ??= holdMountPoints(stateFolder, this.#guards.readOnly);
      return sandboxPrefix(this.sandbox, {
        root,
        temporaryFolder: join(ownFolder, "tmp"),
        pipesFolder: join(ownFolder, "pipes"),
        network: kind === "online",
        guards: this.#guards,
        secrets: [...new Set([...secretPaths(home, root), ...realPaths(own)])],
        hasTerminal,
      });
    });
  }

  #environmentOf(kind: PlaceKind): Record<string, string> {
    if (kind === "open") return openEnvironment(this.#environment, this.#options.environment);
    if (this.sandbox.kind === "bubblewrap") return sandboxEnvironment(this.#environment);
    return { ...this.#environment, TMPDIR: join(this.ownFolder, "tmp") };
  }

  #nextName(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#count}`;
  }
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

function findShell(path: string): Program {
  const bash = findProgram("bash", path);
  return bash === undefined ? { path: "/bin/sh", kind: "sh" } : { path: bash, kind: "bash" };
}
