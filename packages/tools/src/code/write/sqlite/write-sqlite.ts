// `db.sqlite:table` with an object inserts a row, `db.sqlite:table:key` updates it, with nothing it deletes it.

import { rmSync, statSync } from "node:fs";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../../code-context.ts";
import { workApart } from "../../read/apart.ts";
import type { WriteTarget } from "../../read/source.ts";
import { companionFault, findSqlite, journalFault } from "../../read/sqlite/sqlite-file.ts";
import { type SqliteValue, type SqliteWrite, sqliteLimits } from "../../read/sqlite/sqlite-job.ts";
import { missingDatabase, sqliteOutcome } from "../../read/sqlite/sqlite-outcome.ts";
import { splitNamed } from "../../read/sqlite/sqlite-path.ts";
import { copyOf, rememberCopy, withKeptNote } from "../kept-binaries.ts";

/** Milliseconds for the copy, for waiting and for the write itself. */
const writeTime = 4 * sqliteLimits.time;

export async function writeSqlite(
  { path, content }: WriteTarget,
  context: CodeContext,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault | undefined> {
  const found = findSqlite(context, path);
  // A file of that name which is no database, or none yet, is written like any other.
  if (found === undefined || isFault(found) || found.kind === "other")
    return isFault(found) ? found : undefined;
  if (found.kind === "missing") return found.rest === "" ? undefined : missingDatabase(found.path);
  const write = await parseWrite(found.rest, content);
  if (isFault(write)) return write;
  const { file } = found;
  const { location } = file;
  const unsafe = companionFault(file) ?? journalFault(file);
  if (unsafe !== undefined) return unsafe;
  const log = statSync(`${location.absolute}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const copy = copyOf(context, location, file.size + log);
  if (isFault(copy)) return copy;
  const keepAt = copy.isNew ? copy.kept : undefined;
  const job = {
    file: location.absolute,
    path: location.path,
    request: { kind: "write", write, keepAt },
  } as const;
  const end = await workApart("sqlite", job, { signal, milliseconds: writeTime });
  const isDone = end.kind === "done" && "text" in end.value;
  if (isDone) context.files.changes += 1;
  if (keepAt !== undefined) {
    if (isDone) rememberCopy(context, location, keepAt);
    // Where it is not known whether something was written the copy stays.
    else if (end.kind === "done") rmSync(keepAt, { force: true });
  }
  const details = { undo: false, kept: copy.kept };
  const { path: name } = location;
  const outcome = sqliteOutcome(end, { path: name, milliseconds: writeTime, isWrite: true, details });
  return isFault(outcome) || !isDone ? outcome : withKeptNote(outcome, copy);
}

async function parseWrite(rest: string, content: string): Promise<SqliteWrite | Fault> {
  if (rest.includes("?")) {
    return invalid(
      "SQLite write paths do not support query parameters",
      "Use db.sqlite:table or db.sqlite:table:key.",
    );
  }
  const { table, key } = splitNamed(rest);
  if (table === "")
    return invalid("SQLite write path must target a table", "Use db.sqlite:table or db.sqlite:table:key.");
  if (key?.trim() === "") {
    return invalid(
      "SQLite row writes require a non-empty row key",
      "Use db.sqlite:table:key, or db.sqlite:table to insert.",
    );
  }
  if (key !== undefined && content.trim() === "") return { kind: "delete", table, key };
  const values = await parseRow(content);
  if (isFault(values)) return values;
  return key === undefined ? { kind: "insert", table, values } : { kind: "update", table, key, values };
}

const example = "Give an object such as {name: 'Ada', active: true}.";

async function parseRow(content: string): Promise<Record<string, SqliteValue> | Fault> {
  const { default: json5 } = await import("json5");
  let parsed: unknown;
  try {
    parsed = json5.parse(content);
  } catch (error) {
    return invalid(
      `The content is not JSON5: ${error instanceof Error ? error.message : String(error)}`,
      example,
    );
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return invalid("The content is not an object of columns and values", example);
  }
  const row: Record<string, SqliteValue> = {};
  for (const [name, value] of Object.entries(parsed)) {
    const scalar = scalarOf(name, value);
    if (isFault(scalar)) return scalar;
    row[name] = scalar;
  }
  return row;
}

function scalarOf(name: string, value: unknown): SqliteValue | Fault {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value !== "number") {
    return invalid(
      `The value of ${name} is not a scalar`,
      "Give text, a number, true, false or null; write JSON as text.",
    );
  }
  // A number that is whole is stored as such also where the column has no type.
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isFinite(value) && !Number.isInteger(value)) return value;
  return invalid(`The value of ${name} cannot be kept exactly as a number`, "Write it as text, in quotes.");
}

function invalid(problem: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", `${problem}.`, suggestion);
}
