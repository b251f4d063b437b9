// How a table is made, as far as it takes to find a row in it: its columns, and what names a row.

import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";

export interface TableShape {
  /** As the database spells it. */
  readonly name: string;
  readonly type: "table" | "view" | "virtual" | "shadow";
  readonly columns: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly primaryKey: readonly string[];
  readonly hasRowid: boolean;
  readonly sql: string;
}

/** An identifier, safe in any statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function tableShape(database: DatabaseSync, table: string): TableShape | Fault {
  const row = database
    .prepare(
      "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)",
    )
    .get(table);
  if (row === undefined) return unknownTable(database, table);
  const name = String(row.name);
  const listed = database.prepare(
    "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
  );
  const { type, wr } = listed.get(name) ?? { type: row.type, wr: 0n };
  const columns = database
    .prepare("SELECT name, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    .all(name);
  // Hidden by 1 are a virtual table's arguments; generated columns (2, 3) can be read.
  const visible = columns.filter((column) => Number(column.hidden) !== 1);
  const key = columns.filter((column) => Number(column.pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  return {
    name,
    type: type === "view" || type === "virtual" || type === "shadow" ? type : "table",
    columns: visible.map((column) => String(column.name)),
    primaryKey: key.map((column) => String(column.name)),
    hasRowid: type !== "view" && Number(wr) === 0,
    sql: row.sql === null ? "" : String(row.sql),
  };
}

/** Where a row's number can be had; undefined where columns took all of its names. */
export function rowidName(shape: TableShape): string | undefined {
  const taken = new Set(shape.columns.map((column) => column.toLowerCase()));
  return ["rowid", "_rowid_", "oid"].find((name) => !taken.has(name));
}

/** The condition that finds a row by its key, and the value to bind. */
export interface RowCondition {
  readonly condition: string;
  readonly value: string | number | bigint;
}

export function rowCondition(database: DatabaseSync, shape: TableShape, key: string): RowCondition | Fault {
  const [only, ...more] = shape.primaryKey;
  if (only !== undefined && more.length === 0) return byColumn(database, shape, only, key);
  const name = rowidName(shape);
  if (!shape.hasRowid || name === undefined) return noRowKey(shape);
  if (!/^-?\d{1,19}$/.test(key.trim())) {
    return new Fault(
      "invalid_arguments",
      `${shape.name} has no primary key of one column, so rows are found by rowid, and ${JSON.stringify(key)} is not a whole number.`,
      `Use ${shape.name}:1, or ${shape.name}?where=….`,
      { table: shape.name, key },
    );
  }
  return { condition: `${name} = ?`, value: BigInt.asIntN(64, BigInt(key.trim())) };
}

/** A column without a type keeps numbers and texts apart, so a key that looks like a number may be either. */
function byColumn(database: DatabaseSync, shape: TableShape, column: string, key: string): RowCondition {
  const condition = `${quoted(column)} = ?`;
  const number = /^-?\d{1,18}$/.test(key) ? BigInt(key) : /^-?\d*\.\d+$/.test(key) ? Number(key) : undefined;
  if (number === undefined) return { condition, value: key };
  const finds = database.prepare(`SELECT 1 FROM ${quoted(shape.name)} WHERE ${condition}`);
  const isText = finds.get(key) !== undefined || finds.get(number) === undefined;
  return { condition, value: isText ? key : number };
}

export function noRowKey(shape: TableShape): Fault {
  const what = shape.type === "view" ? "is a view" : "is a WITHOUT ROWID table with a composite primary key";
  return new Fault(
    "invalid_arguments",
    `${shape.name} ${what}: a row has no single key.`,
    `Use ${shape.name}?where=… to find rows.`,
    { table: shape.name },
  );
}

function unknownTable(database: DatabaseSync, table: string): Fault {
  const rows = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name LIMIT 50",
    )
    .all();
  const names = rows.map((row) => String(row.name));
  const suggestion =
    names.length === 0 ? "The database has no tables." : `Use one of these: ${names.join(", ")}.`;
  return new Fault("unknown_symbol", `There is no table ${JSON.stringify(table)}.`, suggestion, {
    table,
    tables: names,
  });
}
