import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { reviewOperations } from "@stet/host/operations/review";
import { isFault } from "@stet/protocol/fault";
import { startPostgres } from "@stet/testkit/postgres";
import { must, personEdits, TestWorkspace, textOf } from "@stet/testkit/workspace";
import { openPostgres } from "./open-postgres.ts";

const server = await startPostgres();
if (typeof server === "string") test("PostgreSQL", { skip: server }, () => {});
else {
  after(() => server.stop());

  /** The same folder and store in two processes. */
  const joinTwice = async (t: TestContext, files: TestWorkspace) => {
    const address = await server.database();
    const joined = async () => {
      const store = must(await openPostgres(address, files.root, { lifetime: 5000 }));
      t.after(() => store.close());
      const sharing = must(store.sharing);
      return { sharing, workspace: must(await sharing.openWorkspace(files.root, files)) };
    };
    return [await joined(), await joined()] as const;
  };

  test("what one process renames, deletes and brings back is there under its path for the others", async (t) => {
    const files = new TestWorkspace(t, { "docs/a.md": "eins\n" });
    const [one, other] = await joinTwice(t, files);
    const document = must(
      await one.sharing.exclusively(() => {
        const { tab_id } = must(one.workspace.tabs.open("docs/a.md"));
        const { id } = must(one.workspace.tabs.document(tab_id));
        personEdits(one.workspace, id, { op: "insert", after: 0, content: "typed" });
        return id;
      }),
    );
    must(await one.sharing.exclusively(() => one.workspace.files.rename("docs", "new")));
    must([await other.sharing.refresh()]);
    assert.equal(other.workspace.tabs.list()[0]?.path, "new/a.md");
    const deletion = must(await other.sharing.exclusively(() => other.workspace.files.delete("new")));
    must([await one.sharing.refresh()]);
    assert.deepEqual(one.workspace.tabs.list(), []);
    must(await one.sharing.exclusively(() => one.workspace.files.restore(deletion.id)));
    must([await other.sharing.refresh()]);
    assert.equal(other.workspace.documents.row(document)?.path, "new/a.md");
    assert.equal(textOf(other.workspace, document), "typed\neins\n");
  });

  test("a review that compares files asks for the lease, and takes over what is on disk with it", async (t) => {
    const files = new TestWorkspace(t, { "a.md": "eins\n" });
    const [one, other] = await joinTwice(t, files);
    const document = must(
      await one.sharing.exclusively(() => {
        const { tab_id } = must(one.workspace.tabs.open("a.md"));
        const { id } = must(one.workspace.tabs.document(tab_id));
        personEdits(one.workspace, id, { op: "insert", after: 0, content: "typed" });
        return id;
      }),
    );
    must([await other.sharing.refresh()]);
    writeFileSync(join(files.root, "a.md"), "eins\nzwei\n");
    const { workspace, sharing } = other;
    const { listReview } = reviewOperations({ workspace, store: { jobByTurn: async () => undefined } });
    const compare = () => listReview({ params: {}, query: { compare: "true" }, body: {} });
    const refused = await compare();
    assert.ok(isFault(refused) && refused.details.lease === true, JSON.stringify(refused));
    assert.deepEqual(must(await sharing.exclusively(compare)).conflicts, []);
    assert.equal(textOf(workspace, document), "typed\neins\nzwei\n");
  });
}
