import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
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
import {
  agentEdits,
  must,
  openedFiles,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";
import { hunksOf } from "@stet/text/hunks";

const typed = { op: "insert", after: 0, content: "typed" } as const;

/** Paths that lead out, or to what is not ours to touch. */
const hostile: readonly [path: string, code: string][] = [
  ["", "invalid_path"],
  [".", "invalid_path"],
  ["a\0b", "invalid_path"],
  ["../x", "path_outside"],
  ["docs/../../x", "path_outside"],
  ["/etc/passwd", "path_outside"],
  ["C:\\x", "path_outside"],
  [".git", "protected_path"],
  [".GIT/config", "protected_path"],
  ["docs/.git/hooks/x", "protected_path"],
  [".stet/x", "protected_path"],
  ["git~1", "protected_path"],
  ["out/x", "path_outside"],
  ["repository/config", "protected_path"],
  ["a.md/x", "invalid_path"],
  ["x".repeat(256), "invalid_path"],
];

test("no path leads a new, a renamed or a deleted file out of the folder or into git's", async (t) => {
  const { place, files, read } = await openedFiles(t, { "a.md": "eins\n", "docs/b.md": "b\n" });
  mkdirSync(place.path(".git"));
  writeFileSync(place.path(".git/config"), "git's\n");
  symlinkSync(place.folder, place.path("out"));
  symlinkSync(".git", place.path("repository"));
  writeFileSync(join(place.folder, "x"), "outside\n");
  for (const [path, code] of hostile) {
    assert.equal(refused(await files.create(path, "new")).error, code, `create ${path}`);
    assert.equal(refused(await files.rename("a.md", path)).error, code, `rename to ${path}`);
    assert.equal(refused(await files.rename(path, "stolen")).error, code, `rename ${path}`);
    assert.equal(refused(await files.delete(path)).error, code, `delete ${path}`);
  }
  assert.equal(read("a.md"), "eins\n");
  assert.equal(readFileSync(join(place.folder, "x"), "utf8"), "outside\n");
  assert.equal(read(".git/config"), "git's\n");
  assert.deepEqual(files.deleted(), []);
  assert.ok(!existsSync(place.path("stolen")));
});

test("a new file has its folders, and never takes the place of anything", async (t) => {
  const { place, files, read } = await openedFiles(t, { "a.md": "eins\n", "docs/b.md": "b\n" });
  assert.equal(await files.create("new/deep/n.md", "neu\n"), "new/deep/n.md");
  assert.equal(read("new/deep/n.md"), "neu\n");
  assert.equal(await files.create("empty.md", ""), "empty.md");
  symlinkSync("nowhere", place.path("dangling"));
  for (const path of ["a.md", "docs", "dangling", "./a.md"]) {
    assert.equal(refused(await files.create(path, "x")).error, "file_exists", path);
  }
  assert.equal(refused(await files.create("new/", "x")).error, "file_exists");
  assert.equal(refused(await files.create("other/", "x")).error, "invalid_path");
  assert.equal(refused(await files.create("half.md", "\ud800")).error, "invalid_arguments");
  assert.equal(read("a.md"), "eins\n");
  assert.ok(!existsSync(place.path("nowhere")));
});

test("a path too deep or too long to be made is refused before anything is made; one that is there is used", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, { "a.md": "eins\n" });
  const deepest = `${"d/".repeat(100)}n.md`;
  const long = `${"l".repeat(200)}/`.repeat(20);
  for (const path of [`x/${deepest}`, `${long}${"n".repeat(4094 - long.length)}`]) {
    for (const refusal of [await files.create(path, "x"), await files.rename("a.md", path)])
      assert.equal(refused(refusal).error, "invalid_path", path);
    assert.equal(refused(workspace.tabs.create({ title: "n", path })).error, "invalid_path");
  }
  assert.deepEqual(readdirSync(place.root).sort(), [".keep", "a.md"]);
  assert.equal(await files.create(deepest, "neu\n"), deepest);
  const deeper = `${"e/".repeat(150)}old.md`;
  mkdirSync(place.path("e/".repeat(150)), { recursive: true });
  writeFileSync(place.path(deeper), "old\n");
  must(workspace.tabs.open(deeper));
  must(await files.rename(deeper, deeper.replace("old", "new")));
  const { id } = must(await files.delete("e"));
  must(await files.restore(id));
  assert.equal(read(deeper.replace("old", "new")), "old\n");
});

