// What a path means that goes into a database:
//
//   db.sqlite                                        its tables
//   db.sqlite:table                                  how the table is made, and a few rows
//   db.sqlite:table:key                              one row
//   db.sqlite:table?limit=&offset=&order=&where=     some rows
//   db.sqlite?q=SELECT …                             what a statement returns
//
// A value that contains white space was written as it is meant; any other is decoded like part of an address.

import { Fault } from "@stet/protocol/fault";
import { type SqliteSelector, sqliteLimits } from "./sqlite-job.ts";

/** `rest` is what stands behind the file's name: empty, or beginning with `:` or `?`. */
export function parseSqliteSelector(rest: string): SqliteSelector | Fault {
  const question = rest.indexOf("?");
  const named = question < 0 ? rest : rest.slice(0, question);
  const query = question < 0 ? undefined : rest.slice(question + 1);
  const { table, key } = splitNamed(named);
  if (table === "") return query === undefined ? { kind: "list" } : parseRaw(query);
  if (key !== undefined) {
    if (query !== undefined) {
      return invalid("A row lookup takes no query parameters", "Use table?where=… for a condition.");
    }
    return key === "" ? invalid("The row key is empty", "Name one: table:key.") : { kind: "row", table, key };
  }
  if (query === undefined) return { kind: "schema", table };
  if (/^q=/i.test(query)) {
    return invalid("q cannot be combined with a table", "Put it behind the file: db.sqlite?q=SELECT ….");
  }
  return parseQuery(table, query);
}

/** `:table:key`; a key may contain colons. */
export function splitNamed(named: string): { table: string; key: string | undefined } {
  const inner = named.startsWith(":") ? named.slice(1) : named;
  const colon = inner.indexOf(":");
  if (colon < 0) return { table: inner, key: undefined };
  return { table: inner.slice(0, colon), key: inner.slice(colon + 1) };
}

function parseRaw(query: string): SqliteSelector | Fault {
  if (!/^q=/i.test(query)) {
    const name = query.split("=")[0] ?? query;
    return invalid(
      `${JSON.stringify(name)} needs a table`,
      "Use db.sqlite:table?limit=…, or db.sqlite?q=SELECT ….",
    );
  }
  if (/&(?:limit|offset|order|where|q)=/i.test(query)) {
    return invalid("q cannot be combined with other parameters", "Put LIMIT, ORDER BY and WHERE into q.");
  }
  const sql = decoded(query.slice(2));
  return sql === "" ? invalid("q is empty", "Give a SELECT statement: ?q=SELECT ….") : { kind: "raw", sql };
}

const quotedText = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/g;
const control =
  /--|\/\*|;|\b(?:ALTER|ANALYZE|ATTACH|BEGIN|COMMIT|CREATE|DELETE|DETACH|DROP|EXCEPT|GROUP|HAVING|INSERT|INTERSECT|INTO|LIMIT|OFFSET|ORDER|PRAGMA|REINDEX|RELEASE|RETURNING|ROLLBACK|SAVEPOINT|UNION|UPDATE|VACUUM|WINDOW)\b/i;

/** Why a text is more than a condition; undefined where it may be one. What it can do is judged when it is compiled. */
function whereFault(where: string): Fault | undefined {
  if (where === "") return invalid("where is empty", "Leave it out, or give a condition.");
  const [found] = control.exec(where.replace(quotedText, "''")) ?? [];
  if (found === undefined) return undefined;
  return invalid(
    `where contains ${found}`,
    `Use limit, offset and order as parameters, or ?q=SELECT … for more. A column of that name is written "${found}".`,
  );
}

const parameters = ["limit", "offset", "order", "where"];

function parseQuery(table: string, query: string): SqliteSelector | Fault {
  const values = new Map<string, string>();
  for (const part of query === "" ? [] : query.split(/&(?=[A-Za-z_]+=)/)) {
    const equals = part.indexOf("=");
    const name = (equals < 0 ? part : part.slice(0, equals)).toLowerCase();
    if (!parameters.includes(name)) {
      return invalid(
        `Unknown query parameter ${JSON.stringify(name)}`,
        "Use limit, offset, order or where; write & inside a value as %26.",
      );
    }
    if (values.has(name)) return invalid(`The parameter ${name} is given twice`, "Give it once.");
    values.set(name, decoded(part.slice(equals < 0 ? part.length : equals + 1)));
  }
  const limit = count(values.get("limit"), "limit", sqliteLimits.queryRows, 1);
  if (typeof limit !== "number") return limit;
  const offset = count(values.get("offset"), "offset", 0, 0);
  if (typeof offset !== "number") return offset;
  const where = values.get("where");
  const fault = where === undefined ? undefined : whereFault(where);
  if (fault !== undefined) return fault;
  const order = parseOrder(values.get("order"));
  if (order instanceof Fault) return order;
  return { kind: "query", table, limit: Math.min(limit, sqliteLimits.rowCap), offset, order, where };
}

function count(text: string | undefined, name: string, otherwise: number, least: number): number | Fault {
  if (text === undefined) return otherwise;
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : -1;
  if (number >= least) return number;
  return invalid(
    `${name} is ${JSON.stringify(text)}, not a whole number of at least ${least}`,
    `Use ${name}=${least}.`,
  );
}

function parseOrder(text: string | undefined): { column: string; isDescending: boolean } | undefined | Fault {
  if (text === undefined) return undefined;
  const [, column = "", direction = "asc"] = /^(.*?)(?::(asc|desc))?$/is.exec(text.trim()) ?? [];
  if (column === "") return invalid("order names no column", "Use order=column or order=column:desc.");
  return { column, isDescending: direction.toLowerCase() === "desc" };
}

function decoded(value: string): string {
  if (/\s/.test(value)) return value.trim();
  try {
    return decodeURIComponent(value.replaceAll("+", " ")).trim();
  } catch {
    // A percent sign that is none of an address's, such as LIKE's.
    return value;
  }
}

function invalid(problem: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", `${problem}.`, suggestion);
}
