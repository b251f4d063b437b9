// What is read from a database: its tables, one table, one row, some rows, or what a statement returns.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import { type SqliteSelector, type SqliteText, sqliteLimits } from "./sqlite-job.ts";
import { formatRow, formatTable, type SqliteCell } from "./sqlite-table.ts";
import { quoted, rowCondition, rowidName, type TableShape, tableShape } from "./table-shape.ts";

const countedRows = 1_000_000;
/** Milliseconds that counting all tables may take; the others are listed without a count. */
const countingTime = 2000;

export function answerSelector(
  database: DatabaseSync,
  path: string,
  selector: SqliteSelector,
): SqliteText | Fault {
  if (selector.kind === "list") return listTables(database);
  if (selector.kind === "raw") {
    const statement = prepareOne(database, selector.sql);
    if (isFault(statement)) return statement;
    const { columns, rows, hasMore } = fetch(statement, sqliteLimits.rowCap);
    const note = hasMore
      ? `\n[Shown: the first ${rows.length} rows. Use LIMIT and OFFSET in q for others.]`
      : "";
    return { text: `${formatTable(columns, rows)}${note}`, rows: rows.length };
  }
  const shape = tableShape(database, selector.table);
  if (isFault(shape)) return shape;
  switch (selector.kind) {
    case "schema":
      return showSchema(database, shape);
    case "row":
      return showRow(database, shape, selector.key);
    case "query":
      return showRows(database, path, shape, selector);
  }
}

function listTables(database: DatabaseSync): SqliteText {
  const tables = database
    .prepare(
      "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type, name",
    )
    .all();
  if (tables.length === 0) return { text: "(no tables)", rows: 0 };
  const shown = tables.slice(0, sqliteLimits.listedTables);
  const until = performance.now() + countingTime;
  const lines = shown.map(({ name, type }) => {
    if (type === "view") return `${name} (view)`;
    return `${name} (${performance.now() < until ? countRows(database, String(name)) : "not counted"})`;
  });
  const rest = tables.length - shown.length;
  if (rest > 0) lines.push(`[${rest} more tables; list them with ?q=SELECT name FROM sqlite_master]`);
  return { text: lines.join("\n"), rows: shown.length };
}

function countRows(database: DatabaseSync, table: string): string {
  try {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${quoted(table)} LIMIT ${countedRows + 1})`;
    const n = Number(database.prepare(sql).get()?.n ?? 0);
    if (n > countedRows) return `more than ${countedRows} rows`;
    return n === 1 ? "1 row" : `${n} rows`;
  } catch (error) {
    // A virtual table of a module that is not here, or a damaged page: the others are still worth listing.
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function showSchema(database: DatabaseSync, shape: TableShape): SqliteText {
  const statement = database.prepare(`SELECT * FROM ${quoted(shape.name)} LIMIT ${sqliteLimits.sampleRows}`);
  const { columns, rows } = fetch(statement, sqliteLimits.sampleRows);
  const sample = rows.length === 0 ? "(no rows)" : `Sample rows:\n${formatTable(columns, rows)}`;
  return { text: `${shape.sql};\n\n${sample}`, rows: rows.length };
}

function showRow(database: DatabaseSync, shape: TableShape, key: string): SqliteText | Fault {
  const by = rowCondition(database, shape, key);
  if (isFault(by)) return by;
  const statement = database.prepare(`SELECT * FROM ${quoted(shape.name)} WHERE ${by.condition} LIMIT 1`);
  const { columns, rows } = fetch(statement, 1, by.value);
  const [row] = rows;
  if (row !== undefined) return { text: formatRow(columns, row), rows: 1 };
  const keyName = shape.primaryKey.length === 1 ? shape.primaryKey[0] : rowidName(shape);
  return new Fault(
    "no_match",
    `${shape.name} has no row with ${keyName} ${JSON.stringify(key)}.`,
    `Read ${shape.name}?limit=${sqliteLimits.queryRows} to see rows.`,
    { table: shape.name, key },
  );
}

function showRows(
  database: DatabaseSync,
  path: string,
  shape: TableShape,
  { limit, offset, order, where }: Extract<SqliteSelector, { kind: "query" }>,
): SqliteText | Fault {
  const column = shape.columns.find((name) => name.toLowerCase() === order?.column.toLowerCase());
  if (order !== undefined && column === undefined) {
    return new Fault(
      "unknown_symbol",
      `${shape.name} has no column ${JSON.stringify(order.column)} to order by.`,
      `Use one of these: ${shape.columns.join(", ")}.`,
      { table: shape.name, columns: shape.columns },
    );
  }
  const direction = order?.isDescending ? "DESC" : "ASC";
  const parts = [
    `SELECT * FROM ${quoted(shape.name)}`,
    where === undefined ? "" : `WHERE (${where})`,
    column === undefined ? "" : `ORDER BY ${quoted(column)} ${direction}`,
    `LIMIT ${limit + 1} OFFSET ${offset}`,
  ];
  const statement = prepareOne(database, parts.filter(Boolean).join(" "));
  if (isFault(statement)) return statement;
  const { columns, rows, hasMore } = fetch(statement, limit);
  if (rows.length === 0) {
    return { text: offset === 0 ? "(no rows)" : `(no rows from offset ${offset} on)`, rows: 0 };
  }
  const note = hasMore
    ? `\n[Shown: rows ${offset + 1}-${offset + rows.length}. Read ${path}:${shape.name} with offset=${offset + rows.length} to go on.]`
    : "";
  return { text: `${formatTable(columns, rows)}${note}`, rows: rows.length };
}

const nothing = /^(?:\s|;|--.*(?:\n|$)|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$))*$/;

/** What SQLite compiled of the text must be all of it, and there is nothing to bind. */
function prepareOne(database: DatabaseSync, sql: string): StatementSync | Fault {
  const refuse = (problem: string, suggestion: string) =>
    new Fault("invalid_arguments", `${problem}.`, suggestion);
  if (nothing.test(sql)) return refuse("q is empty", "Give a SELECT statement: ?q=SELECT ….");
  const statement = database.prepare(sql);
  if (!nothing.test(sql.slice(statement.sourceSQL.length))) {
    return refuse("The SQL contains more than one statement", "Read once for each statement.");
  }
  if (statement.expandedSQL === statement.sourceSQL) return statement;
  return refuse(
    "The SQL contains a bound parameter, and there is nothing to bind",
    "Write the value itself, text in single quotes.",
  );
}

/** At most so many rows; the statement is never asked for more than one beyond. */
function fetch(
  statement: StatementSync,
  limit: number,
  ...values: (string | number | bigint)[]
): { columns: string[]; rows: SqliteCell[][]; hasMore: boolean } {
  // Two columns may have the same name, which an object would lose.
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const rows: SqliteCell[][] = [];
  let hasMore = false;
  for (const row of statement.iterate(...values)) {
    if (rows.length === limit) {
      hasMore = true;
      break;
    }
    rows.push(Object.values(row));
  }
  return { columns: statement.columns().map(({ name }) => name), rows, hasMore };
}
