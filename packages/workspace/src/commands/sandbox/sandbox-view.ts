// What the sandboxes of one folder have in common: what they see, their private folders and what is guarded. Made when the
// first of them is started.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { dataFolder } from "../../files/state-folder.ts";
import { type Environment, sandboxEnvironment } from "../command-environment.ts";
import { gitIdentity } from "../repositories/git-identity.ts";
import { isInside } from "../repositories/guard-path.ts";
import { type GuardedRoot, type Guards, guardsOf } from "../repositories/guarded-paths.ts";
import { guardedByAll, holdMountPoints, type MountPoints } from "../repositories/mount-points.ts";
import { GuardWatch, type PutBack } from "../repositories/watched-paths.ts";
import { type ProgramSearch, trustedProgram } from "../trusted-program.ts";
import { personCaches, shownCaches } from "./person-caches.ts";
import { openPrivateCaches, type PrivateCaches, privateCachesPath } from "./private-caches.ts";
import type { PathLink, SandboxAccess, SandboxPolicy, VisiblePath } from "./sandbox-policy.ts";
import { realPaths, type VisiblePaths, visiblePaths } from "./visible-paths.ts";

export interface ViewOptions {
  /** Absolute, every link resolved. */
  readonly root: string;
  readonly stateFolder: string;
  /** For what ends with the commands. It has the folders `tmp` and `scratch`. */
  readonly ownFolder: string;
  /** The person's. */
  readonly environment: Environment;
  /** Further paths that must not be changed. */
  readonly readOnly: readonly string[];
  /** Where programs that Stet starts itself are looked for. */
  readonly search: ProgramSearch;
  readonly access: SandboxAccess;
  /** Called when a command makes again what it must not. */
  readonly onAgain: () => void;
  /** What must not be read: asked for when a sandbox is started. */
  readonly covered: () => readonly string[];
}

/** Temporary files of commands that may only read. It exists in every sandbox. */
const scratchPath = "/dev/shm";

/** Our own files in the place of the person's configuration of git. */
const gitFolder = "/run/stet/git";

export class SandboxView {
  readonly #options: ViewOptions;
  readonly #home: string;
  readonly #own: readonly string[];
  readonly #visible: VisiblePaths;
  readonly #caches: PrivateCaches | undefined;
  #gitFiles: Promise<void> | undefined;
  #guards: GuardedRoot | undefined;
  #watch: GuardWatch | undefined;
  #mountPoints: MountPoints | undefined;

