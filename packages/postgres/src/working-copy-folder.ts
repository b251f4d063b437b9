// Where working copies are: one folder for each process, removed with it.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { makePrivateFolder } from "@stet/storage/private-files";
import { copySqliteFile, openSqliteFile } from "@stet/storage/sqlite-file";
import { openRoot } from "@stet/workspace/files/containment";
import { stateFolder } from "@stet/workspace/files/state-folder";

const folderName = "copies";

export function sharedStateFolder(folder: string, dataFolder: string | undefined): string | Fault {
  const root = openRoot(folder);
  return isFault(root) ? root : stateFolder(root.path, dataFolder);
}

/** Makes the folder of this process, in the state folder or in one that is on a disk of this machine. */
export function prepareCopy(state: string, process: string, copiesFolder: string | undefined): string {
  const copies = copiesFolder === undefined ? join(state, folderName) : join(copiesFolder, basename(state));
  removeDead(copies);
  const folder = join(copies, process.replaceAll(":", "+"));
  makePrivateFolder(folder);
  return join(folder, "ledger.sqlite");
}

/** A ledger that was used here without PostgreSQL is what the first process starts from. */
export function copyLocal(state: string, path: string): void {
  const local = join(state, "ledger.sqlite");
  if (!existsSync(local)) return;
  const connection = openSqliteFile(local, { timeout: 5000 });
  try {
    copySqliteFile(connection, path);
  } finally {
    connection.close();
  }
}

export function removeCopy(path: string): void {
  rmSync(dirname(path), { recursive: true, force: true });
}

/** Copies of processes of this host that have ended without removing them. */
function removeDead(copies: string): void {
  if (!existsSync(copies)) return;
  for (const name of readdirSync(copies)) {
    const [host, pid] = name.split("+");
    if (host === hostname() && !isAlive(Number(pid)))
      rmSync(join(copies, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const changesPerImage = 500;
const bytesPerImage = 8 * 1024 * 1024;

/** Whether starting from the newest image has become slow enough for a new one. */
export function isWorthPublishing(
  { changes, bytes }: { changes: number; bytes: number },
  size: number,
): boolean {
  return changes >= changesPerImage || bytes >= Math.max(bytesPerImage, size);
}
