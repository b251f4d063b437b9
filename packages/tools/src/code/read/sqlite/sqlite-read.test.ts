import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { parseSqliteSelector } from "./sqlite-path.ts";
import { answerSelector } from "./sqlite-read.ts";

const database = new DatabaseSync(":memory:");
database.exec("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, note TEXT)");

/** What SQLite itself does not accept is thrown, and told as invalid arguments by the process that reads. */
function answer(rest: string): string {
  const selector = parseSqliteSelector(rest);
  if (isFault(selector)) return selector.error;
  try {
    const text = answerSelector(database, "app.db", selector);
    return isFault(text) ? text.error : "answered";
  } catch {
    return "invalid_arguments";
  }
}

test("one statement is read, whatever stands in its quotes and comments", () => {
  for (const sql of [
    "select 1;",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "EXPLAIN QUERY PLAN SELECT 1",
    "/* why */ SELECT ';' -- end",
    "SELECT 1; -- DROP TABLE users",
    "VALUES (1)",
    "SELECT '?', 'é; DELETE' AS \":a\"",
  ]) {
    assert.equal(answer(`?q=${sql}`), "answered", sql);
  }
  for (const sql of [
    "-- only a comment",
    "SELECT 1; SELECT 2",
    "SELECT ';'; DROP TABLE users",
    "SELECT 'open",
    "SELECT 1 \0 x",
  ]) {
    assert.equal(answer(`?q=${sql}`), "invalid_arguments", sql);
  }
});

test("a condition may contain anything in quotes, and nothing that ends, hides or adds a part", () => {
  for (const where of [
    "name = 'a; DROP TABLE t'",
    "name = 'UNION -- /*'",
    "id IN (SELECT id FROM users)",
    "replace(name, 'a', 'b') = 'x'",
    "note LIKE '%''quoted''%'",
    '"name" > 3 AND [note] = 1',
  ]) {
    assert.equal(answer(`:users?where=${where}`), "answered", where);
  }
  for (const where of [
    "",
    "1=1; DROP TABLE t",
    "1=1 -- rest",
    "1=1 /* x */",
    "1=1 UnIoN ALL SELECT 1",
    "1=1 LIMIT 5",
    "1=1 OFFSET 5",
    "1=1) --",
    "(1=1",
    "name = 'open",
    "name = ?",
    "name = :who",
    "'a' 'b''' ; ATTACH 'x' AS y",
    "id IN (PRAGMA table_info(t))",
    "'' UNION/**/SELECT 1",
    "1=1 \0",
  ]) {
    assert.equal(answer(`:users?where=${where}`), "invalid_arguments", where);
  }
});
