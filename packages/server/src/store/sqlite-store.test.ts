import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { SqliteStore } from "./sqlite-store.ts";
import { storeConformance } from "./store-conformance.ts";

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

test("a store of a newer Stet, and a file that is none, are refused and left as they are", (t) => {
  const folder = temporaryFolder(t);
  const database = new DatabaseSync(join(folder, "server.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  assert.equal(refused(SqliteStore.open(folder)).error, "ledger_damaged");
  writeFileSync(
    join(folder, "server.sqlite"),
    "this is no database, but it is long enough to be read as one".repeat(9),
  );
  assert.equal(refused(SqliteStore.open(folder)).error, "ledger_damaged");
});
