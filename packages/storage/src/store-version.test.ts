import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { otherVersion, reachVersion, type VersionedStore, versionOf } from "./store-version.ts";

function storeOfVersion(t: TestContext, version: number) {
  const path = join(temporaryFolder(t), "store.sqlite");
  const database = new DatabaseSync(path);
  t.after(() => database.close());
  database.exec(`CREATE TABLE notes (text TEXT); PRAGMA user_version = ${version}`);
  database.prepare("INSERT INTO notes VALUES (?)").run("kept");
  const store: VersionedStore = {
    path,
    what: "The record of notes",
    error: "store_damaged",
    version: 3,
    steps: { 2: "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'" },
  };
  return { database, store };
}

test("a step leads to the next version, and what was there before lies beside it", (t) => {
  const { database, store } = storeOfVersion(t, 2);
  assert.equal(reachVersion(database, store), undefined);
  assert.deepEqual({ ...database.prepare("SELECT * FROM notes").get() }, { text: "kept", author: "nobody" });
  assert.equal(versionOf(database), 3);
  const before = new DatabaseSync(`${store.path}.version-2`, { readOnly: true });
  t.after(() => before.close());
  assert.deepEqual({ ...before.prepare("SELECT * FROM notes").get() }, { text: "kept" });
  assert.equal(versionOf(before), 2);
});

test("a step that fails leaves the store at its version, with all of its rows", (t) => {
  const { database, store } = storeOfVersion(t, 2);
  const steps = { 2: "DELETE FROM notes; INSERT INTO nowhere VALUES (1)" };
  assert.throws(() => reachVersion(database, { ...store, steps }), /nowhere/);
  assert.deepEqual({ ...database.prepare("SELECT * FROM notes").get() }, { text: "kept" });
  assert.equal(versionOf(database), 2);
  assert.equal(reachVersion(database, store), undefined);
});

for (const version of [1, 9]) {
  test(`a store of version ${version}, from which no steps lead here, is told and not touched`, (t) => {
    const { database, store } = storeOfVersion(t, version);
    const bytes = readFileSync(store.path);
    const fault = reachVersion(database, store);
    assert.match(fault?.message ?? "", new RegExp(`has version ${version}, .* understands version 3`));
    assert.deepEqual(readFileSync(store.path), bytes);
    assert.ok(!existsSync(`${store.path}.version-${version}`));
  });
}

test("a process that has the store open finds that a newer Stet has brought it further", (t) => {
  const { database, store } = storeOfVersion(t, 3);
  assert.equal(otherVersion(database, store), undefined);
  const newer = new DatabaseSync(store.path);
  newer.exec("PRAGMA user_version = 4");
  newer.close();
  assert.match(otherVersion(database, store)?.message ?? "", /has version 4/);
});
