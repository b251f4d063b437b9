import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Fault } from "@stet/protocol/fault";
import { onNotice } from "@stet/storage/notices";
import { folderOnOtherDisk } from "@stet/testkit/temporary";
import {
  agentEdits,
  must,
  openedFiles,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";
import { DeletionStore } from "./deletion-store.ts";

const typed = { op: "insert", after: 0, content: "typed" } as const;

test("a deleted file is gone with its tab, and comes back with what was unsaved and undecided", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, {
    "in/a.md": "eins\nzwei\n",
    "b.md": "b\n",
  });
  const tab = must(workspace.tabs.open("in/a.md")).tab_id;
  const { id } = must(workspace.tabs.document(tab));
  must(workspace.tabs.open("b.md"));
  must(workspace.tabs.activate(tab));
  agentEdits(workspace, [[id, { op: "replace", from: 2, to: 2, content: "drei" }]]);
  personEdits(workspace, id, typed);
  const deletion = must(await files.delete("in/a.md"));
  assert.deepEqual([deletion.path, deletion.files], ["in/a.md", 1]);
  assert.ok(!existsSync(place.path("in/a.md")));
  assert.deepEqual(
    workspace.tabs.list().map(({ title, is_active }) => [title, is_active]),
    [["b.md", true]],
  );
  const decided = workspace.documents.unsavedIds().filter((unsaved) => {
    return workspace.documents.row(unsaved)?.path != null;
  });
  assert.deepEqual(decided, [], "saving everything does not bring it back");
  rmSync(place.path("in"), { recursive: true });
  workspace.close();

  const later = await place.open();
  assert.deepEqual(
    later.files.deleted().map(({ path }) => path),
    ["in/a.md"],
  );
  must(await later.files.restore(deletion.id));
  assert.equal(read("in/a.md"), "eins\nzwei\n");
  assert.equal(textOf(later, id), "typed\neins\ndrei\n");
  const again = must(later.tabs.open("in/a.md"));
  assert.equal(must(later.tabs.document(again.tab_id)).id, id);
  assert.deepEqual([again.is_dirty, later.review.file(id)?.hunks.length], [true, 1]);
  must(await later.tabs.save(again.tab_id));
  assert.equal(read("in/a.md"), "typed\neins\nzwei\n");
  assert.deepEqual(later.files.deleted(), []);
  assert.equal(refused(await later.files.restore(deletion.id)).error, "unknown_deletion");
});

test("a folder comes back with its binary files, links, modes and empty folders, and links are not followed", async (t) => {
  const bytes = new Uint8Array([0, 255, 10]);
  const { place, files } = await openedFiles(t, { "docs/a.md": "a", "docs/c.bin": bytes, "kept/k.md": "k" });
  mkdirSync(place.path("docs/empty"));
  symlinkSync("../kept", place.path("docs/link"));
  symlinkSync("nowhere", place.path("docs/dangling"));
  chmodSync(place.path("docs/a.md"), 0o755);
  const deletion = must(await files.delete("docs"));
  assert.equal(deletion.files, 4);
  assert.deepEqual(readdirSync(place.path("kept")), ["k.md"]);
  must(await files.restore(deletion.id));
  assert.deepEqual(readdirSync(place.path("docs")).sort(), ["a.md", "c.bin", "dangling", "empty", "link"]);
  assert.deepEqual(new Uint8Array(readFileSync(place.path("docs/c.bin"))), bytes);
  assert.equal(readlinkSync(place.path("docs/link")), "../kept");
  assert.equal(lstatSync(place.path("docs/a.md")).mode & 0o777, 0o755);
  const link = must(await files.delete("docs/link"));
  assert.deepEqual(readdirSync(place.path("kept")), ["k.md"], "only the link was taken away");
  must(await files.restore(link.id));
  assert.equal(readlinkSync(place.path("docs/link")), "../kept");
});

