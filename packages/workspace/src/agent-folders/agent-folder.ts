// A folder of its own for an agent whose commands may write: the files of a workspace as they are now, uncommitted and
// untracked ones included, and what nobody has saved yet, too. In a repository it is a worktree, elsewhere a plain copy.
//
// - It lies in `<data folder>/agents/<pid>-<name>/`, outside of the root, and goes with the agent; one that a killed process
//   left is removed by the next that makes one.
// - Git only makes the worktree (`--no-checkout`: it runs nothing that the repository names); the files are copied by us.
// - Ignored files stay behind, but for folders of installed packages, whose entries are links (dependency-links.ts).

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { makePrivateFolder } from "@stet/storage/private-files";
import type { Environment } from "../commands/command-environment.ts";
import { isReal, statsOf } from "../commands/repositories/guard-path.ts";
import { askGit } from "../commands/repositories/own-git.ts";
import { type GitFolder, ownGitFolder, separateFolder } from "../commands/repositories/own-git-folder.ts";
import { isAlive } from "../commands/shell/processes.ts";
import { trustedProgram } from "../commands/trusted-program.ts";
import type { Turn } from "../turns/turns.ts";
import type { Workspace } from "../workspace.ts";
import { agentsFolder } from "./agents-folder.ts";
import { copyWorkingFiles } from "./working-files.ts";

export type FolderKind = "worktree" | "copy";

export interface AgentFolderOptions {
  readonly workspace: Workspace;
  /** What its agent has staged is in it, too. */
  readonly turn: Turn | undefined;
  readonly dataFolder: string;
  readonly kind: FolderKind;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Called now and then with what is being done. */
  readonly onProgress?: (text: string) => void;
}

export interface AgentFolder {
  /** Where its files are. */
  readonly root: string;
  /** Where what Stet knows of it is. */
  readonly dataFolder: string;
  readonly kind: FolderKind;
  /** Paths outside of it that its commands have to read. */
  readonly readable: readonly string[];
  /** Why it is a copy although a worktree was wanted. */
  readonly note: string | undefined;
  remove(): Promise<void>;
}

export async function makeAgentFolder(options: AgentFolderOptions): Promise<AgentFolder | Fault> {
  const { workspace, dataFolder, environment, signal } = options;
  const { path: source } = workspace.root;
  const agents = agentsFolder(dataFolder);
  const name = `${process.pid}-${uniqueSuffix()}`;
  const folder = join(agents, name);
  const root = join(folder, basename(source));
  own.add(name);
  const git = new Worktrees(source, environment);
  try {
    makePrivateFolder(agents);
    await removeLeft(agents, git);
    makePrivateFolder(folder);
    const made = options.kind === "worktree" ? await git.add(root) : undefined;
    if (made !== undefined || options.kind === "copy") mkdirSync(root, { recursive: true });
    const isWorktree = options.kind === "worktree" && made === undefined;
    const remove = async () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      if (isWorktree) await git.prune();
    };
    const copied = await copyWorkingFiles({ ...options, root });
    if (isFault(copied) || signal.aborted) {
      await remove();
      return isFault(copied) ? copied : abortedFault();
    }
    return {
      root,
      dataFolder: join(folder, "data"),
      kind: isWorktree ? "worktree" : "copy",
      readable: [...copied.readable, ...(isWorktree ? git.shared : [])],
      note: made,
      remove,
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (errnoCode(error) === undefined) throw error;
    return systemFault(error, "made for an agent", root);
  }
}

function abortedFault(): Fault {
  return new Fault("aborted", "The agent was stopped before its folder was made.", "Send it again.");
}

/** The worktrees of a repository, as git keeps them. */
class Worktrees {
  readonly #root: string;
  readonly #environment: Environment;
  readonly #git: string | undefined;
  readonly #own: GitFolder | undefined;

  constructor(root: string, environment: Environment) {
    this.#root = root;
    this.#environment = environment;
    this.#git = trustedProgram("git", { path: environment.PATH ?? "", root });
    this.#own = ownGitFolder(root);
  }

  /** What all of them have in common, and commands in each have to read. */
  get shared(): readonly string[] {
    return this.#own === undefined ? [] : [this.#own.common];
  }

  /** Makes one without files, with the index of the root; or why that cannot be done. */
  async add(path: string): Promise<string | undefined> {
    if (!existsSync(join(this.#root, ".git"))) return "There is no git repository.";
    if (this.#git === undefined) return "There is no git.";
    const own = this.#own;
    // Git would write there, and commands would read there.
    if (own === undefined)
      return "Its git folder lies elsewhere, and does not name it as one of its worktrees.";
    if (!isReal(join(own.common, "worktrees"))) return "Its git folder is a link in part.";
    const words = ["worktree", "add", "--no-checkout", "--detach", "--quiet", path, "HEAD"];
    const { exitCode } = await this.#ask(words);
    if (exitCode !== 0) return "Git could not make a worktree here: a repository without a commit has none.";
    const [index, admin] = [join(own.folder, "index"), separateFolder(join(path, ".git"))];
    // What is staged is staged there, too; git finds out by itself which files are as they were.
    if (admin !== undefined && statsOf(index)?.isFile()) await copyFile(index, join(admin, "index"));
    return undefined;
  }

  async prune(): Promise<void> {
    if (this.#git !== undefined && this.#own !== undefined) await this.#ask(["worktree", "prune"]);
  }

  #ask(words: readonly string[]) {
    return askGit(this.#git ?? "", words, { cwd: this.#root, environment: this.#environment });
  }
}

/** Names of folders that this process has made. */
const own = new Set<string>();

/** Folders of processes that are gone. */
async function removeLeft(agents: string, git: Worktrees): Promise<void> {
  const left = readdirSync(agents).filter((name) => {
    const pid = Number.parseInt(name, 10);
    // A process may get the number of the one that was killed: in a container it is 1 each time.
    return pid === process.pid ? !own.has(name) : Number.isInteger(pid) && !isAlive(pid);
  });
  for (const name of left) rmSync(join(agents, name), { recursive: true, force: true, maxRetries: 3 });
  if (left.length > 0) await git.prune();
}

/** The same for a start: what a killed process left is gone before anything else is done. */
export async function removeLeftFolders(
  root: string,
  dataFolder: string,
  environment: Environment,
): Promise<void> {
  const agents = agentsFolder(dataFolder);
  if (existsSync(agents)) await removeLeft(agents, new Worktrees(root, environment));
}
