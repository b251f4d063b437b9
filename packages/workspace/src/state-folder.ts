// Where Stet keeps what it knows about a folder: in the user's data folder, never in the folder itself.
//
// A cloned repository can therefore not bring a forged ledger along, `git clean` cannot destroy one, and a folder that
// cannot be written can still be read. A folder that was moved finds its state again by device and inode.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Fault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";

interface RootRecord {
  readonly root: string;
  readonly device: number;
  readonly inode: number;
}

/** `STET_DATA_DIR`, else `stet` in the XDG data folder. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.STET_DATA_DIR) return environment.STET_DATA_DIR;
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "stet");
}

/** The state folder of a root (a real path), created where there is none yet. */
export function stateFolder(root: string, data: string = dataFolder()): string | Fault {
  const projects = join(data, "projects");
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const folder = join(projects, `${basename(root).replace(/[^\w.-]/g, "_") || "root"}-${digest}`);
  try {
    const { dev, ino } = statSync(root);
    mkdirSync(projects, { recursive: true, mode: 0o700 });
    if (!existsSync(folder)) {
      const moved = findMoved(projects, dev, ino);
      if (moved === undefined) mkdirSync(folder, { mode: 0o700 });
      else renameSync(moved, folder);
    }
    const record: RootRecord = { root, device: dev, inode: ino };
    const path = join(folder, "root.json");
    const content = JSON.stringify(record);
    if (!existsSync(path) || readFileSync(path, "utf8") !== content)
      writeFileSync(path, content, { mode: 0o600 });
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
