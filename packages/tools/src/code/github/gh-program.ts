// The person's own `gh`, asked with its own sign-in.
//
// It is a trusted program of the PATH, runs outside of the sandbox in Stet's own folder, where there is no repository, and
// finds only trusted programs itself. Arguments are a list, never a line of a shell. It has a time and a size, and ends with
// the process group that it may have made. It gets what programs need and what it signs in with, and no other secrets.

import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { Slots } from "@stet/agent/slots";
import { Fault, isFault } from "@stet/protocol/fault";
import { commandEnvironment, type Environment } from "@stet/workspace/commands/command-environment";
import { findTrusted, type ProgramSearch, trustedPath } from "@stet/workspace/commands/trusted-program";
import { failureFault, type GhFailure } from "./gh-fault.ts";
import { publicHost } from "./repository.ts";

export interface GhPorts {
  /** The workspace's root: a real path. */
  readonly root: string;
  /** Where it runs. */
  readonly folder: string;
  readonly environment: Environment;
  /** What commands may write beside the root: no program is taken from there. */
  readonly writable: readonly string[] | undefined;
}

export interface GhRequest {
  readonly words: readonly string[];
  readonly host: string;
  readonly signal: AbortSignal;
  /** What it reads from its input. */
  readonly input?: string | undefined;
  readonly milliseconds?: number | undefined;
  readonly maxBytes?: number | undefined;
}

const defaultTime = 30_000;
export const defaultAnswerBytes = 20 * 1024 * 1024;
const maxMessageBytes = 8 * 1024;

const slots = new Slots(4);

/** What it signs in with, and where its settings are. */
const ownVariables = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GH_CONFIG_DIR",
  // Where keychains are reached.
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "SystemRoot",
  // Proxies with their passwords.
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "http_proxy",
  "https_proxy",
];

const alone: Readonly<Record<string, string>> = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GH_NO_EXTENSION_UPDATE_NOTIFIER: "1",
  GH_SPINNER_DISABLED: "1",
  // No repository is meant but the one that is named.
  GIT_DIR: "/dev/null",
};

export class GhProgram {
  readonly #ports: GhPorts;

  constructor(ports: GhPorts) {
    this.#ports = ports;
  }

  /** What it has printed. */
  async ask(request: GhRequest): Promise<string | Fault> {
    const { words, host, signal } = request;
    const program = this.#program();
    if (isFault(program)) return program;
    if (words.some((word) => word.includes("\0")))
      return new Fault("invalid_arguments", "A NUL character cannot be passed on.", "Leave it out.");
    if (!(await slots.take(signal))) return abortedFault();
    try {
      const end = await run(program, request, this.#environment(), this.#ports.folder);
      return end.failure === undefined ? end.output : failureFault(end.failure, host);
    } finally {
      slots.give();
    }
  }

  /**
   * Who is signed in, without asking GitHub: the name in gh's settings, or a hash of the token that the environment brings,
   * because one account may have several that see different things. Undefined where that is not known.
   */
  async account(host: string, signal: AbortSignal): Promise<string | undefined> {
    const token = this.#token(host);
    if (token !== undefined) return `token ${createHash("sha256").update(token).digest("hex").slice(0, 32)}`;
    const words = ["config", "get", "user", `--host=${host}`];
    const name = await this.ask({ words, host, signal, milliseconds: 10_000, maxBytes: 1024 });
    return isFault(name) ? undefined : /^[\w-]{1,100}$/.exec(name.trim())?.[0];
  }

  #token(host: string): string | undefined {
    const { environment } = this.#ports;
    const isPublic = host === publicHost || host.endsWith(".ghe.com");
    const names = isPublic
      ? ["GH_TOKEN", "GITHUB_TOKEN"]
      : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
    return names.map((name) => environment[name]).find((value) => value !== undefined && value !== "");
  }

  #search(): ProgramSearch {
    const { environment, root, writable } = this.#ports;
    return { path: environment.PATH ?? "", root, writable };
  }

  #program(): string | Fault {
    const { program, refused } = findTrusted(process.platform === "win32" ? "gh.exe" : "gh", this.#search());
    if (program !== undefined) return program;
    const why = refused.length === 0 ? "there is none in the PATH" : refused.slice(0, 3).join(" ");
    return new Fault(
      "command_failed",
      `GitHub is reached through the program gh: ${why}.`.replace(/\.\.$/, "."),
      "Ask the person to install it (https://cli.github.com) and to sign in with gh auth login; go on without it until then.",
      { program: "gh" },
    );
  }

  #environment(): Record<string, string> {
    const { environment } = this.#ports;
    const base = commandEnvironment(environment, ownVariables);
    return { ...base, ...alone, PATH: trustedPath(this.#search()) };
  }
}

interface GhEnd {
  readonly output: string;
  readonly failure: GhFailure | undefined;
}

function run(
  program: string,
  { words, signal, input, milliseconds = defaultTime, maxBytes = defaultAnswerBytes }: GhRequest,
  env: Record<string, string>,
  cwd: string,
): Promise<GhEnd> {
  return new Promise((resolve) => {
    let failure: GhFailure | undefined;
    const child = started(program, words, env, cwd);
    if (typeof child === "string") {
      resolve({ output: "", failure: { kind: "start", reason: child } });
      return;
    }
    endWithThisProcess(child);
    const stop = (why: GhFailure) => {
      failure ??= why;
      killGroup(child);
      // Whoever left the group may hold these open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = () => stop({ kind: "aborted" });
    const timer = setTimeout(() => stop({ kind: "time", milliseconds }), milliseconds);
    signal.addEventListener("abort", onAbort, { once: true });
    const output = collected(child.stdout, maxBytes, () => stop({ kind: "size", maxBytes }));
    const message = collected(child.stderr, maxMessageBytes, () => {});
    child.on("error", (error) => {
      failure ??= { kind: "start", reason: error.message };
    });
    // A program that ended already has nobody who reads.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    child.on("close", (code, by) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (code !== 0) failure ??= { kind: "exit", code, by, message: message() };
      resolve({ output: failure === undefined ? output() : "", failure });
    });
    if (signal.aborted) onAbort();
  });
}

/** The process, or why there is none: the system may refuse at once, as with arguments that are too long. */
function started(program: string, words: readonly string[], env: Record<string, string>, cwd: string) {
  try {
    return spawn(program, [...words], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that whatever it starts ends with it.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Reads everything, so that the program never waits for us, and keeps the beginning. */
function collected(stream: Readable, most: number, onMore: () => void): () => string {
  const parts: Buffer[] = [];
  let length = 0;
  stream.on("error", () => {});
  stream.on("data", (part: Buffer) => {
    const room = most - length;
    if (room > 0) parts.push(part.subarray(0, room));
    length += part.length;
    if (length > most) onMore();
  });
  return () => Buffer.concat(parts).toString("utf8");
}

const running = new Set<ChildProcess>();

function endWithThisProcess(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", killRunning);
  running.add(child);
  child.on("close", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", killRunning);
  });
}

function killRunning(): void {
  for (const child of running) killGroup(child);
}

function killGroup(child: ChildProcess): void {
  const { pid } = child;
  try {
    if (pid !== undefined && process.platform !== "win32") process.kill(-pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

export function abortedFault(): Fault {
  return new Fault("aborted", "GitHub was not asked to the end.", "Wait for the next message.");
}
