import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ChildReport, killEverywhere, runKilledChild } from "@stet/testkit/killed-child";
import { folderOnOtherDisk, temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";

const child = join(import.meta.dirname, "../../../testkit/src/file-crash-child.ts");
const contents = { a: "eins\n", other: "two\n" };
/** Many processes are started and killed. */
const slow = { timeout: 180_000 };
/** Every place at which the file may be. */
const names = ["docs/a.md", "docs/b.md", "new/docs/b.md"];

interface Crash extends ChildReport {
  readonly root: string;
  readonly data: string;
}

async function crashAt(t: TestContext, step: number, data?: string): Promise<Crash> {
  const folder = temporaryFolder(t, {
    "root/docs/a.md": contents.a,
    "root/docs/in/other.md": contents.other,
  });
  const root = join(folder, "root");
  const dataFolder = data ?? join(folder, "data");
  const words = [root, dataFolder, String(step), data === undefined ? "all" : "deletions"];
  return { root, data: dataFolder, ...(await runKilledChild(child, words)) };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

/** After a kill at any step each file is in one place or can be brought back to one, and its document is where it is. */
async function checkAfter({ root, data }: Crash): Promise<void> {
  const workspace = must(await Workspace.open(root, { dataFolder: data }));
  const { files, documents, tabs } = workspace;
  for (const deletion of files.deleted()) must(await files.restore(deletion.id));
  assert.deepEqual(files.deleted(), []);
  const found = filesIn(root).map((path) => path.slice(root.length + 1));
  const kept = names.filter((name) => existsSync(join(root, name)));
  assert.equal(kept.length, 1, `in one place: ${found}`);
  assert.equal(found.length, 2, `nothing else is left over: ${found}`);
  const [path = ""] = kept;
  assert.equal(readFileSync(join(root, path), "utf8"), contents.a);
  const other = found.find((name) => name.endsWith("in/other.md")) ?? "";
  assert.equal(readFileSync(join(root, other), "utf8"), contents.other);

  const row = documents.rowAt(path);
  assert.ok(row !== undefined, `the document is at ${path}, and not at ${documents.row(1)?.path}`);
  const state = must(documents.state(row.id));
  assert.equal(state.pending.current.toString(), "typed\neins\n", "what was not saved is still there");
  assert.equal(state.saved?.text.toString(), contents.a);
  const tab = tabs.list()[0] ?? must(tabs.open(path));
  assert.deepEqual([tab.path, tab.is_dirty], [path, true]);
  must(await tabs.save(tab.tab_id));
  assert.equal(readFileSync(join(root, path), "utf8"), "typed\neins\n");
  must(await files.rename(path, "docs/end.md"));
  assert.ok(!existsSync(join(workspace.stateFolder, "file-intent.json")));
  workspace.close();
}

test(
  "a process killed while it renames, deletes or restores loses no file and no unsaved text",
  slow,
  async (t) => {
    const steps = await killEverywhere(t, (step) => crashAt(t, step), checkAfter);
    assert.ok(steps >= 20, `there are many steps to be killed at: ${steps}`);
  },
);

test("nor does one whose files are on another disk than its state", slow, async (t) => {
  if (folderOnOtherDisk(t) === undefined) return t.skip("one disk");
  await killEverywhere(t, (step) => crashAt(t, step, folderOnOtherDisk(t)), checkAfter);
});
