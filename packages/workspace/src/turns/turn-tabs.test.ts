import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { must, openBoth, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { Workspace } from "../workspace.ts";
import type { Turn } from "./turns.ts";

function replaceLine(turn: Turn, document: number, line: number, content: string): void {
  const { revision } = must(turn.read(document));
  const edits = [{ op: "replace" as const, from: line, to: line, content }];
  must(turn.edit(document, { revision, policy: { kind: "strict" }, edits }));
}

function versions(workspace: Workspace, turn: Turn, tab: string): [seen: string, decided: string] {
  return [must(workspace.tabs.in(turn, tab)).info.version, must(workspace.tabs.info(tab)).version];
}

test("a turn sees a new version after each edit; for the person it moves when they accept", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  const turn = must(workspace.beginLockedTurn());
  assert.deepEqual(versions(workspace, turn, tab_id), ["1", "1"]);
  replaceLine(turn, id, 1, "ONE");
  assert.deepEqual(versions(workspace, turn, tab_id), ["2", "1"]);
  replaceLine(turn, id, 2, "TWO");
  assert.deepEqual(versions(workspace, turn, tab_id), ["3", "1"]);
  const committed = must(turn.commit());
  assert.equal(must(workspace.tabs.info(tab_id)).version, "1");
  must(workspace.review.accept({ turn: committed.id }));
  assert.equal(must(workspace.tabs.info(tab_id)).version, "3");
});

test("a rejected turn leaves the version, and no number ever names another text", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  const turn = must(workspace.beginLockedTurn());
  replaceLine(turn, id, 1, "ONE");
  const committed = must(turn.commit());
  const next = workspace.beginTurn();
  assert.equal(must(workspace.tabs.in(next, tab_id)).info.version, "2");
  must(workspace.review.reject({ turn: committed.id }));
  assert.equal(textOf(workspace, id), "one\ntwo\n");
  assert.equal(must(workspace.tabs.info(tab_id)).version, "1");
  personEdits(workspace, id, { op: "append", content: "three" });
  assert.equal(must(workspace.tabs.info(tab_id)).version, "3");
});

test("rolling back brings the version of that time back", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  const turn = must(workspace.beginLockedTurn());
  replaceLine(turn, id, 1, "ONE");
  const committed = must(turn.commit());
  must(workspace.review.accept({ turn: committed.id }));
  personEdits(workspace, id, { op: "append", content: "two" });
  assert.equal(must(workspace.tabs.info(tab_id)).version, "3");
  must(workspace.checkpoints.rollback(committed.id, { mode: "hard_all" }));
  assert.deepEqual([textOf(workspace, id), must(workspace.tabs.info(tab_id)).version], ["one\n", "1"]);
  personEdits(workspace, id, { op: "append", content: "three" });
  assert.equal(must(workspace.tabs.info(tab_id)).version, "4");
});

test("versions are the same after a restart", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  for (const content of ["two", "three"]) personEdits(workspace, id, { op: "append", content });
  workspace.close();
  const again = await place.open();
  assert.equal(must(again.tabs.info(tab_id)).version, "3");
});

test("what the disk does during a turn is a new version for it", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n" });
  const workspace = await place.open();
  const { tab_id } = must(workspace.tabs.open("a.txt"));
  const { id } = must(workspace.tabs.document(tab_id));
  const turn = must(workspace.beginLockedTurn());
  replaceLine(turn, id, 1, "ONE");
  const before = must(workspace.tabs.in(turn, tab_id)).info.version;
  writeFileSync(place.path("a.txt"), "one\ntwo\nTHREE\n");
  must(workspace.saving.refresh(id));
  const seen = must(workspace.tabs.in(turn, tab_id));
  assert.notEqual(seen.info.version, before);
  assert.equal(seen.history.text.toString(), "ONE\ntwo\nTHREE\n");
});

