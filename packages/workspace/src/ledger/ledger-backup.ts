// Backups of the ledger, made by SQLite itself while the ledger is in use.
//
// `<state>/backups/ledger-<time>.sqlite`: one a day on which there were a few turns, and one after fifty; at most three, and at
// most 1 GiB in all, of which the newest always stays. One that does not hold together is not kept: it would take the place of a good one. Its pages are checked up to
// 128 MB; a larger one is checked by `stet doctor`, because nothing else could be done meanwhile.

import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { makePrivateFolder, narrow } from "@stet/storage/private-files";
import { isRefusal } from "@stet/storage/sqlite-fault";
import { openSqliteFile } from "@stet/storage/sqlite-file";

const backupEvery = 24 * 3_600_000;
const fewTurns = 3;
const manyTurns = 50;
const maxBackups = 3;
const maxBytes = 1024 ** 3;
const checkedBytes = 128 * 1024 ** 2;
/** Pages that are copied before others get their turn. */
const pagesAtOnce = 2000;

export interface LedgerBackup {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

function backupFolder(ledger: string): string {
  return join(dirname(ledger), "backups");
}

/** The newest first. */
export function listBackups(ledger: string): LedgerBackup[] {
  const folder = backupFolder(ledger);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const found = readdirSync(folder)
    .filter((name) => /^ledger-[\d-]+\.sqlite$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile() ? [{ path, at: stats.mtimeMs, bytes: stats.size }] : [];
    });
  return found.sort((one, other) => other.at - one.at);
}

/** `turnsSince` counts the turns that began after a time. */
export function isBackupDue(
  ledger: string,
  turnsSince: (time: number) => number,
  now: number = Date.now(),
): boolean {
  const newest = listBackups(ledger)[0]?.at ?? 0;
  const turns = turnsSince(newest);
  return turns >= manyTurns || (turns >= fewTurns && now - newest > backupEvery);
}

/** Undefined where none could be made: a disk without room, a ledger that is damaged. The next turn tries again. */
export async function backUpLedger(
  ledger: string,
  now: Date = new Date(),
): Promise<LedgerBackup | undefined> {
  const folder = backupFolder(ledger);
  const time = now.toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  const path = join(folder, `ledger-${time}.sqlite`);
  const draft = `${path}.draft`;
  let source: DatabaseSync | undefined;
  try {
    makePrivateFolder(folder);
    rmSync(draft, { force: true });
    source = openSqliteFile(ledger, { readOnly: true, timeout: 1000 });
    await backup(source, draft, { rate: pagesAtOnce });
    narrow(draft);
    if (!holdsTogether(draft)) return undefined;
    renameSync(draft, path);
    removeOld(ledger);
    return listBackups(ledger).find((made) => made.path === path);
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof Error && "errno" in error)) throw error;
    return undefined;
  } finally {
    source?.close();
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

function holdsTogether(path: string): boolean {
  if (statSync(path).size > checkedBytes) return true;
  const database = openSqliteFile(path, { readOnly: true });
  try {
    return Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0] === "ok";
  } finally {
    database.close();
  }
}

function removeOld(ledger: string): void {
  let total = 0;
  for (const [position, { path, bytes }] of listBackups(ledger).entries()) {
    total += bytes;
    if (position === 0 || (position < maxBackups && total <= maxBytes)) continue;
    rmSync(path, { force: true });
  }
}
