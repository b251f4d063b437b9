// SQLite's errors as faults that name the file and say what can be done. Only this file maps SQLite's result codes to fault
// codes; an error that is not of SQLite is a bug and is thrown on.

import { Fault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { damaged, type StoreName } from "./mark.ts";

// SQLite's primary result codes.
const genericError = 1;
const full = 13;
const busy = new Set([5, 6]);
const readOnly = new Set([3, 8, 14, 23]);
const damage = new Set([11, 26]);

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return Number(error.errcode) & 0xff;
}

/** Whether the file is not what it was: broken pages, no database at all, or one without our tables. */
export function isDamage(error: unknown): error is Error {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return false;
  return damage.has(code) || (code === genericError && /no such (?:table|column)/.test(error.message));
}

/** Whether SQLite refused something for a reason outside of this program. */
export function isRefusal(error: unknown): error is Error {
  const code = codeOf(error);
  return code !== undefined && (code !== genericError || isDamage(error));
}

export function sqliteFault(error: unknown, store: StoreName): Fault {
  const carried = faultOf(error);
  if (carried !== undefined) return carried;
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  const { path, what } = store;
  const { message: reason } = error;
  const details = { path, code, reason };
  if (isDamage(error)) return damaged(store, `is damaged: ${reason}`);
  if (busy.has(code)) {
    return new Fault(
      "workspace_busy",
      `Another process is writing to ${what.toLowerCase()} and did not finish in time.`,
      "Try again in a moment.",
      details,
    );
  }
  if (code === full) {
    return new Fault(
      "disk_full",
      `${what} could not be written: the disk is full. Nothing was changed.`,
      "Free some space and try again; nothing needs to be repaired.",
      details,
    );
  }
  if (readOnly.has(code)) {
    return new Fault(
      "not_permitted",
      `${what} ${path} cannot be opened for writing.`,
      "Check its permissions, or set STET_DATA_DIR to a folder that can be written.",
      details,
    );
  }
  return new Fault(
    "io_failed",
    `${what} ${path} could not be used: ${reason}.`,
    "Try again; if it happens again, check the disk, and run stet doctor.",
    details,
  );
}
