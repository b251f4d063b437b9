// What a database's process came back with, as a tool's outcome.

import type { ToolOutcome } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import type { ApartEnd } from "../apart.ts";

export interface SqliteAsked {
  readonly path: string;
  /** How long it was given. */
  readonly milliseconds: number;
  readonly isWrite: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export function sqliteOutcome(
  end: ApartEnd<"sqlite">,
  { path, milliseconds, isWrite, details }: SqliteAsked,
): ToolOutcome | Fault {
  if (end.kind === "stopped") {
    // It may have been stopped just behind the end of its work.
    const state = isWrite ? " Read the row to see whether it was changed." : "";
    if (end.by === "signal") {
      return new Fault("aborted", `The work on ${path} was stopped.${state}`, "Wait for the next message.");
    }
    return new Fault(
      "too_large",
      `The work on ${path} took longer than ${milliseconds / 1000} seconds and was stopped.${state}`,
      "Ask for less: a condition on an indexed column, a LIMIT, no unbounded recursion.",
      { path },
    );
  }
  if (end.kind === "failed") {
    const message = `${path} could not be used: ${end.reason}.`;
    return new Fault("not_readable", message, "Ask for less, or tell the person.", { path });
  }
  const { value } = end;
  if ("text" in value) return { content: value.text, details: { path, rows: value.rows, ...details } };
  const { error, message, suggestion, details: refused } = value.refused;
  return new Fault(error, message, suggestion, refused);
}

export function missingDatabase(path: string): Fault {
  return new Fault(
    "file_not_found",
    `SQLite database '${path}' not found.`,
    "Check the path; a new database is made with sqlite3 in bash.",
    { path },
  );
}
