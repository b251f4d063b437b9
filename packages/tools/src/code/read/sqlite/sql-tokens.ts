// SQL as SQLite's own tokeniser cuts it, as far as it takes to know what a text can do: where strings, quoted names and
// comments begin and end. Guards look at tokens, never at the text, so that no quoting hides anything from them.
//
//   'it''s'  string      "a""b" `a` [a]  quoted name      -- to the line's end, /* to the first */ or the end
//   ?  ?1  :name  @name  $name  parameter                 x'00'  blob, which is a word and a string here

import { Fault } from "@stet/protocol/fault";

export interface SqlToken {
  readonly kind:
    | "word"
    | "string"
    | "name"
    | "number"
    | "comment"
    | "parameter"
    | "sign"
    /** A quote that is never closed. */
    | "open";
  readonly text: string;
}

const closing: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "[": "]" };
const wordStart = /[A-Za-z_\u0080-\uffff]/;
const wordForm = /[A-Za-z0-9_$\u0080-\uffff]*/y;
const numberForm = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[A-Za-z0-9_]*/y;
const parameterForm = /\?\d*|[:@$#][A-Za-z0-9_$:\u0080-\uffff]+/y;

export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < sql.length; ) {
    const character = sql.charAt(at);
    if (" \t\n\f\r".includes(character)) {
      at += 1;
      continue;
    }
    const token = tokenAt(sql, at, character);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(sql: string, at: number, character: string): SqlToken {
  const two = sql.slice(at, at + 2);
  if (two === "--") return { kind: "comment", text: sql.slice(at, endOf(sql, "\n", at + 2)) };
  if (two === "/*") return { kind: "comment", text: sql.slice(at, endOf(sql, "*/", at + 2)) };
  const close = closing[character];
  if (close !== undefined) return quotedAt(sql, at, close);
  if (wordStart.test(character)) return { kind: "word", text: matched(wordForm, sql, at) };
  const number = matched(numberForm, sql, at);
  if (number !== "") return { kind: "number", text: number };
  const parameter = matched(parameterForm, sql, at);
  if (parameter !== "") return { kind: "parameter", text: parameter };
  return { kind: "sign", text: character };
}

function quotedAt(sql: string, at: number, close: string): SqlToken {
  const kind = close === "'" ? "string" : "name";
  for (let end = sql.indexOf(close, at + 1); end >= 0; end = sql.indexOf(close, end + 2)) {
    // A doubled quote is part of what is quoted; a bracket cannot be doubled.
    if (close === "]" || sql.charAt(end + 1) !== close) return { kind, text: sql.slice(at, end + 1) };
  }
  return { kind: "open", text: sql.slice(at) };
}

function endOf(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
}

function matched(form: RegExp, sql: string, at: number): string {
  form.lastIndex = at;
  return form.exec(sql)?.[0] ?? "";
}

const controlWords = new Set(
  `ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP EXCEPT GROUP HAVING INSERT INTERSECT INTO LIMIT OFFSET ORDER
  PRAGMA REINDEX RELEASE RETURNING ROLLBACK SAVEPOINT UNION UPDATE VACUUM WINDOW`.split(/\s+/),
);

/** Why a text cannot stand behind WHERE; undefined where it can. */
export function whereFault(where: string): Fault | undefined {
  const tokens = sqlTokens(where);
  if (tokens.length === 0) return refused("where is empty", "Leave it out, or give a condition.");
  const common = commonFault(tokens, where);
  if (common !== undefined) return common;
  if (tokens.some(({ kind }) => kind === "comment")) {
    return refused("where contains a comment", "Leave the comment out.");
  }
  if (tokens.some(({ text }) => text === ";")) {
    return refused("where contains a semicolon", "Give one condition.");
  }
  const control = tokens.find(({ kind, text }) => kind === "word" && controlWords.has(text.toUpperCase()));
  if (control !== undefined) {
    return refused(
      `where contains ${control.text}`,
      `Use limit, offset and order as parameters, or ?q=SELECT … for more. A column of that name is written "${control.text}".`,
    );
  }
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "sign") continue;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? undefined : refused("where has unbalanced parentheses", "Close what is opened.");
}

const readingWords = new Set(["SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA"]);

/** Why a text is not one statement that only reads; undefined where it may be one. The database decides (run-sqlite.ts). */
export function readQueryFault(sql: string): Fault | undefined {
  const all = sqlTokens(sql);
  const tokens = all.filter(({ kind }) => kind !== "comment");
  const [first] = tokens;
  if (first === undefined) return refused("q is empty", "Give a SELECT statement: ?q=SELECT ….");
  const common = commonFault(tokens, sql);
  if (common !== undefined) return common;
  const end = tokens.findIndex(({ text }) => text === ";");
  if (end >= 0 && end < tokens.length - 1) {
    return refused("q contains more than one statement", "Read once for each statement.");
  }
  if (first.kind === "word" && readingWords.has(first.text.toUpperCase())) return undefined;
  return new Fault(
    "not_allowed",
    `q begins with ${first.text.slice(0, 40)}; only statements that read are allowed: SELECT, WITH … SELECT, VALUES, EXPLAIN and PRAGMAs that tell something.`,
    "Change rows with write: db.sqlite:table inserts, db.sqlite:table:key updates or deletes.",
  );
}

function commonFault(tokens: readonly SqlToken[], sql: string): Fault | undefined {
  if (sql.includes("\0")) return refused("The SQL contains a zero character", "Leave it out.");
  if (tokens.some(({ kind }) => kind === "open")) {
    return refused(
      "The SQL has a quote that is never closed",
      "Close it; a quote inside is doubled: 'it''s'.",
    );
  }
  const parameter = tokens.find(({ kind }) => kind === "parameter");
  if (parameter === undefined) return undefined;
  return refused(
    `The SQL contains the bound parameter ${parameter.text}, and there is nothing to bind`,
    "Write the value itself, text in single quotes.",
  );
}

function refused(problem: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", `${problem}.`, suggestion);
}
