// Who holds what: named locks of a workspace, kept in the ledger so that every process can say who has one.
//
// A lock whose process is gone is free. A process on another host is believed to be alive.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { Ledger } from "./ledger.ts";

export interface Hold {
  release(): void;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly purpose: string;
  readonly since: number;
}

/** Who holds a lock now. */
export function holderOf(ledger: Ledger, name: string): Holder | undefined {
  const row = ledger.database.get("SELECT * FROM holders WHERE name = ?", name);
  if (row === undefined || !isAlive(row)) return undefined;
  return {
    pid: Number(row.pid),
    host: String(row.host),
    purpose: String(row.purpose),
    since: Number(row.since),
  };
}

/** Locks held in this process, to tell a living holder from one whose process id was given to us again. */
const alive = new Set<string>();

/** Takes a lock, or says who has it. */
export function hold(ledger: Ledger, name: string, purpose: string): Hold | Fault {
  const instance = uniqueSuffix();
  const { database } = ledger;
  const taken = ledger.write(() => {
    const row = database.get("SELECT * FROM holders WHERE name = ?", name);
    if (row !== undefined && isAlive(row)) return heldBy(name, row);
    database.run(
      "INSERT OR REPLACE INTO holders (name, instance, pid, host, purpose, since) VALUES (?, ?, ?, ?, ?, ?)",
      name,
      instance,
      process.pid,
      hostname(),
      purpose,
      Date.now(),
    );
    return true;
  });
  if (isFault(taken)) return taken;
  alive.add(instance);
  return {
    release() {
      alive.delete(instance);
      // Where the release cannot be written, the lock is abandoned, which `freeAbandoned` finds.
      ignoreFault(
        ledger.write(() =>
          database.run("DELETE FROM holders WHERE name = ? AND instance = ?", name, instance),
        ),
      );
    },
  };
}

/** Frees abandoned locks of this process: their release could not be written. */
export function freeAbandoned(ledger: Ledger): undefined | Fault {
  const { database } = ledger;
  const rows = database.all("SELECT * FROM holders WHERE host = ? AND pid = ?", hostname(), process.pid);
  const abandoned = rows.filter((row) => !isAlive(row));
  if (abandoned.length === 0) return undefined;
  return ledger.write(() => {
    for (const { instance } of abandoned)
      database.run("DELETE FROM holders WHERE instance = ?", String(instance));
    return undefined;
  });
}

function isAlive(row: Readonly<Record<string, unknown>>): boolean {
  if (row.host !== hostname()) return true;
  const pid = Number(row.pid);
  return pid === process.pid ? alive.has(String(row.instance)) : isProcessAlive(pid);
}

/** Whether there is a process on this host, and not only what is left of one. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // Not permitted to signal it means that it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A process that was killed and that its parent has not noticed yet can still be signalled. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, ""));
  } catch {
    return false;
  }
}

function heldBy(name: string, row: Readonly<Record<string, unknown>>): Fault {
  const since = new Date(Number(row.since)).toISOString();
  const where = row.host === hostname() ? `process ${row.pid}` : `process ${row.pid} on ${row.host}`;
  return new Fault(
    "workspace_busy",
    `Another Stet is ${row.purpose} here: ${where}, since ${since}.`,
    "Wait until it is done and try again, or end that process.",
    { lock: name, pid: Number(row.pid), host: String(row.host), purpose: String(row.purpose), since },
  );
}
