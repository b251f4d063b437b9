// Which sandbox this system has, and what stands before a command that runs in it.

import { spawnSync } from "node:child_process";
import { findTrusted, type ProgramSearch } from "../trusted-program.ts";
import { bubblewrapArguments, probeArguments, type UserNamespace, userNamespaces } from "./bubblewrap.ts";
import { findPerl, landlockWords, writablePaths } from "./landlock.ts";
import { sandboxProfile } from "./sandbox-exec.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";
import { seccompFilter } from "./seccomp-filter.ts";

export interface SandboxStatus {
  readonly kind: "bubblewrap" | "sandbox-exec" | "none";
  /** What commands are kept from, or why there is no sandbox: a sentence for people. */
  readonly reason: string;
}

export interface FoundSandbox extends SandboxStatus {
  /** Empty where there is none. */
  readonly program: string;
  /** Of bubblewrap. */
  readonly users: UserNamespace;
  /** Whether system calls are filtered: the program of the filter. */
  readonly filter: Buffer | undefined;
  /** The Perl by which Landlock is put up; undefined where there is none, or where the kernel does not have it. */
  readonly perl: string | undefined;
}

const kept =
  "Commands run in a sandbox: they write only in the workspace, see nothing of your home folder but tool chains, and have no network unless it is allowed.";

const found = new Map<string, FoundSandbox>();

export function findSandbox(search: ProgramSearch): FoundSandbox {
  if (process.platform === "darwin") return tried("/usr/bin/sandbox-exec", trySandboxExec);
  if (process.platform !== "linux") return noneFound(`There is no sandbox for ${process.platform}.`);
  const { program, refused } = findTrusted("bwrap", search);
  if (program === undefined) {
    const missing =
      "Bubblewrap is not installed; with it (the package is called bubblewrap), commands run in a sandbox.";
    return noneFound(refused.length === 0 ? missing : `${missing} ${refused.join(" ")}`);
  }
  return tried(program, () => tryBubblewrap(program, findPerl(search)));
}

/** Tries a program once; that takes a few milliseconds. */
function tried(program: string, attempt: (program: string) => FoundSandbox): FoundSandbox {
  const known = found.get(program) ?? attempt(program);
  found.set(program, known);
  return known;
}

function trySandboxExec(program: string): FoundSandbox {
  const works = spawnSync(program, ["-p", "(version 1)(allow default)", "/usr/bin/true"], { timeout: 5000 });
  if (works.status !== 0) return noneFound("sandbox-exec does not work on this system.");
  return { kind: "sandbox-exec", reason: kept, program, users: "none", filter: undefined, perl: undefined };
}

/** The strongest that this system allows. */
function tryBubblewrap(program: string, found: string | undefined): FoundSandbox {
  let why = "";
  for (const users of userNamespaces) {
    for (const filter of [seccompFilter(), undefined]) {
      for (const perl of found === undefined ? [undefined] : [found, undefined]) {
        // By its path: what PATH finds under a name may be the workspace's.
        const inner = [...(perl === undefined ? [] : landlockWords(perl, ["/dev"])), "/bin/sh", "-c", ":"];
        const words = [...probeArguments({ users, filter: filter && 0 }), ...inner];
        const probe = spawnSync(program, words, { timeout: 5000, encoding: "utf8", input: filter ?? "" });
        if (probe.status === 0) return { kind: "bubblewrap", reason: kept, program, users, filter, perl };
        why = probe.stderr?.trim() || probe.error?.message || `it ended with code ${probe.status}`;
      }
    }
  }
  return noneFound(`Bubblewrap is installed, but this system does not let it make a sandbox: ${why}.`);
}

export function noneFound(reason: string): FoundSandbox {
  return { kind: "none", reason, program: "", users: "none", filter: undefined, perl: undefined };
}

export interface Inherited {
  /** That the filter of system calls is read from. */
  readonly filter: number | undefined;
  /** Of shells: programs open theirs again, as /dev/stdout. */
  readonly outputs: readonly number[];
}

/** What stands before the command's own words. */
export function sandboxPrefix(
  sandbox: FoundSandbox,
  policy: SandboxPolicy,
  { filter, outputs }: Inherited,
): string[] {
  const { kind, program, users, perl } = sandbox;
  if (kind === "bubblewrap") {
    const written = [...writablePaths(policy), ...outputs.map((output) => `/proc/self/fd/${output}`)];
    const inner = perl === undefined ? [] : landlockWords(perl, written);
    return [program, ...bubblewrapArguments(policy, { users, filter }), ...inner];
  }
  if (kind === "sandbox-exec") return [program, "-p", sandboxProfile(policy)];
  return [];
}