  /** Throws errno errors. */
  constructor(options: ViewOptions) {
    const { root, stateFolder, environment, access } = options;
    this.#options = options;
    this.#home = realHome(environment);
    const config = join(environment.XDG_CONFIG_HOME || join(this.#home, ".config"), "stet");
    this.#own = [stateFolder, dataFolder(environment), config];
    this.#visible = visiblePaths({ root, home: this.#home, environment, access, own: this.#own });
    // Where the root is the home folder, or above it, commands work in the person's own.
    this.#caches = isInside(root, this.#home) ? undefined : openPrivateCaches(stateFolder);
  }

  /** Throws errno errors. */
  policy({
    isRootWritable,
    network,
    hasTerminal,
  }: Pick<SandboxPolicy, "isRootWritable" | "network" | "hasTerminal">): SandboxPolicy {
    const { root, covered } = this.#options;
    const { shown, links, sockets, toHide } = this.#visible;
    const guards = this.#guardsOf(isRootWritable);
    // Without the network nothing can be added to a cache, so one that has to be at its own place is the person's.
    const inPlace = network ? [] : this.#cachesInPlace();
    const mounts = [root, ...shown.map(({ path }) => path), ...guards.pinned, ...sockets];
    const caches = this.#cacheMounts(isRootWritable, mounts, inPlace);
    return {
      root,
      isRootWritable,
      network,
      hasTerminal,
      private: [...this.#privateFolders(isRootWritable, mounts), ...caches.folders],
      shown: [...shown, ...inPlace, ...this.#gitFolder()],
      links: [...links, ...caches.links],
      hidden: toHide([...this.#visible.hidden, ...realPaths(covered())]),
      guards,
      sockets,
    };
  }

  environment(inner: Record<string, string>, { isRootWritable }: Pick<SandboxPolicy, "isRootWritable">) {
    const { root } = this.#options;
    const environment = sandboxEnvironment(inner, this.#visible.variables);
    const TMPDIR = isRootWritable ? "/tmp" : scratchPath;
    if (root === "/") return { ...environment, TMPDIR };
    return { ...environment, TMPDIR, GIT_CONFIG_GLOBAL: join(gitFolder, "config"), GIT_CONFIG_NOSYSTEM: "1" };
  }

  /** Puts back what a command in the sandbox must not have changed, and says what that was. */
  putBack(): PutBack {
    return this.#watch?.take() ?? { paths: [], setAside: [] };
  }

  /** To be called when nothing in the sandbox lives any more. */
  release(): void {
    this.#watch?.close();
    this.#mountPoints?.release();
    this.#caches?.release();
  }

  #guardsOf(isRootWritable: boolean): Guards {
    const { root, stateFolder, readOnly, onAgain } = this.#options;
    // Where nothing of the root can be written, nothing of it has to be guarded; but the repository of a linked worktree
    // lies elsewhere, and has to be there.
    if (!isRootWritable && !isFile(join(root, ".git"))) return { readOnly: [], pinned: [], watched: [] };
    this.#guards ??= guardsOf(root, {
      own: [...this.#own, ...readOnly],
      home: this.#home,
      isGuardedByAll: guardedByAll(stateFolder),
    });
    if (isRootWritable) {
      const { repositories } = this.#guards;
      this.#mountPoints ??= holdMountPoints(stateFolder, this.#guards.readOnly, repositories.inner);
      this.#watch ??= new GuardWatch(root, this.#guards, onAgain);
    }
    return this.#guards;
  }

  /**
   * What a command that was judged to only read leaves must not reach one that writes, so it can write nothing of these.
   *
   * Bubblewrap makes the places of mounts while the machine's disk is still within its reach. A command that had put a link
   * in the way would so have folders made outside. So mounts lie in no folder that another command may have written: the
   * home folder is a new one for each sandbox, and in /tmp, which they share, new folders take the place of those on the way.
   */
  #privateFolders(isRootWritable: boolean, mounts: readonly string[]): VisiblePath[] {
    const { root, ownFolder } = this.#options;
    const access = isRootWritable ? "write" : "read";
    const folders = ["/tmp", "/var/tmp"]
      .filter((path) => path !== root && lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      .map((path): VisiblePath => ({ path, source: join(ownFolder, "tmp"), access }));
    const home = this.#caches === undefined ? [] : [this.#home];
    const ways = new Set(
      [...mounts, ...home].flatMap((path) => /^((?:\/var)?\/tmp\/[^/]+)\/./.exec(path)?.[1] ?? []),
    );
    // What is mounted anyway would be covered.
    for (const path of ways.difference(new Set([...mounts, ...home])))
      folders.push({ path, source: this.#newFolder("way"), access });
    if (!isRootWritable)
      folders.push({ path: scratchPath, source: join(ownFolder, "scratch"), access: "write" });
    if (this.#caches === undefined) return folders;
    folders.push({ path: this.#home, source: this.#newFolder("home"), access });
    folders.push({ path: privateCachesPath, source: this.#caches.folder, access });
    return folders;
  }

  /**
   * Leads the usual places of caches in the home folder to ours. A mount for each would do as well, but bubblewrap takes the
   * longer for a mount the more of them there are, so it is for those that lie in another mount or hold one.
   */
  #cacheMounts(
    isRootWritable: boolean,
    mounts: readonly string[],
    inPlace: readonly VisiblePath[],
  ): { links: PathLink[]; folders: VisiblePath[] } {
    const links: PathLink[] = [];
    const folders: VisiblePath[] = [];
    if (this.#caches === undefined) return { links, folders };
    const made = new Set(readdirSync(this.#caches.folder));
    for (const { name, path } of personCaches) {
      const at = join(this.#home, path);
      if (inPlace.some((each) => each.path === at)) continue;
      const source = join(this.#caches.folder, name);
      if (!made.has(name)) mkdirSync(source, { mode: 0o700 });
      const holdsMount = mounts.some((each) => isInside(at, each));
      const isInMount = mounts.some((each) => isInside(each, at));
      if (!holdsMount && !isInMount) links.push({ path: at, target: join(privateCachesPath, name) });
      // In a tool chain that is shown nothing can be made to be mounted on.
      else if (holdsMount || existsSync(at))
        folders.push({ path: at, source, access: isRootWritable ? "write" : "read" });
    }
    return { links, folders };
  }

  #cachesInPlace(): VisiblePath[] {
    if (this.#caches === undefined) return [];
    return personCaches.flatMap(({ name, path, isReadInPlace = false }) => {
      const shown = this.#visible.shown.find((each) => each.path === join(shownCaches, name));
      return shown === undefined || !isReadInPlace ? [] : [{ ...shown, path: join(this.#home, path) }];
    });
  }

  #newFolder(name: string): string {
    return mkdtempSync(join(this.#options.ownFolder, `${name}-`));
  }

  #gitFolder(): VisiblePath[] {
    const { root, ownFolder } = this.#options;
    // There is no path of which we could say that it is not the person's.
    if (root === "/") return [];
    const source = join(ownFolder, "git");
    mkdirSync(source, { recursive: true, mode: 0o700 });
    return [{ path: gitFolder, source, access: "read" }];
  }

  /** Resolves when git in the sandbox knows the person. A sandbox may be started before: its folder is there already. */
  introduceToGit(): Promise<void> {
    this.#gitFiles ??= this.#writeGitFiles().catch(() => {
      // Without them a commit says that it does not know who made it.
    });
    return this.#gitFiles;
  }

  async #writeGitFiles(): Promise<void> {
    const { root, ownFolder, environment } = this.#options;
    if (root === "/") return;
    const git = trustedProgram("git", this.#options.search);
    const ignorePath = join(gitFolder, "ignore");
    const { config, ignored } = await gitIdentity(git, { root, home: this.#home, ignorePath, environment });
    writeFileSync(join(ownFolder, "git/config"), config, { mode: 0o600 });
    writeFileSync(join(ownFolder, "git/ignore"), ignored, { mode: 0o600 });
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The person's home folder, as the system spells it. */
function realHome(environment: Environment): string {
  const home = environment.HOME || homedir();
  try {
    return realpathSync.native(home);
  } catch {
    return home;
  }
}