test("a renamed file keeps its tab, what is unsaved, its open hunks and its history", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, { "a.md": "eins\nzwei\ndrei\n" });
  const tab = must(workspace.tabs.open("a.md"));
  const { id } = must(workspace.tabs.document(tab.tab_id));
  agentEdits(workspace, [[id, { op: "replace", from: 3, to: 3, content: "vier" }]]);
  personEdits(workspace, id, typed);
  const renamed = must(await files.rename("a.md", "deep/er/b.md"));
  assert.deepEqual(renamed, { from: "a.md", to: "deep/er/b.md", files: 1 });
  const info = must(workspace.tabs.info(tab.tab_id));
  assert.deepEqual([info.path, info.title, info.is_dirty], ["deep/er/b.md", "b.md", true]);
  assert.equal(textOf(workspace, id), "typed\neins\nzwei\nvier\n");
  assert.equal(hunksOf(must(workspace.documents.state(id)).pending).length, 1);
  assert.equal(read("deep/er/b.md"), "eins\nzwei\ndrei\n", "nothing was saved in passing");
  assert.ok(!existsSync(place.path("a.md")));
  must(await workspace.tabs.save(tab.tab_id));
  assert.equal(read("deep/er/b.md"), "typed\neins\nzwei\ndrei\n");
  assert.ok(!existsSync(place.path("a.md")), "saving does not bring the old name back");
  assert.equal(workspace.checkpoints.list({ document: id }).length, 1);
});

test("everything that is open below a renamed folder goes with it, and nothing beside it", async (t) => {
  const names = ["docs/a.md", "docs/in/b.md", "docs2/c.md", "docs.md"];
  const { workspace, files, read, place } = await openedFiles(
    t,
    Object.fromEntries(names.map((name) => [name, name])),
  );
  symlinkSync("a.md", place.path("docs/link"));
  const tabs = names.map((name) => must(workspace.tabs.open(name)).tab_id);
  const document = must(workspace.tabs.document(tabs[1] ?? "")).id;
  personEdits(workspace, document, typed);
  assert.equal(must(await files.rename("docs/", "new/place")).files, 3);
  assert.deepEqual(
    workspace.tabs.list().map(({ path }) => path),
    ["new/place/a.md", "new/place/in/b.md", "docs2/c.md", "docs.md"],
  );
  assert.equal(textOf(workspace, document), "typed\ndocs/in/b.md");
  assert.equal(readlinkSync(place.path("new/place/link")), "a.md", "a link stays a link");
  assert.equal(read("docs2/c.md"), "docs2/c.md");
  must(await workspace.saving.save([document]));
  assert.match(read("new/place/in/b.md"), /^typed/);
});

test("a rename replaces nothing and moves nothing into itself", async (t) => {
  const { place, files, read } = await openedFiles(t, {
    "a.md": "a",
    "b.md": "b",
    "one/x": "x",
    "two/y": "y",
  });
  mkdirSync(place.path("empty"));
  linkSync(place.path("a.md"), place.path("A.md"));
  for (const [from, to] of [
    ["a.md", "b.md"],
    ["a.md", "A.md"],
    ["a.md", "a.md"],
    ["a.md", "one"],
    ["one", "two"],
    ["one", "empty"],
    ["one", "b.md"],
  ] as const) {
    assert.equal(refused(await files.rename(from, to)).error, "file_exists", `${from} to ${to}`);
  }
  assert.equal(refused(await files.rename("one", "one/two")).error, "invalid_path");
  assert.equal(refused(await files.rename("a.md", "folder/")).error, "invalid_path");
  assert.equal(refused(await files.rename("none", "x")).error, "file_not_found");
  assert.deepEqual([read("a.md"), read("b.md"), read("one/x"), read("two/y")], ["a", "b", "x", "y"]);
  assert.deepEqual(readdirSync(place.root).sort(), [".keep", "A.md", "a.md", "b.md", "empty", "one", "two"]);
});

test("only the case of a name changes", async (t) => {
  const { place, workspace, files } = await openedFiles(t, { "notes.md": "n", "docs/a.md": "a" });
  const tab = must(workspace.tabs.open("notes.md")).tab_id;
  must(await files.rename("notes.md", "Notes.md"));
  must(await files.rename("docs", "Docs"));
  assert.equal(must(workspace.tabs.info(tab)).title, "Notes.md");
  assert.deepEqual(readdirSync(place.root).sort(), [".keep", "Docs", "Notes.md"]);
});