test("while a turn holds the lock, people read and do not edit, decide or roll back", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const earlier = must(workspace.beginLockedTurn());
  replaceLine(earlier, id, 1, "ONE");
  const committed = must(earlier.commit());
  const turn = must(workspace.beginLockedTurn({ summary: "rewriting" }));
  assert.equal(workspace.lockHolder()?.purpose, "rewriting");
  const other = await place.open();
  const edit = {
    revision: must(other.documents.open("a.txt")).history.revision,
    policy: { kind: "strict" as const },
    edits: [{ op: "append" as const, content: "two" }],
    origin: "user" as const,
  };
  assert.equal(refused(other.documents.edit(id, edit)).error, "editing_locked");
  assert.equal(refused(workspace.review.accept({ turn: committed.id })).error, "editing_locked");
  assert.equal(refused(workspace.review.undo()).error, "editing_locked");
  assert.equal(
    refused(workspace.checkpoints.rollback(committed.id, { mode: "hard_all" })).error,
    "editing_locked",
  );
  assert.equal(refused(workspace.beginLockedTurn()).error, "editing_locked");
  assert.equal(textOf(workspace, id), "ONE\n");
  turn.discard();
  assert.equal(workspace.lockHolder(), undefined);
  must(other.documents.edit(id, edit));
});

test("a lock ends with the process that held it", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const script = `
    const { Workspace } = await import(process.argv[3]);
    const workspace = await Workspace.open(process.argv[1], { dataFolder: process.argv[2] });
    workspace.beginLockedTurn();
    process.stdout.write("locked");
    setInterval(() => {}, 1000);
  `;
  const module = new URL("../workspace.ts", import.meta.url).href;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", script, place.root, place.dataFolder, module],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  assert.equal(refused(workspace.beginLockedTurn()).error, "editing_locked");
  child.kill("SIGKILL");
  await exit;
  personEdits(workspace, id, { op: "append", content: "two" });
});

test("a whole turn is decided as a whole, over all its documents", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n", "b.txt": "one\n" });
  const workspace = await place.open();
  const [a, b] = openBoth(workspace);
  const turn = must(workspace.beginLockedTurn());
  replaceLine(turn, a, 1, "ONE");
  replaceLine(turn, a, 3, "THREE");
  replaceLine(turn, b, 1, "ONE");
  const { id } = must(turn.commit());
  const [first] = must(workspace.review.file(a)).hunks;
  for (const selection of [{ hunks: [must(first).id] }, { document: a }]) {
    const fault = refused(workspace.review.accept(selection));
    assert.deepEqual([fault.error, fault.details.turn], ["whole_turn_only", id]);
  }
  assert.equal(must(workspace.review.accept({ turn: id })).hunks.length, 3);
  assert.equal(must(workspace.review.undo()).hunks.length, 3, "undone as a whole, too");
  assert.equal(must(workspace.review.reject("everything")).hunks.length, 3);
  assert.deepEqual([textOf(workspace, a), textOf(workspace, b)], ["one\ntwo\nthree\n", "one\n"]);
});

test("a document made in a turn has a tab; both go when the turn is discarded or rejected", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n", "taken.md": "there\n" });
  const workspace = await place.open();
  const { tab_id: front } = must(workspace.tabs.open("a.txt"));
  const discarded = must(workspace.beginLockedTurn());
  const made = must(workspace.tabs.createIn(discarded, { title: "new.md", content: "# New\n" }));
  assert.deepEqual([made.version, made.is_active, made.line_count], ["1", false, 1]);
  assert.deepEqual(
    workspace.tabs.seenBy(discarded).map((tab) => [tab.title, tab.is_active]),
    [
      ["a.txt", true],
      ["new.md", false],
    ],
  );
  for (const title of ["new.md", "a.txt", "taken.md"]) {
    assert.equal(refused(workspace.tabs.createIn(discarded, { title })).error, "title_exists");
  }
  discarded.discard();
  assert.deepEqual(
    workspace.tabs.list().map((tab) => tab.tab_id),
    [front],
  );
  const rejected = must(workspace.beginLockedTurn());
  must(workspace.tabs.createIn(rejected, { title: "new.md", content: "# New\n" }));
  must(workspace.review.reject({ turn: must(rejected.commit()).id }));
  assert.equal(workspace.tabs.list().length, 1);
  const accepted = must(workspace.beginLockedTurn());
  const { tab_id } = must(workspace.tabs.createIn(accepted, { title: "new.md", content: "# New\n" }));
  must(workspace.review.accept({ turn: must(accepted.commit()).id }));
  assert.equal(must(workspace.tabs.info(tab_id)).version, "1");
  must(await workspace.tabs.save(tab_id));
  assert.ok(existsSync(place.path("new.md")));
});