test("nothing is replaced by what comes back", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, { "a.md": "old\n", "docs/b.md": "b" });
  const first = must(await files.delete("a.md"));
  must(await files.create("a.md", "new\n"));
  const folder = must(await files.delete("docs"));
  writeFileSync(place.path("docs"), "a file now");
  assert.equal(refused(await files.restore(first.id)).error, "file_exists");
  assert.equal(refused(await files.restore(folder.id)).error, "file_exists");
  assert.deepEqual([read("a.md"), read("docs")], ["new\n", "a file now"]);
  assert.equal(files.deleted().length, 2);
  rmSync(place.path("docs"));
  symlinkSync(place.folder, place.path("docs"));
  assert.equal(refused(await files.restore(folder.id)).error, "file_exists", "a link is something, too");
  must(await files.rename("a.md", "newer.md"));
  must(await files.restore(first.id));
  assert.deepEqual([read("a.md"), read("newer.md")], ["old\n", "new\n"]);
  const tab = must(workspace.tabs.create({ title: "planned", path: "gone.md", content: "mine\n" }));
  await files.create("other.md", "x");
  assert.equal(refused(await files.rename("other.md", "gone.md")).error, "file_exists");
  assert.equal(must(workspace.tabs.info(tab.tab_id)).path, "gone.md");
});

test("a file that was made at the place of a deleted one is a document of its own", async (t) => {
  const { workspace, files } = await openedFiles(t, { "a.md": "old\n" });
  const old = must(workspace.tabs.document(must(workspace.tabs.open("a.md")).tab_id)).id;
  personEdits(workspace, old, typed);
  must(await files.delete("a.md"));
  must(await files.create("a.md", "new\n"));
  const fresh = must(workspace.tabs.open("a.md"));
  const { id } = must(workspace.tabs.document(fresh.tab_id));
  assert.notEqual(id, old);
  assert.deepEqual([textOf(workspace, id), fresh.is_dirty], ["new\n", false]);
  assert.equal(textOf(workspace, old), "typed\nold\n", "the unsaved text is still in the ledger");
});

test("a new document that was to be saved in a deleted folder stays open and is not lost", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, { "docs/a.md": "a\n", "b/x.md": "x\n" });
  must(workspace.tabs.open("docs/a.md"));
  const planned = must(workspace.tabs.create({ title: "n", path: "docs/n.md", content: "mine\n" }));
  const deletion = must(await files.delete("docs"));
  assert.deepEqual(
    workspace.tabs.list().map(({ path }) => path),
    ["docs/n.md"],
  );
  must(await files.restore(deletion.id));
  must(await files.rename("docs", "moved"));
  assert.equal(must(workspace.tabs.info(planned.tab_id)).path, "moved/n.md");
  must(await files.rename("b", "docs"));
  writeFileSync(place.path("docs/n.md"), "another's\n");
  assert.equal(refused(await files.rename("docs/n.md", "moved/n.md")).error, "file_exists");
  must(await workspace.tabs.save(planned.tab_id));
  assert.deepEqual([read("moved/n.md"), read("docs/n.md")], ["mine\n", "another's\n"]);
});

test("a folder whose parent became a link out of the workspace is not brought back there", async (t) => {
  const { place, files } = await openedFiles(t, { "in/docs/a.md": "a" });
  const deletion = must(await files.delete("in/docs"));
  rmSync(place.path("in"), { recursive: true });
  symlinkSync(place.folder, place.path("in"));
  assert.equal(refused(await files.restore(deletion.id)).error, "path_outside");
  assert.ok(!existsSync(join(place.folder, "docs")));
  assert.equal(files.deleted().length, 1);
});

test("an id that is no deletion's is refused, whatever it looks like", async (t) => {
  const { files } = await openedFiles(t, { "a.md": "a" });
  must(await files.delete("a.md"));
  for (const id of ["", "..", "../deletions", "del_", "del_00000000000000000", `del_${"/".repeat(17)}`]) {
    assert.equal(refused(await files.restore(id)).error, "unknown_deletion", id);
  }
});

