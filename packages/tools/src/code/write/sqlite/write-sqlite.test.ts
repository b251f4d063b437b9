import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { write } from "../write.ts";

const people = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', active INTEGER, score REAL, "odd""name" TEXT);
  INSERT INTO users (id, name, active) VALUES (1, 'Ada', 1), (42, 'Eve', 0);
  CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
  INSERT INTO pairs VALUES (1, 2);
  CREATE TABLE codes (code TEXT PRIMARY KEY, v) WITHOUT ROWID;
  INSERT INTO codes VALUES ('x', 1);
  CREATE TABLE untyped (v);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user INTEGER REFERENCES users (id));
  INSERT INTO orders VALUES (1, 1);
  CREATE VIEW adults AS SELECT * FROM users;
`;

async function fixture(t: TestContext, sql = people) {
  const path = join(temporaryFolder(t), "x.db");
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  const opened = await openCodeFixture(t, [write], {
    files: { "app.db": readFileSync(path), "text.db": "words\n" },
  });
  const rows = (query: string) => {
    const reader = new DatabaseSync(opened.place.path("app.db"), { readOnly: true });
    const found = reader.prepare(query).all();
    reader.close();
    return found.map((row) => ({ ...row }));
  };
  return { ...opened, rows };
}

test("a row is inserted, updated and deleted", async (t) => {
  const { call, rows } = await fixture(t);
  const insert = await call("write", {
    path: "app.db:users",
    content: "{name: 'Bob', active: true, score: 1.5}",
  });
  assert.match(insert.text, /^Inserted row into users\n\[What it was before is kept at /);
  assert.deepEqual(rows("SELECT name, active, score FROM users WHERE id = 43"), [
    { name: "Bob", active: 1, score: 1.5 },
  ]);
  const update = await call("write", {
    path: "app.db:users:42",
    content: '{"name": "Eva", \'odd"name\': null}',
  });
  assert.equal(update.text, "Updated row '42' in users");
  assert.deepEqual(rows("SELECT name FROM users WHERE id = 42"), [{ name: "Eva" }]);
  const removed = await call("write", { path: "app.db:users:42", content: " \n" });
  assert.equal(removed.text, "Deleted row '42' from users");
  assert.deepEqual(rows("SELECT id FROM users WHERE id = 42"), []);
  const empty = await call("write", { path: "app.db:users", content: "{}" });
  assert.equal(empty.text, "Inserted row into users");
  assert.equal(rows("SELECT * FROM users WHERE name = 'nobody'").length, 1);
});

test("a row that is not there is told, not made", async (t) => {
  const { call, rows } = await fixture(t);
  assert.match(
    (await call("write", { path: "app.db:users:9", content: "{name: 'X'}" })).text,
    /^No row updated/,
  );
  assert.match((await call("write", { path: "app.db:users:9", content: "" })).text, /^No row deleted/);
  assert.equal(rows("SELECT * FROM users").length, 2);
});

test("values are bound, so no value is ever a statement", async (t) => {
  const { call, rows } = await fixture(t);
  const content = `{name: "x'); DROP TABLE users; --"}`;
  await call("write", { path: "app.db:users:1", content });
  assert.deepEqual(rows("SELECT name FROM users WHERE id = 1"), [{ name: "x'); DROP TABLE users; --" }]);
  const key = await call("write", { path: "app.db:users:1 OR 1=1", content: "" });
  assert.match(key.text, /^No row deleted/);
  assert.equal(rows("SELECT * FROM users").length, 2);
});

test("whole numbers stay whole in a column without a type", async (t) => {
  const { call, rows } = await fixture(t);
  await call("write", { path: "app.db:untyped", content: "{v: 3}" });
  assert.deepEqual(rows("SELECT typeof(v) AS kind FROM untyped"), [{ kind: "integer" }]);
});

test("what cannot be written is refused, and says how it can", async (t) => {
  const { call, place } = await fixture(t);
  const before = readFileSync(place.path("app.db"));
  for (const [path, content, error, says] of [
    ["app.db:users?limit=1", "{}", "invalid_arguments", /SQLite write paths do not support query parameters/],
    ["app.db", "{}", "invalid_arguments", /SQLite write path must target a table/],
    ["app.db:", "{}", "invalid_arguments", /must target a table/],
    ["app.db:users:", "{}", "invalid_arguments", /require a non-empty row key/],
    ["app.db:users", "", "invalid_arguments", /not JSON5/],
    ["app.db:users", "{name: ", "invalid_arguments", /not JSON5/],
    ["app.db:users", "[1, 2]", "invalid_arguments", /not an object/],
    ["app.db:users", "null", "invalid_arguments", /not an object/],
    ["app.db:users", "{age: 3}", "unknown_symbol", /Its columns are id, name/],
    ["app.db:users", "{name: {first: 'A'}}", "invalid_arguments", /not a scalar/],
    ["app.db:users", "{name: ['A']}", "invalid_arguments", /not a scalar/],
    ["app.db:users", "{score: Infinity}", "invalid_arguments", /exactly/],
    ["app.db:users", "{id: 12345678901234567890}", "invalid_arguments", /as text/],
    ["app.db:users:1", "{}", "invalid_arguments", /names no column/],
    ["app.db:pairs:1", "{b: 3}", "invalid_arguments", /composite primary key \(a, b\)/],
    ["app.db:pairs:1", "", "invalid_arguments", /composite/],
    ["app.db:codes:x", "{v: 3}", "invalid_arguments", /WITHOUT ROWID/],
    ["app.db:nobody", "{}", "unknown_symbol", /users/],
    ["app.db:adults", "{name: 'X'}", "invalid_arguments", /not a table/],
    ["app.db:sqlite_master", "{name: 'X'}", "unknown_symbol", /no table/],
    ["app.db:users", "{id: 1, name: 'again'}", "invalid_arguments", /UNIQUE/],
    ["app.db:users:1", "{name: null}", "invalid_arguments", /NOT NULL/],
    ["app.db:users:1", "", "invalid_arguments", /FOREIGN KEY/],
    ["gone.db:users", "{}", "file_not_found", /SQLite database 'gone.db' not found/],
    ["../x.db:users", "{}", "path_outside", /outside|\.\./],
  ] as const) {
    const answer = await call("write", { path, content });
    assert.equal(answer.error, error, `${path} ${content}: ${answer.text}`);
    assert.match(answer.text, says, path);
  }
  assert.deepEqual(readFileSync(place.path("app.db")), before);
});

test("a copy from before the first write of a turn is kept and named, and no more than one", async (t) => {
  const { call, workspace } = await fixture(t);
  const first = await call("write", { path: "app.db:users:1", content: "{name: 'B'}" });
  const second = await call("write", { path: "app.db:users:1", content: "{name: 'C'}" });
  const { undo, kept } = first.details as { undo: boolean; kept: string };
  assert.equal(undo, false);
  assert.ok(first.text.includes(`kept at ${kept}`), first.text);
  assert.ok(!second.text.includes(kept));
  assert.deepEqual(second.details, first.details);
  const copy = new DatabaseSync(kept, { readOnly: true });
  assert.equal(copy.prepare("SELECT name FROM users WHERE id = 1").get()?.name, "Ada");
  copy.close();
  assert.equal(readdirSync(join(workspace.stateFolder, "kept-binaries")).length, 1);
});

test("a refused write keeps no copy, and twenty copies are the most", async (t) => {
  const { call, workspace } = await fixture(t);
  const folder = join(workspace.stateFolder, "kept-binaries");
  await call("write", { path: "app.db:users", content: "{id: 1}" });
  assert.deepEqual(readdirSync(folder), []);
  for (let index = 10; index < 40; index += 1) writeFileSync(join(folder, `2020-${index}`), "old");
  await call("write", { path: "app.db:users", content: "{id: 3}" });
  const names = readdirSync(folder).sort();
  assert.equal(names.length, 20);
  assert.equal(names[0], "2020-21");
});

test("a database with a write-ahead log is written while another program has it open", async (t) => {
  const { call, place, rows } = await fixture(t, `PRAGMA journal_mode = WAL; ${people}`);
  const other = new DatabaseSync(place.path("app.db"));
  other.exec("INSERT INTO users (name) VALUES ('from elsewhere')");
  const answer = await call("write", { path: "app.db:users:1", content: "{name: 'Z'}" });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(other.prepare("SELECT name FROM users WHERE id = 1").get()?.name, "Z");
  const { kept } = answer.details as { kept: string };
  const copy = new DatabaseSync(kept);
  assert.equal(copy.prepare("SELECT count(*) AS n FROM users").get()?.n, 3);
  copy.close();
  other.close();
  assert.equal(rows("SELECT * FROM users").length, 3);
});

test("a forged journal cannot make a write remove another file", async (t) => {
  const { call, place } = await fixture(t);
  const precious = place.path("precious.txt");
  writeFileSync(precious, "keep");
  const mark = Buffer.from("d9d505f920a163d7", "hex");
  writeFileSync(
    place.path("app.db-journal"),
    Buffer.concat([mark, Buffer.alloc(504), Buffer.from(precious), mark]),
  );
  const answer = await call("write", { path: "app.db:users:1", content: "{name: 'Z'}" });
  assert.equal(answer.error, "not_allowed");
  assert.ok(existsSync(precious));
});

test("a link in the place of the log is not written through", async (t) => {
  const { call, place } = await fixture(t, `PRAGMA journal_mode = WAL; ${people}`);
  writeFileSync(join(place.folder, "outside"), "keep");
  symlinkSync(join(place.folder, "outside"), place.path("app.db-wal"));
  const answer = await call("write", { path: "app.db:users:1", content: "{name: 'Z'}" });
  assert.equal(answer.error, "not_allowed");
  assert.equal(readFileSync(join(place.folder, "outside"), "utf8"), "keep");
});

test("a write that a trigger keeps busy for ever is stopped by the person, and the database is as it was", async (t) => {
  const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  const trigger = `CREATE TRIGGER slow AFTER UPDATE ON users BEGIN INSERT INTO untyped ${endless}; END`;
  const { call, rows, place } = await fixture(t, `${people} ${trigger};`);
  const answer = await call(
    "write",
    { path: "app.db:users:1", content: "{name: 'Z'}" },
    AbortSignal.timeout(1500),
  );
  assert.equal(answer.error, "aborted");
  // Whoever may write takes back what was begun.
  new DatabaseSync(place.path("app.db")).prepare("SELECT * FROM users").all();
  assert.deepEqual(rows("SELECT name FROM users WHERE id = 1"), [{ name: "Ada" }]);
});
