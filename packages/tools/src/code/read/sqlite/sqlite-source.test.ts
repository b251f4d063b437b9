import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { read } from "../read.ts";

function databaseBytes(t: TestContext, sql: string): Uint8Array {
  const path = `${temporaryFolder(t)}/x.db`;
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return readFileSync(path);
}

const people = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
  INSERT INTO users VALUES (1, 'Ada', 'first'), (2, 'Bob', 'it''s'), (42, 'Eve', NULL);
  CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
  INSERT INTO pairs VALUES (1, 2), (3, 4);
  CREATE TABLE codes (code TEXT PRIMARY KEY, "or:der" BLOB) WITHOUT ROWID;
  INSERT INTO codes VALUES ('x:y', x'0001ff');
  CREATE TABLE untyped (id PRIMARY KEY, v);
  INSERT INTO untyped VALUES (7, 'number'), ('8', 'text');
  CREATE TABLE keyless (v TEXT);
  INSERT INTO keyless VALUES ('one'), ('two');
  CREATE VIEW adults AS SELECT * FROM users;
`;

async function fixture(t: TestContext, sql = people) {
  return openCodeFixture(t, [read], { files: { "data/app.db": databaseBytes(t, sql) } });
}

test("a database is told as its tables with their rows", async (t) => {
  const { call, place } = await fixture(t);
  const { text } = await call("read", { path: "data/app.db" });
  assert.match(text, /^codes \(1 row\)$/m);
  assert.match(text, /^users \(3 rows\)$/m);
  assert.match(text, /^adults \(view\)$/m);
  const absolute = await call("read", { path: place.path("data/app.db") });
  assert.equal(absolute.text, text);
});

test("a table is told as its statement and a few rows, a row as its columns", async (t) => {
  const { call } = await fixture(t);
  const table = await call("read", { path: "data/app.db:users" });
  assert.match(table.text, /^CREATE TABLE users/);
  assert.match(table.text, /42 \| Eve +\| NULL/);
  assert.equal((await call("read", { path: "data/app.db:users:2" })).text, "id: 2\nname: Bob\nnote: it's");
  assert.match((await call("read", { path: "data/app.db:codes:x:y" })).text, /or:der: x'0001ff'/);
  assert.match((await call("read", { path: "data/app.db:untyped:7" })).text, /v: number/);
  assert.match((await call("read", { path: "data/app.db:untyped:8" })).text, /v: text/);
  assert.match((await call("read", { path: "data/app.db:keyless:2" })).text, /v: two/);
  assert.match((await call("read", { path: "data/app.db:pairs:1" })).text, /a: 1\nb: 2/);
});

test("rows are chosen, ordered and paged by parameters", async (t) => {
  const { call } = await fixture(t);
  const { text } = await call("read", { path: "data/app.db:users?order=name:desc&limit=2" });
  assert.match(text, /Eve[\s\S]*Bob/);
  assert.match(text, /offset=2 to go on/);
  const where = await call("read", {
    path: "data/app.db:users?where=name = 'Ada' OR note LIKE '%''%'&limit=5",
  });
  assert.match(where.text, /Ada/);
  assert.match(where.text, /Bob/);
  assert.doesNotMatch(where.text, /Eve/);
  const encoded = await call("read", { path: "data/app.db:users?where=name%3D%27Eve%27" });
  assert.match(encoded.text, /Eve/);
  const behind = await call("read", { path: "data/app.db:users?offset=9" });
  assert.equal(behind.text, "(no rows from offset 9 on)");
});

test("a statement that reads is answered, with at most 500 rows", async (t) => {
  const { call } = await fixture(t);
  const joined = await call("read", {
    path: "data/app.db?q=SELECT u.name, count(*) AS n FROM users u GROUP BY 1",
  });
  assert.match(joined.text, /^name \| n/);
  const numbers =
    "data/app.db?q=WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 900) SELECT x FROM c";
  const many = await call("read", { path: numbers });
  assert.equal(many.text.split("\n").length, 503);
  assert.match(many.text, /the first 500 rows/);
  assert.match((await call("read", { path: "data/app.db?q=PRAGMA table_info(users)" })).text, /name/);
  assert.match((await call("read", { path: "data/app.db?q=SELECT+1+AS+one" })).text, /one/);
});

test("tables are cut to 120 characters across and 40 for a column", async (t) => {
  const columns = Array.from({ length: 30 }, (_, index) => `column_${index}`);
  const sql = `CREATE TABLE wide (${columns.join(", ")}); INSERT INTO wide (column_0) VALUES ('${"x".repeat(90)}\n')`;
  const { call } = await fixture(t, sql);
  const { text } = await call("read", { path: "data/app.db:wide?limit=1" });
  const lines = text.split("\n");
  assert.ok(lines.slice(0, 3).every((line) => line.length <= 120));
  assert.match(text, /x{39}…/);
  assert.match(text, /more columns: .*column_29/);
});

test("nothing but reading is possible, whatever the statement looks like", async (t) => {
  const { call, place } = await fixture(t);
  const before = readFileSync(place.path("data/app.db"));
  for (const sql of [
    "DELETE FROM users",
    "WITH x AS (SELECT 1) DELETE FROM users",
    "WITH x AS (SELECT 1) INSERT INTO users SELECT 9, 'x', 'y'",
    "SELECT 1; DELETE FROM users",
    "EXPLAIN DELETE FROM users",
    `ATTACH '${place.path("data/other.db")}' AS o`,
    "PRAGMA user_version = 7",
    "PRAGMA journal_mode = WAL",
    "PRAGMA writable_schema = ON",
    "PRAGMA query_only(0)",
    "PRAGMA wal_checkpoint",
    "SELECT load_extension('x')",
    `VACUUM INTO '${place.path("data/copy.db")}'`,
    "CREATE TEMP TABLE z (a)",
    "BEGIN IMMEDIATE",
    "/* SELECT */ DROP TABLE users",
    "SELECT fts3_tokenizer('x', x'00')",
  ]) {
    const answer = await call("read", { path: `data/app.db?q=${sql}` });
    assert.ok(answer.error !== undefined, sql);
  }
  assert.deepEqual(readFileSync(place.path("data/app.db")), before);
  assert.deepEqual(readdirSync(place.path("data")), ["app.db"]);
});

test("selectors that do not fit are refused with what does", async (t) => {
  const { call } = await fixture(t);
  for (const [path, error, says] of [
    ["data/app.db:nobody", "unknown_symbol", /users/],
    ["data/app.db:users:99", "no_match", /no row/],
    ["data/app.db:users:1?limit=3", "invalid_arguments", /row lookup/],
    ["data/app.db:users?limit=0", "invalid_arguments", /limit/],
    ["data/app.db:users?limit=many", "invalid_arguments", /limit/],
    ["data/app.db:users?offset=-1", "invalid_arguments", /offset/],
    ["data/app.db:users?order=age", "unknown_symbol", /id, name, note/],
    ["data/app.db:users?colour=red", "invalid_arguments", /colour/],
    ["data/app.db:users?q=SELECT 1", "invalid_arguments", /cannot be combined/],
    ["data/app.db?q=", "invalid_arguments", /empty/],
    ["data/app.db?limit=3", "invalid_arguments", /needs a table/],
    ["data/app.db?q=SELECT 1&limit=2", "invalid_arguments", /combined/],
    ["data/app.db?q=SELECT ?", "invalid_arguments", /bound parameter/],
    ['data/app.db:users?where=name = "Ada"', "invalid_arguments", /single quotes/],
    ["data/app.db?q=SELECT nonesuch FROM users", "invalid_arguments", /no such column/],
    ["data/app.db:keyless:abc", "invalid_arguments", /rowid/],
    ["data/app.db:adults:1", "invalid_arguments", /view/],
  ] as const) {
    const answer = await call("read", { path });
    assert.equal(answer.error, error, `${path}: ${answer.text}`);
    assert.match(answer.text, says, path);
  }
});

test("a query that never ends is stopped, also by the person", async (t) => {
  const { call } = await fixture(t);
  const endless =
    "data/app.db?q=WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c";
  const started = performance.now();
  const stopped = new AbortController();
  setTimeout(() => stopped.abort(), 300);
  const byPerson = await call("read", { path: endless }, stopped.signal);
  assert.equal(byPerson.error, "aborted");
  assert.ok(performance.now() - started < 3000);
  const answer = await call("read", { path: endless });
  assert.equal(answer.error, "too_large");
  assert.match(answer.text, /5 seconds/);
  assert.ok(performance.now() - started < 12_000);
});

test("a value of a gigabyte is refused, not held", async (t) => {
  const { call } = await fixture(t);
  const answer = await call("read", { path: "data/app.db?q=SELECT zeroblob(1000000000)" });
  assert.equal(answer.error, "too_large");
});

test("what another program has written and not yet checkpointed is seen, and reading leaves no files behind", async (t) => {
  const { call, place } = await fixture(
    t,
    "PRAGMA journal_mode = WAL; CREATE TABLE t (v); INSERT INTO t VALUES ('old')",
  );
  assert.match((await call("read", { path: "data/app.db:t" })).text, /old/);
  assert.deepEqual(readdirSync(place.path("data")), ["app.db"]);
  const writer = new DatabaseSync(place.path("data/app.db"));
  writer.exec("INSERT INTO t VALUES ('fresh')");
  assert.match((await call("read", { path: "data/app.db:t" })).text, /fresh/);
  writer.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('uncommitted')");
  assert.doesNotMatch((await call("read", { path: "data/app.db:t" })).text, /uncommitted/);
  writer.exec("COMMIT");
  writer.close();
});

test("a database that another program holds locked says so after three seconds", async (t) => {
  const { call, place } = await fixture(t);
  // Another process: within one, opening the file anew gives its locks up.
  const script = `const { DatabaseSync } = require("node:sqlite");
    new DatabaseSync(process.argv[1]).exec("BEGIN EXCLUSIVE");
    console.log("locked"); setTimeout(() => {}, 60000);`;
  const holder = spawn(process.execPath, ["-e", script, place.path("data/app.db")]);
  t.after(() => holder.kill());
  await once(holder.stdout, "data");
  const answer = await call("read", { path: "data/app.db:users" });
  assert.equal(answer.error, "io_failed");
  assert.match(answer.text, /locked by another program/);
});

test("files that only look like databases, or are damaged, are told as such", async (t) => {
  const good = databaseBytes(
    t,
    `CREATE TABLE t (v); ${"INSERT INTO t VALUES (hex(randomblob(900)));".repeat(40)}`,
  );
  const damaged = Buffer.from(good);
  damaged.fill(0x5a, 4096);
  const { call } = await openCodeFixture(t, [read], {
    files: { "notes.db": "just text\n", "bad.sqlite": damaged, "short.db": "SQLite format 3\0" },
  });
  assert.match((await call("read", { path: "notes.db" })).text, /just text/);
  assert.equal((await call("read", { path: "notes.db:users" })).error, "not_readable");
  assert.equal((await call("read", { path: "bad.sqlite:t" })).error, "not_readable");
  assert.ok((await call("read", { path: "short.db:t" })).error);
  const missing = await call("read", { path: "none.db:users" });
  assert.equal(missing.error, "file_not_found");
});

test("a database outside the root, or one whose companion is a link, is not opened", async (t) => {
  const { call, place } = await fixture(t);
  writeFileSync(`${place.folder}/outside.db`, databaseBytes(t, people));
  assert.equal((await call("read", { path: "../outside.db:users" })).error, "path_outside");
  assert.equal((await call("read", { path: `${place.folder}/outside.db:users` })).error, "path_outside");
  symlinkSync(`${place.folder}/outside.db`, place.path("data/link.db"));
  assert.equal((await call("read", { path: "data/link.db:users" })).error, "path_outside");
  writeFileSync(`${place.folder}/precious`, "keep");
  symlinkSync(`${place.folder}/precious`, place.path("data/app.db-wal"));
  const answer = await call("read", { path: "data/app.db:users" });
  assert.equal(answer.error, "not_allowed");
  assert.ok(existsSync(`${place.folder}/precious`));
});

test("a view of a hostile schema cannot do more than read", async (t) => {
  const { call } = await fixture(
    t,
    "CREATE VIEW v AS SELECT load_extension('/tmp/x') AS y; CREATE TABLE t (a)",
  );
  assert.ok((await call("read", { path: "data/app.db:v?limit=1" })).error);
});