test("a link is renamed itself, and a binary file keeps its bytes and its mode", async (t) => {
  const bytes = new Uint8Array([0, 255, 13, 10]);
  const { place, workspace, files } = await openedFiles(t, { "c.bin": bytes, "a.md": "a" });
  symlinkSync("a.md", place.path("link"));
  chmodSync(place.path("c.bin"), 0o750);
  must(workspace.tabs.open("c.bin"));
  must(await files.rename("c.bin", "in/d.bin"));
  must(await files.rename("link", "in/link"));
  assert.deepEqual(new Uint8Array(readFileSync(place.path("in/d.bin"))), bytes);
  assert.equal(lstatSync(place.path("in/d.bin")).mode & 0o777, 0o750);
  assert.equal(readlinkSync(place.path("in/link")), "a.md");
  assert.equal(workspace.tabs.list()[0]?.path, "in/d.bin");
});

test("a path whose file is long gone can be used again, and the old document keeps its text", async (t) => {
  const { place, workspace, files } = await openedFiles(t, { "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" });
  const tab = must(workspace.tabs.open("b.md")).tab_id;
  const old = must(workspace.tabs.document(tab)).id;
  personEdits(workspace, old, typed);
  rmSync(place.path("b.md"));
  assert.equal(refused(await files.rename("a.md", "b.md")).error, "file_exists", "its text is still open");
  assert.equal(refused(await files.create("b.md", "")).error, "file_exists");
  must(workspace.tabs.close(tab));
  const moving = must(workspace.tabs.open("a.md"));
  must(await files.rename("a.md", "b.md"));
  assert.equal(must(workspace.tabs.info(moving.tab_id)).path, "b.md");
  assert.equal(textOf(workspace, old), "typed\nb\n");
  assert.equal(must(workspace.documents.open("b.md")).history.text.toString(), "a\n");
});

test("nothing is moved while a turn holds the documents, and all of it after", async (t) => {
  const { workspace, files } = await openedFiles(t, { "a.md": "a\n", "b.md": "b\n" });
  const deleted = must(await files.delete("b.md"));
  const turn = must(workspace.beginLockedTurn());
  for (const refusal of [
    await files.create("n.md", ""),
    await files.rename("a.md", "c.md"),
    await files.delete("a.md"),
    await files.restore(deleted.id),
  ]) {
    assert.equal(refused(refusal).error, "editing_locked");
  }
  turn.discard();
  must(await files.restore(deleted.id));
  must(await files.rename("a.md", "c.md"));
});

test("a folder with a repository or with Stet's own state in it stays where it is", async (t) => {
  const place = new TestWorkspace(t, { "vendor/lib/.git/HEAD": "ref", "vendor/lib/a.md": "a" });
  const workspace = await place.open({ dataFolder: place.path("state") });
  for (const path of ["vendor", "vendor/lib", "state", "state/projects"]) {
    assert.equal(refused(await workspace.files.delete(path)).error, "protected_path", path);
    assert.equal(refused(await workspace.files.rename(path, "x")).error, "protected_path", path);
  }
  const inside = `${workspace.stateFolder.slice(place.root.length + 1)}/ledger.sqlite`;
  assert.equal(refused(await workspace.files.delete(inside)).error, "protected_path");
  assert.equal(refused(await workspace.files.create(`${inside}.new`, "")).error, "protected_path");
  assert.equal(
    refused(await workspace.files.rename("vendor/lib/a.md", `${inside}.new`)).error,
    "protected_path",
  );
  must(await workspace.files.rename("vendor/lib/a.md", "a.md"));
});

test("a save that is under way and a rename do not meet", async (t) => {
  const { place, workspace, files, read } = await openedFiles(t, { "a.md": "a\n" });
  const tab = must(workspace.tabs.open("a.md")).tab_id;
  personEdits(workspace, must(workspace.tabs.document(tab)).id, typed);
  const [saved, renamed] = await Promise.all([workspace.tabs.save(tab), files.rename("a.md", "b.md")]);
  must(saved);
  must(renamed);
  assert.equal(read("b.md"), "typed\na\n");
  assert.ok(!existsSync(place.path("a.md")));
  assert.equal(must(workspace.tabs.info(tab)).is_dirty, false);
});
