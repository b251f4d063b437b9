// Where Stet keeps what it knows about a folder: in the user's data folder, never in the folder itself.
//
// A cloned repository can therefore not bring a forged ledger along, `git clean` cannot destroy one, and a folder that
// cannot be written can still be read. A folder that was moved finds its state again by device and inode.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import type { Fault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";

interface RootRecord {
  readonly root: string;
  readonly device: number;
  readonly inode: number;
}

/**
 * The person's home, always an absolute path: with an empty or relative HOME the account's own, so that nothing of theirs is
 * ever put into the folder that they happen to stand in.
 */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32") return homedir();
  if (environment.HOME !== undefined && isAbsolute(environment.HOME)) return environment.HOME;
  try {
    return userInfo().homedir || tmpdir();
  } catch {
    // An account without an entry, as in some containers.
    return tmpdir();
  }
}

/** A folder of the XDG base directories; as they demand, one that is not absolute counts as not given. */
export function xdgFolder(given: string | undefined, otherwise: string): string {
  return join(given !== undefined && isAbsolute(given) ? given : otherwise, "stet");
}

/** `STET_DATA_DIR`, else `stet` in the XDG data folder. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.STET_DATA_DIR) return environment.STET_DATA_DIR;
  return xdgFolder(environment.XDG_DATA_HOME, join(homeFolder(environment), ".local", "share"));
}

/** Whether a root (a real path) has been a workspace before. */
export function hasState(root: string, data: string): boolean {
  return existsSync(folderOf(root, data));
}

function folderOf(root: string, data: string): string {
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  return join(data, "projects", `${basename(root).replace(/[^\w.-]/g, "_") || "root"}-${digest}`);
}

/** The state folder of a root (a real path), created where there is none yet. */
export function stateFolder(root: string, data: string = dataFolder()): string | Fault {
  const [projects, folder] = [join(data, "projects"), folderOf(root, data)];
  try {
    const { dev, ino } = statSync(root);
    makePrivateFolder(projects);
    if (!existsSync(folder)) {
      const moved = findMoved(projects, dev, ino);
      if (moved === undefined) makePrivateFolder(folder);
      else renameSync(moved, folder);
    }
    const record: RootRecord = { root, device: dev, inode: ino };
    const path = join(folder, "root.json");
    const content = JSON.stringify(record);
    if (!existsSync(path) || readFileSync(path, "utf8") !== content) writePrivateFile(path, content);
    return folder;
  } catch (error) {
    return systemFault(error, "prepared as Stet's state folder (STET_DATA_DIR chooses another)", folder);
  }
}

/** A state folder whose root has gone from its old place and has this device and inode. */
function findMoved(projects: string, device: number, inode: number): string | undefined {
  for (const name of readdirSync(projects)) {
    try {
      const record: RootRecord = JSON.parse(readFileSync(join(projects, name, "root.json"), "utf8"));
      const isSame = record.device === device && record.inode === inode;
      if (isSame && !existsSync(record.root)) return join(projects, name);
    } catch {
      // Not a state folder, or one without a record: it cannot be the one that moved.
    }
  }
  return undefined;
}