test("the oldest deletions go first, and never the newest", async (t) => {
  const { place, workspace } = await openedFiles(t, {});
  const store = new DeletionStore(workspace.stateFolder);
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    writeFileSync(place.path(`${index}.md`), "x".repeat(10));
    ids.unshift(must(await workspace.files.delete(`${index}.md`)).id);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.deepEqual(
    store.list().map(({ id }) => id),
    ids,
  );
  const excess = (maxDeletions: number, maxBytes: number) =>
    store.excess({ maxDeletions, maxBytes }).map(({ id }) => ids.indexOf(id));
  assert.deepEqual(excess(10, 1000), []);
  assert.deepEqual(excess(2, 1000), [2, 3]);
  assert.deepEqual(excess(10, 25), [2, 3]);
  assert.deepEqual(excess(10, 1), [1, 2, 3]);
  assert.deepEqual(excess(0, 0), [1, 2, 3]);
});

test("a file on another disk than Stet's state is copied, and comes back as it was", async (t) => {
  const place = new TestWorkspace(t, { "docs/a.md": "eins\n", "docs/in/b.md": "b", "c.md": "c" });
  const dataFolder = folderOnOtherDisk(t);
  if (dataFolder === undefined) return t.skip("one disk");
  const workspace = await place.open({ dataFolder });
  const tab = must(workspace.tabs.open("docs/a.md")).tab_id;
  const { id } = must(workspace.tabs.document(tab));
  personEdits(workspace, id, typed);
  symlinkSync("../c.md", place.path("docs/link"));
  chmodSync(place.path("docs/in/b.md"), 0o700);
  const folder = must(await workspace.files.delete("docs"));
  const file = must(await workspace.files.delete("c.md"));
  assert.deepEqual(readdirSync(place.root), [".keep"], "nothing is left beside it");
  must(await workspace.files.restore(folder.id));
  must(await workspace.files.restore(file.id));
  assert.deepEqual(readdirSync(place.root).sort(), [".keep", "c.md", "docs"]);
  assert.equal(readFileSync(place.path("docs/a.md"), "utf8"), "eins\n");
  assert.equal(lstatSync(place.path("docs/in/b.md")).mode & 0o777, 0o700);
  assert.equal(readlinkSync(place.path("docs/link")), "../c.md");
  assert.equal(workspace.documents.row(id)?.path, "docs/a.md");
  assert.equal(textOf(workspace, id), "typed\neins\n");
  assert.deepEqual(readdirSync(join(workspace.stateFolder, "deletions")), []);
});

test("a damaged record of what was being moved is moved aside and told, and files can be moved again", async (t) => {
  const { workspace, files } = await openedFiles(t, { "a.md": "eins\n" });
  const path = join(workspace.stateFolder, "file-intent.json");
  const told: Fault[] = [];
  t.after(onNotice((notice) => told.push(notice)));
  const damages: readonly (() => void)[] = [
    () => writeFileSync(path, ""),
    () => writeFileSync(path, '{"kind":"rename","from":"a.md","t'),
    () => writeFileSync(path, '{"kind":"rename","from":1}'),
    () => mkdirSync(path),
    () => symlinkSync("nowhere", path),
  ];
  for (const [number, damage] of damages.entries()) {
    damage();
    must(await files.create(`new-${number}.md`, "x"));
    const { message, details } = told[number] ?? {};
    assert.ok(message?.includes(path), `${number}: ${message}`);
    assert.ok(lstatSync(String(details?.aside)), `${number}: it is kept`);
  }
  assert.equal(told.length, damages.length);
});

test("a deletion whose record is damaged is told with where its content is", async (t) => {
  const { workspace, files } = await openedFiles(t, { "a.md": "eins\n" });
  const { id } = must(await files.delete("a.md"));
  const folder = join(workspace.stateFolder, "deletions", id);
  writeFileSync(join(folder, "record.json"), "{");
  const told: Fault[] = [];
  t.after(onNotice((notice) => told.push(notice)));
  assert.deepEqual(files.deleted(), []);
  assert.deepEqual(files.deleted(), []);
  assert.equal(told.length, 1);
  assert.ok(told[0]?.message.includes(join(folder, "content")));
});
