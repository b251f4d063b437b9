import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { agentEdits, must, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";

test("a tab tells what a person sees of its document", async (t) => {
  const place = new TestWorkspace(t, { "story.md": "# One\r\ntwo\r\n" });
  const workspace = await place.open();
  assert.deepEqual(must(workspace.tabs.open("story.md")), {
    tab_id: "tab_1",
    title: "story.md",
    path: "story.md",
    file_type: "markdown",
    version: "1",
    is_active: true,
    is_dirty: false,
    size_chars: 10,
    line_count: 2,
  });
});

test("two tabs of one file have versions of their own, and one text", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const first = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(first.tab_id));
  personEdits(workspace, id, { op: "append", content: "two" });
  const second = must(workspace.tabs.open("a.txt"));
  personEdits(workspace, id, { op: "append", content: "three" });
  const versions = [first, second].map((tab) => must(workspace.tabs.info(tab.tab_id)).version);
  assert.deepEqual(versions, ["3", "2"]);
  assert.equal(must(workspace.tabs.document(second.tab_id)).id, id);
});

test("saving keeps the version, reloading starts it again at 1", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  personEdits(workspace, id, { op: "append", content: "two" });
  assert.equal(must(workspace.tabs.info(tab_id)).is_dirty, true);
  must(await workspace.tabs.save(tab_id));
  assert.deepEqual(
    [must(workspace.tabs.info(tab_id)).version, must(workspace.tabs.info(tab_id)).is_dirty],
    ["2", false],
  );
  writeFileSync(place.path("a.txt"), "from elsewhere\n");
  personEdits(workspace, id, { op: "append", content: "unsaved" });
  assert.equal(must(workspace.tabs.reload(tab_id)).version, "1");
  assert.equal(textOf(workspace, id), "from elsewhere\n");
});

test("a closed tab's id is not used again, and what was unsaved is there when the file is opened again", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const first = must(workspace.tabs.open("a.txt"));
  personEdits(workspace, must(workspace.tabs.document(first.tab_id)).id, {
    op: "append",
    content: "unsaved",
  });
  must(workspace.tabs.close(first.tab_id));
  const second = must(workspace.tabs.open("a.txt"));
  assert.notEqual(second.tab_id, first.tab_id);
  assert.deepEqual([second.version, second.is_dirty, second.line_count], ["1", true, 2]);
  const fault = refused(workspace.tabs.info(first.tab_id));
  assert.deepEqual([fault.error, fault.details.tab_id], ["invalid_tab_id", first.tab_id]);
});

test("closing the active tab brings its neighbour to the front", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "", "b.txt": "", "c.txt": "" });
  const workspace = await place.open();
  const [a, b, c] = ["a.txt", "b.txt", "c.txt"].map((name) => must(workspace.tabs.open(name)).tab_id);
  must(workspace.tabs.activate(b ?? ""));
  must(workspace.tabs.close(b ?? ""));
  assert.equal(workspace.tabs.active()?.tab_id, c);
  must(workspace.tabs.close(c ?? ""));
  assert.equal(workspace.tabs.active()?.tab_id, a);
});

test("a file that is not text is listed, and refuses to be read", async (t) => {
  const place = new TestWorkspace(t, {
    "photo.png": new Uint8Array([0x89, 0x50, 0, 1]),
    "latin1.txt": new Uint8Array([0x66, 0xe9, 0x0a]),
  });
  const workspace = await place.open();
  for (const name of ["photo.png", "latin1.txt"]) {
    const tab = must(workspace.tabs.open(name));
    assert.equal(tab.file_type, "binary");
    const fault = refused(workspace.tabs.document(tab.tab_id));
    assert.equal(fault.error, "unsupported_file_type");
    assert.match(fault.message, new RegExp(name));
    assert.equal(refused(await workspace.tabs.save(tab.tab_id)).error, "unsupported_file_type");
  }
  assert.equal(workspace.tabs.list().length, 2);
});

test("a new document needs a title of its own, and a path where nothing is", async (t) => {
  const place = new TestWorkspace(t, { "there.md": "x" });
  const workspace = await place.open();
  const tab = must(workspace.tabs.create({ title: "notes.md", content: "a\nb" }));
  assert.deepEqual([tab.version, tab.is_dirty, tab.path, tab.line_count], ["1", true, null, 2]);
  assert.equal(refused(workspace.tabs.create({ title: "notes.md" })).error, "title_exists");
  assert.equal(refused(workspace.tabs.create({ title: "x", path: "there.md" })).error, "file_exists");
  assert.equal(refused(workspace.tabs.create({ title: "y", path: "../out.md" })).error, "path_outside");
});

test("saving under a path keeps the tab, and never replaces another file", async (t) => {
  const place = new TestWorkspace(t, { "there.md": "x" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.create({ title: "notes", content: "text\n" }));
  assert.equal(refused(await workspace.tabs.save(tab_id)).error, "file_not_found");
  assert.equal(refused(await workspace.tabs.saveAs(tab_id, "there.md")).error, "file_exists");
  must(await workspace.tabs.saveAs(tab_id, "folder/notes.md"));
  assert.equal(readFileSync(place.path("folder/notes.md"), "utf8"), "text\n");
  const tab = must(workspace.tabs.info(tab_id));
  assert.deepEqual(
    [tab.tab_id, tab.title, tab.path, tab.version, tab.is_dirty],
    [tab_id, "notes.md", "folder/notes.md", "1", false],
  );
  must(await workspace.tabs.saveAs(tab_id, "copy.md"));
  assert.ok(existsSync(place.path("folder/notes.md")) && existsSync(place.path("copy.md")));
});

test("tabs are there again after a restart", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n", "b.txt": "two\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  must(workspace.tabs.open("b.txt"));
  agentEdits(workspace, [[must(workspace.tabs.document(tab_id)).id, { op: "append", content: "agent" }]]);
  const before = workspace.tabs.list();
  workspace.close();
  assert.deepEqual((await place.open()).tabs.list(), before);
});

test("two links to one file are one document", async (t) => {
  const place = new TestWorkspace(t, { "real.txt": "one\n" });
  symlinkSync("real.txt", place.path("link.txt"));
  const workspace = await place.open();
  const [real, link] = ["real.txt", "link.txt"].map((name) => must(workspace.documents.open(name)).id);
  assert.equal(link, real);
});
