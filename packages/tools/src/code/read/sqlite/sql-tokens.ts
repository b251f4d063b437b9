// SQL as SQLite's own tokeniser cuts it, as far as it takes to know what a text can do: where strings, quoted names and
// comments begin and end. Guards look at tokens, never at the text, so that no quoting hides anything from them.
//
//   'it''s'  string      "a""b" `a` [a]  quoted name      -- to the line's end, /* to the first */ or the end
//   ?  ?1  :name  @name  $name  parameter                 x'00'  blob, which is a word and a string here

import { Fault } from "@stet/protocol/fault";

export interface SqlToken {
  /** `open` is a quote that is never closed, with all behind it. */
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

const tokenForm =
  /(?<comment>--[^\n]*\n?|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'[^']*(?:''[^']*)*'(?!'))|(?<name>"[^"]*(?:""[^"]*)*"(?!")|`[^`]*(?:``[^`]*)*`(?!`)|\[[^\]]*\])|(?<open>['"`[][\s\S]*)|(?<word>[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[A-Za-z0-9_]*)|(?<parameter>\?\d*|[:@$#][A-Za-z0-9_$:\u0080-\uffff]+)|(?<sign>[^ \t\n\f\r])/g;
const kinds = ["comment", "string", "name", "open", "word", "number", "parameter", "sign"] as const;

export function sqlTokens(sql: string): SqlToken[] {
  return [...sql.matchAll(tokenForm)].flatMap(({ 0: text, groups = {} }) => {
    const kind = kinds.find((name) => groups[name] !== undefined);
    return kind === undefined ? [] : [{ kind, text }];
  });
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
