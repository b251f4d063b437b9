// Looks at what could not be mounted over, and puts back what a command changed: while commands run, because what they
// leave is obeyed at once by a prompt that runs `git status`, after each of them, and when the last process has ended.

import { readlinkSync, renameSync, symlinkSync } from "node:fs";
import { uniqueSuffix } from "@stet/protocol/ids";
import { statsOf, type WatchedPath } from "./guard-path.ts";
import type { GuardedRoot } from "./guarded-paths.ts";
import { RepositoryWatch, type SetAside } from "./repository-watch.ts";

const pauseMs = 200;
/** A program's own tests may make the same repository twice; who insists on it is not a test. */
const maxTimes = 3;

export interface PutBack {
  /** Paths that a command must not change, and that were put back. */
  readonly paths: readonly string[];
  readonly setAside: readonly SetAside[];
}

export class GuardWatch {
  readonly #watched: readonly WatchedPath[];
  readonly #repositories: RepositoryWatch;
  readonly #timer: NodeJS.Timeout;
  readonly #onAgain: () => void;
  /** How often each path was found. */
  readonly #times = new Map<string, number>();
  #paths: string[] = [];
  #setAside: SetAside[] = [];

  /** `onAgain` is called when what was set aside is created again and again: its writer has to be killed. */
  constructor(root: string, guards: GuardedRoot, onAgain: () => void) {
    this.#onAgain = onAgain;
    this.#watched = guards.watched;
    this.#repositories = new RepositoryWatch(root, guards.repositories);
    this.#timer = setInterval(() => this.#look(this.#repositories.look()), pauseMs).unref();
  }

  /** What was put back since the last time. */
  take(): PutBack {
    this.#look(this.#repositories.look());
    return this.#taken();
  }

  /** To be called when nothing in the sandbox lives any more. */
  close(): PutBack {
    clearInterval(this.#timer);
    this.#look(this.#repositories.lookEverywhere());
    return this.#taken();
  }

  #look(setAside: readonly SetAside[]): void {
    const paths = putBack(this.#watched);
    this.#paths.push(...paths);
    const found = [...paths, ...setAside.map(({ path }) => path)];
    for (const path of found) this.#times.set(path, (this.#times.get(path) ?? 0) + 1);
    if (found.some((path) => (this.#times.get(path) ?? 0) >= maxTimes)) this.#onAgain();
    this.#setAside.push(...setAside.filter((each) => each.kept !== undefined || !this.#isKnown(each)));
  }

  /** What cannot be moved is reported once. */
  #isKnown({ path }: SetAside): boolean {
    return this.#setAside.some((each) => each.path === path);
  }

  #taken(): PutBack {
    const taken = { paths: [...new Set(this.#paths)], setAside: this.#setAside };
    this.#paths = [];
    this.#setAside = [];
    return taken;
  }
}

/** The paths that had been changed. What the command made there is kept beside, under a name that no program obeys. */
function putBack(watched: readonly WatchedPath[]): string[] {
  const changed: string[] = [];
  for (const { path, target } of watched) {
    if (linkOf(path) === target) continue;
    changed.push(path);
    try {
      if (linkOf(path) !== undefined) renameSync(path, `${path}-refused-${uniqueSuffix()}`);
      if (target !== undefined) symlinkSync(target, path);
    } catch {
      // Told as changed; who reads that looks at it.
    }
  }
  return changed;
}

/** Where a link leads; the empty text for something that is not a link, undefined for nothing. */
function linkOf(path: string): string | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  try {
    return stats.isSymbolicLink() ? readlinkSync(path) : "";
  } catch {
    // Replaced at this moment.
    return "";
  }
}
