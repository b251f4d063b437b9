import assert from "node:assert/strict";
import { test } from "node:test";
import { readQueryFault, sqlTokens, whereFault } from "./sql-tokens.ts";

test("quotes, comments and names are cut as SQLite cuts them", () => {
  const kinds = (sql: string) => sqlTokens(sql).map(({ kind, text }) => `${kind}:${text}`);
  assert.deepEqual(kinds("a = 'it''s; --' AND \"b\"\"c\" > 1.5e3"), [
    "word:a",
    "sign:=",
    "string:'it''s; --'",
    "word:AND",
    'name:"b""c"',
    "sign:>",
    "number:1.5e3",
  ]);
  assert.deepEqual(kinds("[a;b] `c``d` -- x\n/* y */ ?1 :n"), [
    "name:[a;b]",
    "name:`c``d`",
    "comment:-- x\n",
    "comment:/* y */",
    "parameter:?1",
    "parameter::n",
  ]);
  assert.equal(sqlTokens("'open").at(-1)?.kind, "open");
});

test("a condition with what only looks dangerous inside quotes is allowed", () => {
  for (const where of [
    "name = 'a; DROP TABLE t'",
    "name = 'UNION -- /*'",
    '"limit" > 3 AND [order] = 1',
    "id IN (SELECT id FROM other)",
    "replace(name, 'a', 'b') = 'x'",
    "note LIKE '%''quoted''%'",
  ]) {
    assert.equal(whereFault(where), undefined, where);
  }
});

test("a condition that ends the statement, hides a part or adds another is refused", () => {
  for (const where of [
    "",
    "1=1; DROP TABLE t",
    "1=1 -- rest",
    "1=1 /* x */",
    "1=1 UNION SELECT 1",
    "1=1 UnIoN ALL SELECT 1",
    "1=1 LIMIT 5",
    "1=1 OFFSET 5",
    "1) OR (1=1",
    "1=1) --",
    "(1=1",
    "name = 'open",
    "name = ?",
    "name = :who",
    "'a' 'b''' ; ATTACH 'x' AS y",
    "x IN (PRAGMA table_info(t))",
    "'' UNION/**/SELECT 1",
    "1=1\0",
  ]) {
    assert.notEqual(whereFault(where), undefined, where);
  }
});

test("only one statement that begins like a reading one passes as a query", () => {
  for (const sql of [
    "SELECT 1",
    "select 1;",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "EXPLAIN QUERY PLAN SELECT 1",
    "PRAGMA table_info(t)",
    "/* why */ SELECT ';' -- end",
    "VALUES (1)",
  ]) {
    assert.equal(readQueryFault(sql), undefined, sql);
  }
  for (const sql of [
    "",
    "-- only a comment",
    "DELETE FROM t",
    "/**/ATTACH 'x' AS y",
    "SELECT 1; SELECT 2",
    "SELECT ';'; DROP TABLE t",
    "SELECT 1 /* ; */; -- x\nDROP TABLE t",
    "SELECT ?",
    "SELECT 'open",
    "REPLACE INTO t VALUES (1)",
    "VACUUM INTO 'x'",
  ]) {
    assert.notEqual(readQueryFault(sql), undefined, sql);
  }
});
