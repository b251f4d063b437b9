import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { onNotice } from "@stet/storage/notices";
import { storeConformance } from "@stet/testkit/store-conformance";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { SqliteStore } from "./sqlite-store.ts";

storeConformance("sqlite", async (t) => {
  const folder = temporaryFolder(t);
  let store = must(SqliteStore.open(folder));
  t.after(() => store.close());
  return {
    store,
    async reopen() {
      await store.close();
      store = must(SqliteStore.open(folder));
      return store;
    },
  };
});

test("a store of a newer Stet is refused and left as it is", (t) => {
  const folder = temporaryFolder(t);
  const database = new DatabaseSync(join(folder, "server.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  assert.equal(refused(SqliteStore.open(folder)).error, "store_damaged");
  assert.deepEqual(readdirSync(folder), ["server.sqlite"]);
});

test("a file that is none is kept under another name, and a new one is begun", async (t) => {
  const folder = temporaryFolder(t);
  const text = "this is no database, but it is long enough to be read as one".repeat(9);
  writeFileSync(join(folder, "server.sqlite"), text);
  const told: string[] = [];
  const stop = onNotice((notice) => told.push(notice.message));
  t.after(stop);
  const store = must(SqliteStore.open(folder));
  assert.deepEqual(await store.sessions(10), []);
  await store.close();
  const aside = readdirSync(folder).find((name) => name.includes(".damaged-")) ?? "";
  assert.equal(readFileSync(join(folder, aside), "utf8"), text);
  assert.match(told.join(), /The record of jobs .*server\.sqlite is damaged.*kept as .*damaged-/);
});
