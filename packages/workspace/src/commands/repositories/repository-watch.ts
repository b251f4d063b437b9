// Looks, while commands run in the sandbox and after them, for repositories that came into being inside the folder, and
// sets aside those that would make git start a program when the person, an editor or a prompt runs it there. A mount
// cannot keep one from being made: it can be made in every folder.
//
//   while they run   every `pauseMs`, and after each command: the folders that were there before, and what the index names
//                    as a repository (a plain `git status` at the root goes into those)
//   at the end       every folder, up to a bound
//
// Whoever makes again what was set aside is ended, with everything else in the sandbox.
//
// Set aside: `.git` is renamed, so that git does not find it, and nothing of it is lost. A repository that was there before
// is guarded by mounts, and never set aside.

import { closeSync, constants, openSync, readlinkSync, renameSync } from "node:fs";
import { join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import { gitlinksOf } from "./git-index.ts";
import { isInside, realOf, statsOf } from "./guard-path.ts";
import type { KnownRepositories } from "./guarded-repositories.ts";
import { reasonAgainst, reasonInFolder } from "./repository-check.ts";
import { isGitFolder, surveyFolders } from "./repository-survey.ts";

export interface SetAside {
  /** What was found: absolute. */
  readonly path: string;
  /** Where it is now; undefined where it could not be moved. */
  readonly kept: string | undefined;
  /** What git would have obeyed: a key of the configuration, or a file of the repository. */
  readonly reason: string;
}

const maxFoldersAtEnd = 4000;

export class RepositoryWatch {
  readonly #root: string;
  readonly #known: KnownRepositories;
  readonly #started = Date.now();
  /** The `.git` of a folder as it was. */
  readonly #before = new Map<string, string | undefined>();
  readonly #folders: ReadonlySet<string>;
  readonly #stamps = new Map<string, string>();
  readonly #links: Set<string>;
  readonly #guarded: readonly string[];

  constructor(root: string, known: KnownRepositories) {
    this.#root = root;
    this.#known = known;
    this.#folders = new Set(known.survey.folders);
    this.#links = new Set(known.gitlinks);
    this.#guarded = known.indexes.map(({ git }) => git);
    for (const folder of [...known.survey.holders, ...known.gitlinks]) {
      this.#before.set(folder, inodeOf(join(folder, ".git")));
    }
    for (const { git } of known.indexes) this.#stamps.set(git, stampOf(join(git, "index")));
  }

  look(): SetAside[] {
    for (const { git, workTree, hashBytes } of this.#known.indexes) {
      const index = join(git, "index");
      const stamp = stampOf(index);
      if (stamp === this.#stamps.get(git)) continue;
      this.#stamps.set(git, stamp);
      for (const link of gitlinksOf(index, hashBytes)) this.#links.add(join(workTree, link));
    }
    const holders = new Set([...this.#folders, ...this.#links].filter((each) => each !== this.#root));
    const found = [...holders].flatMap((holder) => this.#check(holder));
    return [...found, ...this.#checkBare(this.#root)];
  }

  lookEverywhere(): SetAside[] {
    const { holders, bare } = surveyFolders(this.#root, maxFoldersAtEnd);
    const found = [...this.look(), ...holders.flatMap((holder) => this.#check(holder))];
    return [...found, ...bare.flatMap((folder) => this.#checkBare(folder))];
  }

  #check(holder: string): SetAside[] {
    const git = join(holder, ".git");
    const inode = inodeOf(git);
    if (inode === undefined || inode === this.#before.get(holder) || !this.#isNew(holder, git)) return [];
    const reason = reasonAgainst(git, this.#root, this.#guarded);
    return reason === undefined ? [] : [this.#setAside(holder, ".git", reason)];
  }

  #checkBare(folder: string): SetAside[] {
    if (!isGitFolder(folder) || this.#known.survey.bare.includes(folder)) return [];
    if (!this.#isNew(folder, join(folder, "HEAD"))) return [];
    const reason = reasonInFolder(folder, 0);
    return reason === undefined ? [] : [this.#setAside(folder, "HEAD", reason)];
  }

  /** Where not every folder was seen at the start, a repository could have been there all along. */
  #isNew(folder: string, path: string): boolean {
    if (this.#known.survey.isComplete || this.#folders.has(folder) || this.#before.has(folder)) return true;
    return (statsOf(path)?.birthtimeMs ?? 0) >= this.#started;
  }

  /** By descriptor: were the folder replaced by a link meanwhile, something outside of the root would be renamed. */
  #setAside(folder: string, name: string, reason: string): SetAside {
    const path = join(folder, name);
    const kept = `${name}-refused-${uniqueSuffix()}`;
    if (realOf(folder) !== folder || !isInside(this.#root, folder)) return { path, kept: undefined, reason };
    let descriptor: number | undefined;
    try {
      descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      const held = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : folder;
      if (held !== folder && readlinkSync(held) !== folder) return { path, kept: undefined, reason };
      renameSync(join(held, name), join(held, kept));
      return { path, kept: join(folder, kept), reason };
    } catch {
      return { path, kept: undefined, reason };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }
}

/** The number of an inode is given again soon after its file was removed. */
function inodeOf(path: string): string | undefined {
  const stats = statsOf(path);
  return stats === undefined ? undefined : `${stats.ino} ${stats.birthtimeNs}`;
}

function stampOf(path: string): string {
  const stats = statsOf(path);
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
