// One writer at a time for the session files of a folder, or for one other file, across processes.
//
// The lock is SQLite's on a file that never gets any content: the system frees it when its holder dies, however it
// dies, so there is no stale lock to judge. It is held for one append, so a second process waits for
// milliseconds; only one that was stopped in the middle of an append makes others give up.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { openSqliteFile } from "@stet/storage/sqlite-file";

const defaultPatienceMilliseconds = 5000;
const pollMilliseconds = 1;
/** `Atomics.wait` on it is a sleep: it is never notified. */
const sleeper = new Int32Array(new SharedArrayBuffer(4));

interface Connection {
  readonly database: DatabaseSync;
  /** Of the lock file. A folder that was removed and created again has another file, which others lock. */
  readonly inode: number;
}

/** Open lock files of this process by path. */
const connections = new Map<string, Connection>();

const sqliteBusy = 5;
const sqliteCannotOpen = 14;

/** Runs `action` while no other process writes a session file of this folder. `action` must not wait for anything. */
export function whileLocked<T>(
  folder: string,
  action: () => T,
  patienceMilliseconds: number = defaultPatienceMilliseconds,
): T | Fault {
  return whileFileLocked(join(folder, ".sessions.lock"), action, patienceMilliseconds);
}

/** The same with a lock file of another name. Its folder is there. */
export function whileFileLocked<T>(
  path: string,
  action: () => T,
  patienceMilliseconds: number = defaultPatienceMilliseconds,
): T | Fault {
  const connection = connect(path, patienceMilliseconds);
  if (connection instanceof Fault) return connection;
  const refusal = whenFree(connection, "BEGIN EXCLUSIVE", path, patienceMilliseconds);
  if (refusal !== undefined) return refusal;
  try {
    return action();
  } finally {
    connection.exec("ROLLBACK");
  }
}

/**
 * Polls in even steps. SQLite's own waiting backs off to steps of 100 ms, and so misses the short gaps that processes leave
 * which append one entry after the other: it timed out although no process was stuck.
 */
function whenFree(
  connection: DatabaseSync,
  sql: string,
  path: string,
  patienceMilliseconds: number,
): Fault | undefined {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    try {
      connection.exec(sql);
      return undefined;
    } catch (error) {
      const fault = lockFault(error, path);
      if (fault.error !== "session_busy" || performance.now() >= end) return fault;
    }
    Atomics.wait(sleeper, 0, 0, pollMilliseconds);
  }
}

function connect(path: string, patienceMilliseconds: number): DatabaseSync | Fault {
  const known = connections.get(path);
  if (known !== undefined && statSync(path, { throwIfNoEntry: false })?.ino === known.inode) {
    return known.database;
  }
  known?.database.close();
  connections.delete(path);
  try {
    const opened = openSqliteFile(path);
    // In memory, so that taking the lock writes nothing, not even a journal.
    opened.exec("PRAGMA busy_timeout = 0");
    const refusal = whenFree(opened, "PRAGMA journal_mode = MEMORY", path, patienceMilliseconds);
    if (refusal !== undefined) {
      opened.close();
      return refusal;
    }
    connections.set(path, { database: opened, inode: statSync(path).ino });
    return opened;
  } catch (error) {
    return lockFault(error, path);
  }
}

function lockFault(error: unknown, path: string): Fault {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") throw error;
  const primary = error.errcode & 0xff;
  if (primary === sqliteBusy) {
    return new Fault(
      "session_busy",
      path.endsWith(".sessions.lock")
        ? "Another process holds the sessions of this folder and does not let go."
        : `Another process holds ${path} and does not let go.`,
      `Find it with "fuser ${path}", let it go on or end it, and try again.`,
      { path },
    );
  }
  return new Fault(
    primary === sqliteCannotOpen ? "not_permitted" : "io_failed",
    `${path} could not be locked: ${error.message}.`,
    "Check that the folder exists and can be written.",
    { path },
  );
}