test("undoing the rejection of a turn brings the tab of its new document back", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  must(workspace.tabs.open("a.txt"));
  const turn = must(workspace.beginLockedTurn());
  const made = must(workspace.tabs.createIn(turn, { title: "new.md", content: "# New\n" }));
  const committed = must(turn.commit());
  assert.equal(must(workspace.tabs.info(made.tab_id)).version, "1", "a version that people see is never 0");
  must(workspace.review.reject({ turn: committed.id }));
  assert.equal(workspace.tabs.list().length, 1);
  must(workspace.review.undo());
  const again = must(workspace.tabs.list().find((tab) => tab.title === "new.md"));
  must(workspace.review.accept({ turn: committed.id }));
  assert.equal(must(workspace.tabs.info(again.tab_id)).version, "1");
  must(await workspace.tabs.save(again.tab_id));
  assert.ok(existsSync(place.path("new.md")));
});

test("a new document without text goes with the rest of its turn, and becomes a file when it is saved", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  must(workspace.tabs.open("a.txt"));
  const make = (isWithOthers: boolean) => {
    const turn = must(workspace.beginLockedTurn());
    const tab = must(workspace.tabs.createIn(turn, { title: "empty.txt" }));
    if (isWithOthers) replaceLine(turn, id, 1, "ONE");
    return { turn: must(turn.commit()).id, tab: tab.tab_id };
  };
  must(workspace.review.reject({ turn: make(true).turn }));
  assert.deepEqual(
    workspace.tabs.list().map((tab) => tab.title),
    ["a.txt"],
  );
  const { turn } = make(true);
  const again = await place.open();
  assert.equal(again.tabs.list().length, 2, "it waits for the decision over a restart");
  must(workspace.review.accept({ turn }));
  const tab = must(workspace.tabs.list().find(({ title }) => title === "empty.txt"));
  must(await workspace.tabs.save(tab.tab_id));
  assert.equal(readFileSync(place.path("empty.txt"), "utf8"), "");
  assert.equal(must(workspace.tabs.info(tab.tab_id)).is_dirty, false);
});

test("without a tab there is no active one", async (t) => {
  const workspace = await new TestWorkspace(t, {}).open();
  const turn = must(workspace.beginLockedTurn());
  assert.equal(refused(workspace.tabs.in(turn)).error, "invalid_tab_id");
  must(workspace.tabs.createIn(turn, { title: "first.md" }));
  assert.equal(must(workspace.tabs.in(turn)).info.title, "first.md");
  turn.discard();
});

test("a turn whose process is gone leaves no tab; an empty document of one that ended well stays", async (t) => {
  const place = new TestWorkspace(t, {});
  const first = await place.open();
  const turn = must(first.beginLockedTurn());
  must(first.tabs.createIn(turn, { title: "empty.md" }));
  must(turn.commit());
  const lost = first.beginTurn();
  must(first.tabs.createIn(lost, { title: "lost.md", content: "lost\n" }));
  const again = await place.open();
  assert.deepEqual(
    again.tabs.list().map((tab) => tab.title),
    ["empty.md"],
  );
});
