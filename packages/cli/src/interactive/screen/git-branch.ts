// The branch of the repository around a folder, read from its HEAD and followed. Git itself is not started: a repository's
// configuration may name programs that it would run.

import { type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { visibleName } from "@stet/protocol/visible";

/** Git writes HEAD anew in several steps. */
const settleMs = 50;
/** How often files are compared with the index, at most. */
const lookEveryMs = 500;

export class GitBranch {
  readonly #git: string | undefined;
  readonly #worktree: string;
  #changes: number | undefined;
  #looking: NodeJS.Timeout | undefined;
  readonly #onChange: () => void;
  #name: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, onChange: () => void) {
    const found = gitFolderOf(folder);
    this.#git = found?.git;
    this.#worktree = found?.worktree ?? folder;
    this.#onChange = onChange;
    this.#name = this.#read();
  }

  /** Whether the folder is in a repository. */
  get isRepository(): boolean {
    return this.#git !== undefined;
  }

  /** A branch, or the beginning of a commit's id; undefined outside of a repository. */
  get name(): string | undefined {
    return this.#name;
  }

  /** How many of its files are not as in the index; undefined where that is not known. */
  get changes(): number | undefined {
    return this.#changes;
  }

  /** Files may have changed; many changes in a row are looked at once. */
  lookForChanges(): void {
    const git = this.#git;
    if (git === undefined) return;
    this.#looking ??= setTimeout(async () => {
      const { changedFiles } = await import("./git-changes.ts");
      const changes = await changedFiles(git, this.#worktree);
      this.#looking = undefined;
      if (changes === this.#changes) return;
      this.#changes = changes;
      this.#onChange();
    }, lookEveryMs).unref();
  }

  /** Where no watcher is to be had, the name is the one from the start. */
  follow(): void {
    if (this.#git === undefined || this.#watcher !== undefined) return;
    this.lookForChanges();
    try {
      // The folder: HEAD is replaced by another file when the branch changes.
      this.#watcher = watch(this.#git, { persistent: false }, (_, file) => {
        if (file === "index") this.lookForChanges();
        if (file !== null && file !== "HEAD") return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(), settleMs).unref();
      });
      this.#watcher.on("error", () => this.close());
    } catch {
      this.#watcher = undefined;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#looking);
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #look(): void {
    const name = this.#read();
    if (name === this.#name) return;
    this.#name = name;
    this.#onChange();
  }

  #read(): string | undefined {
    if (this.#git === undefined) return undefined;
    const head = textOf(join(this.#git, "HEAD"))?.trim();
    if (head === undefined || head === "") return undefined;
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    return branch === undefined ? head.slice(0, 8) : visibleName(branch);
  }
}

/** `.git` of the nearest folder above that has one; in a worktree it is a file that names the folder. */
function gitFolderOf(folder: string): { readonly git: string; readonly worktree: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".git");
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return { git: path, worktree: at };
    if (found?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(textOf(path) ?? "")?.[1];
      if (named === undefined) return undefined;
      return { git: isAbsolute(named) ? named : resolve(at, named), worktree: at };
    }
    if (dirname(at) === at) return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").slice(0, 4096);
  } catch {
    return undefined;
  }
}
