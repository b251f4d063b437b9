import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stet/testkit/postgres";
import { must, personEdits, TestWorkspace, textOf } from "@stet/testkit/workspace";
import { openPostgres } from "./open-postgres.ts";

const server = await startPostgres();
if (typeof server === "string") test("PostgreSQL", { skip: server }, () => {});
else {
  after(() => server.stop());

  test("what one process renames, deletes and brings back is there under its path for the others", async (t) => {
    const address = await server.database();
    const files = new TestWorkspace(t, { "docs/a.md": "eins\n" });
    const join = async () => {
      const store = must(await openPostgres(address, files.root, { lifetime: 5000 }));
      t.after(() => store.close());
      const sharing = must(store.sharing);
      return { sharing, workspace: must(await sharing.openWorkspace(files.root, files)) };
    };
    const [one, other] = [await join(), await join()];
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
}
