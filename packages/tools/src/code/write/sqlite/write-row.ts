// One row inserted, updated or deleted. Names are checked against the table and quoted, values are bound.

import type { DatabaseSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import type { SqliteRow, SqliteText, SqliteWrite } from "../../read/sqlite/sqlite-job.ts";
import {
  noRowKey,
  quoted,
  type RowCondition,
  rowCondition,
  type TableShape,
  tableShape,
} from "../../read/sqlite/table-shape.ts";

export function writeRow(database: DatabaseSync, write: SqliteWrite): SqliteText | Fault {
  const shape = tableShape(database, write.table);
  if (isFault(shape)) return shape;
  if (shape.type === "view" || shape.type === "shadow" || /^sqlite_/i.test(shape.name)) {
    return refused(`${shape.name} is not a table whose rows can be written`, "Name an ordinary table.");
  }
  const unknown = write.kind === "delete" ? undefined : unknownColumn(shape, Object.keys(write.values));
  if (unknown !== undefined) return unknown;
  if (write.kind === "insert") return insert(database, shape, write.values);
  const by = keyFor(database, shape, write.key);
  if (isFault(by)) return by;
  const table = quoted(shape.name);
  if (write.kind === "delete") {
    const { changes } = database.prepare(`DELETE FROM ${table} WHERE ${by.condition}`).run(by.value);
    const text = changes
      ? `Deleted row '${write.key}' from ${shape.name}`
      : `No row deleted: ${shape.name} has no row '${write.key}'`;
    return { text, rows: Number(changes) };
  }
  const names = Object.keys(write.values);
  if (names.length === 0) {
    return refused(
      "The update names no column",
      "Give at least one: {name: 'Ada'}. Empty content deletes the row.",
    );
  }
  const sets = names.map((name) => `${quoted(name)} = ?`).join(", ");
  const statement = database.prepare(`UPDATE ${table} SET ${sets} WHERE ${by.condition}`);
  const { changes } = statement.run(...Object.values(write.values), by.value);
  const text = changes
    ? `Updated row '${write.key}' in ${shape.name}`
    : `No row updated: ${shape.name} has no row '${write.key}'`;
  return { text, rows: Number(changes) };
}

function insert(database: DatabaseSync, shape: TableShape, values: SqliteRow): SqliteText {
  const names = Object.keys(values);
  const marks = names.map(() => "?").join(", ");
  const what = names.length === 0 ? "DEFAULT VALUES" : `(${names.map(quoted).join(", ")}) VALUES (${marks})`;
  const { changes } = database
    .prepare(`INSERT INTO ${quoted(shape.name)} ${what}`)
    .run(...Object.values(values));
  return { text: `Inserted row into ${shape.name}`, rows: Number(changes) };
}

/** A write must hit one row for sure, so it does not fall back to a row's number where the table has a key of its own. */
function keyFor(database: DatabaseSync, shape: TableShape, key: string): RowCondition | Fault {
  if (shape.primaryKey.length > 1) {
    return refused(
      `${shape.name} has a composite primary key (${shape.primaryKey.join(", ")}), so one key does not name a row`,
      "Change it with sqlite3 in bash, naming all key columns.",
    );
  }
  if (!shape.hasRowid) {
    if (shape.type !== "table") return noRowKey(shape);
    return refused(
      `${shape.name} is a WITHOUT ROWID table, whose rows cannot be written by key`,
      "Change it with sqlite3 in bash.",
    );
  }
  return rowCondition(database, shape, key);
}

function unknownColumn(shape: TableShape, names: readonly string[]): Fault | undefined {
  const known = new Set(shape.columns.map((name) => name.toLowerCase()));
  const unknown = names.filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length === 0) return undefined;
  return new Fault(
    "unknown_symbol",
    `${shape.name} has no column ${unknown.map((name) => JSON.stringify(name)).join(", ")}.`,
    `Its columns are ${shape.columns.join(", ")}.`,
    { table: shape.name, unknown, columns: shape.columns },
  );
}

function refused(problem: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", `${problem}.`, suggestion);
}
