import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stet/testkit/postgres";
import { storeConformance } from "@stet/testkit/store-conformance";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { openPostgres } from "./open-postgres.ts";

const server = await startPostgres();
if (typeof server === "string") test("PostgreSQL", { skip: server }, () => {});
else {
  after(() => server.stop());
  const address = await server.database();

  storeConformance("postgres", async (t) => {
    const root = temporaryFolder(t);
    let store = must(await openPostgres(address, root));
    t.after(() => store.close());
    return {
      store,
      async reopen() {
        await store.close();
        store = must(await openPostgres(address, root));
        return store;
      },
    };
  });

  test("processes that start at the same time make the tables once", async (t) => {
    const empty = await server.database();
    const roots = Array.from({ length: 6 }, () => temporaryFolder(t));
    const stores = await Promise.all(roots.map((root) => openPostgres(empty, root)));
    for (const store of stores) await must(store).close();
  });

  test("workspaces in one database know nothing of each other", async (t) => {
    const one = must(await openPostgres(address, temporaryFolder(t)));
    const other = must(await openPostgres(address, temporaryFolder(t)));
    t.after(() => Promise.all([one.close(), other.close()]));
    const session = {
      id: "s",
      status: "active",
      title: "",
      contextRows: [],
      createdAt: 1,
      updatedAt: 1,
    } as const;
    must([await one.putSession(session)]);
    assert.equal(await other.session("s"), undefined);
    assert.deepEqual(await one.session("s"), session);
  });

  test("a database that is not there is refused in words, without the password", async (t) => {
    const root = temporaryFolder(t);
    for (const url of [
      "postgres://me:hidden@127.0.0.1:1/nowhere",
      address.replace("postgres://stet@", "postgres://stet:hidden@").replace(/test_\d+/, "missing"),
      "mysql://me:hidden@host/db",
    ]) {
      const fault = refused(await openPostgres(url, root));
      assert.doesNotMatch(JSON.stringify(fault), /hidden/);
      assert.ok(fault.suggestion.length > 10);
    }
  });
}
