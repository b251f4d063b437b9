import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { agentEdits, must, TestWorkspace } from "@stet/testkit/workspace";
import { Host } from "../host.ts";

interface PolledEvent {
  type: string;
  data: Record<string, unknown>;
}

async function opened(t: TestContext, files: Record<string, string | Uint8Array>) {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([]));
  const { cursor: start } = await api.ok("GET", "/api/workspace");
  const events = async (cursor: number = start): Promise<PolledEvent[]> =>
    (await api.ok("GET", `/api/workspace/events?cursor=${cursor}`)).events;
  /** Events come a moment after what they tell of. */
  const until = async (wanted: (event: PolledEvent) => boolean, cursor?: number): Promise<PolledEvent> => {
    for (let tries = 0; tries < 250; tries += 1) {
      const found = (await events(cursor)).find(wanted);
      if (found !== undefined) return found;
      await pause(20);
    }
    return assert.fail(`not told, but ${JSON.stringify(await events(cursor))}`);
  };
  const now = async (): Promise<number> => (await api.ok("GET", "/api/workspace")).cursor;
  return { place, api, events, until, now };
}

const isOf =
  (type: string) =>
  (event: PolledEvent): boolean =>
    event.type === type;

test("files are made, renamed, deleted and brought back, and windows are told each time", async (t) => {
  const { place, api, until, now } = await opened(t, { "a.md": "eins\n", "docs/b.md": "b\n" });
  assert.deepEqual(await api.ok("POST", "/api/files", { path: "in/n.md", content: "neu\n" }), {
    path: "in/n.md",
  });
  await until(isOf("files.changed"));
  assert.equal(await api.refusal("POST", "/api/files", { path: "a.md" }), "file_exists");
  assert.equal(await api.refusal("POST", "/api/files", { path: ".git/x" }), "protected_path");

  const tab = await api.ok("POST", "/api/tabs", { path: "docs/b.md" });
  const beforeRename = await now();
  const renamed = await api.ok("POST", "/api/files/rename", { from: "docs", to: "texts/old" });
  assert.deepEqual(renamed, { from: "docs", to: "texts/old", files: 1 });
  await until(isOf("tabs.changed"), beforeRename);
  await until(isOf("files.changed"), beforeRename);
  const [listed] = (await api.ok("GET", "/api/tabs")).tabs;
  assert.deepEqual([listed.tab_id, listed.path], [tab.tab_id, "texts/old/b.md"]);

  const beforeDelete = await now();
  const deleted = await api.ok("POST", "/api/files/delete", { path: "texts" });
  assert.deepEqual([deleted.path, deleted.files], ["texts", 1]);
  await until(isOf("tabs.changed"), beforeDelete);
  await until(isOf("files.changed"), beforeDelete);
  assert.deepEqual((await api.ok("GET", "/api/tabs")).tabs, []);
  const { deletions } = await api.ok("GET", "/api/files/deleted");
  assert.deepEqual([deletions.length, deletions[0].deletion_id], [1, deleted.deletion_id]);
  const back = { deletion_id: deleted.deletion_id };
  mkdirSync(place.path("texts"));
  assert.equal(await api.refusal("POST", "/api/files/restore", back), "file_exists");
  rmSync(place.path("texts"), { recursive: true });
  assert.deepEqual(await api.ok("POST", "/api/files/restore", back), { path: "texts", files: 1 });
  assert.equal(readFileSync(place.path("texts/old/b.md"), "utf8"), "b\n");
  assert.equal(await api.refusal("POST", "/api/files/restore", back), "unknown_deletion");
  assert.equal(await api.refusal("POST", "/api/files/delete", { path: "none" }), "file_not_found");
  const reopened = await api.ok("POST", "/api/tabs", { path: "texts/old/b.md" });
  assert.equal(reopened.document, tab.document, "its history goes on");
});

test("windows are told of files that other programs make and remove", async (t) => {
  const { place, until, now } = await opened(t, { "a.md": "eins\n" });
  writeFileSync(place.path("other.md"), "x");
  await until(isOf("files.changed"));
  await pause(300);
  const before = await now();
  rmSync(place.path("other.md"));
  await until(isOf("files.changed"), before);
});

test("windows are told of a save, and of a file that it has made", async (t) => {
  const { api, until, events, now } = await opened(t, { "a.md": "eins\n" });
  const fresh = await api.ok("POST", "/api/tabs", { title: "untitled", content: "neu\n" });
  await api.ok("POST", `/api/tabs/${fresh.tab_id}/save`, { path: "n.md" });
  const saved = await until(isOf("document.saved"));
  assert.deepEqual(saved.data, { document: fresh.document, path: "n.md" });
  await until(isOf("files.changed"));
  const before = await now();
  await api.ok("POST", `/api/tabs/${fresh.tab_id}/save`, {});
  assert.deepEqual((await events(before)).filter(isOf("document.saved")), [], "nothing was to be saved");
});

test("a tab goes to the place that it is moved to, and windows are told", async (t) => {
  const { api, until, now } = await opened(t, { "a.md": "a", "b.md": "b", "c.md": "c" });
  const ids: string[] = [];
  for (const path of ["a.md", "b.md", "c.md"]) ids.push((await api.ok("POST", "/api/tabs", { path })).tab_id);
  const order = async () =>
    (await api.ok("GET", "/api/tabs")).tabs.map(({ title }: { title: string }) => title[0]).join("");
  const move = (id: string | undefined, position: number) =>
    api.ok("POST", `/api/tabs/${id}/move`, { position });
  const before = await now();
  const moved = await move(ids[2], 0);
  assert.deepEqual([moved.title, moved.is_active], ["c.md", true]);
  assert.equal(await order(), "cab");
  await until(isOf("tabs.changed"), before);
  await move(ids[2], 1);
  assert.equal(await order(), "acb");
  await move(ids[0], 99);
  assert.equal(await order(), "cba", "past the end is the end");
  await api.ok("POST", "/api/files", { path: "d.md" });
  await api.ok("POST", "/api/tabs", { path: "d.md" });
  assert.equal(await order(), "cbad", "a new tab comes last");
  assert.equal(await api.refusal("POST", "/api/tabs/tab_99/move", { position: 0 }), "invalid_tab_id");
});

test("a tab tells how many hunks of it are open", async (t) => {
  const { api } = await opened(t, { "a.md": "eins\nzwei\ndrei\n", "b.md": "b\n" });
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  await api.ok("POST", "/api/tabs", { path: "b.md" });
  assert.equal(tab.open_hunks, 0);
  const replace = (line: number) => ({ op: "replace" as const, from: line, to: line, content: "neu" });
  agentEdits(api.service.workspace, [[tab.document, replace(1), replace(3)]]);
  const counts = async () =>
    (await api.ok("GET", "/api/tabs")).tabs.map(({ open_hunks }: { open_hunks: number }) => open_hunks);
  assert.deepEqual(await counts(), [2, 0]);
  await api.ok("POST", "/api/review/decide", { document: tab.document, verdict: "accept" });
  assert.deepEqual(await counts(), [0, 0]);
});

test("the three sides of a file that another program changed are shown, and either can be chosen", async (t) => {
  const { api, place, until } = await opened(t, {
    "a.md": "eins\nzwei\n",
    "c.bin": new Uint8Array([0, 255]),
  });
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  const disk = `/api/documents/${tab.document}/disk`;
  const nothing = { saved: null, current: null, disk: null };
  const same = { document: tab.document, file_path: "a.md", state: "same", ...nothing };
  assert.deepEqual(await api.ok("GET", disk), same);

  const type = async (text: string) => {
    const { revision, text: old } = await api.ok("GET", `/api/documents/${tab.document}`);
    const change = [[old.length, ...text.split("\n")]];
    await api.ok("POST", `/api/documents/${tab.document}/changes`, { revision, change, client: "w" });
  };
  await type("mine\nzwei\n");
  writeFileSync(place.path("a.md"), "theirs\nzwei\n");
  const conflict = await until(isOf("disk.conflict"));
  assert.deepEqual([conflict.data.document, conflict.data.path], [tab.document, "a.md"]);
  const sides = { saved: "eins\nzwei\n", current: "mine\nzwei\n", disk: "theirs\nzwei\n" };
  assert.deepEqual(await api.ok("GET", disk), { ...same, state: "changed", ...sides });
  assert.equal(await api.refusal("POST", `/api/tabs/${tab.tab_id}/save`, {}), "external_change");

  await api.ok("POST", disk, { choice: "keep" });
  assert.equal((await api.ok("GET", disk)).state, "same");
  await api.ok("POST", `/api/tabs/${tab.tab_id}/save`, {});
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "mine\nzwei\n");

  await type("mine again\n");
  writeFileSync(place.path("a.md"), "theirs again\n");
  const turn = must(api.service.workspace.beginLockedTurn());
  assert.equal(await api.refusal("POST", disk, { choice: "reload" }), "editing_locked");
  turn.discard();
  const { revision } = await api.ok("POST", disk, { choice: "reload" });
  const now = await api.ok("GET", `/api/documents/${tab.document}`);
  assert.deepEqual([now.text, now.revision], ["theirs again\n", revision]);
  const [listed] = (await api.ok("GET", "/api/tabs")).tabs;
  assert.deepEqual([listed.version, listed.is_dirty], ["1", false]);

  writeFileSync(place.path("a.md"), new Uint8Array([0, 255]));
  const binary = await api.ok("GET", disk);
  assert.deepEqual([binary.state, binary.current, binary.disk], ["changed", "theirs again\n", null]);
  rmSync(place.path("a.md"));
  assert.equal((await api.ok("GET", disk)).state, "gone");
  assert.equal(await api.refusal("POST", disk, { choice: "reload" }), "file_not_found");
  mkdirSync(place.path("a.md"));
  assert.equal((await api.ok("GET", disk)).state, "unreadable");
});

test("what has no file, or none that is text, says so", async (t) => {
  const { api, place } = await opened(t, { "a.md": "a\n", "c.bin": new Uint8Array([0, 255]) });
  const stateOf = async (document: number) => (await api.ok("GET", `/api/documents/${document}/disk`)).state;
  const untitled = await api.ok("POST", "/api/tabs", { title: "untitled", content: "neu\n" });
  assert.equal(await stateOf(untitled.document), "no_file");
  const planned = await api.ok("POST", "/api/tabs", { title: "planned", path: "p.md", content: "neu\n" });
  assert.equal(await stateOf(planned.document), "no_file");
  const binary = await api.ok("POST", "/api/tabs", { path: "c.bin" });
  assert.equal(await stateOf(binary.document), "unreadable");
  const read = await api.ok("POST", "/api/tabs", { path: "a.md" });
  rmSync(place.path("a.md"));
  assert.equal(await stateOf(read.document), "gone");
  assert.equal(await api.refusal("GET", "/api/documents/999/disk"), "file_not_found");
  assert.equal(await api.refusal("POST", "/api/documents/999/disk", { choice: "keep" }), "file_not_found");
});

test("nothing is moved while a turn holds the documents", async (t) => {
  const { api, place } = await opened(t, { "a.md": "a\n" });
  const turn = must(api.service.workspace.beginLockedTurn());
  const rename = { from: "a.md", to: "b.md" };
  assert.equal(await api.refusal("POST", "/api/files/rename", rename), "editing_locked");
  assert.equal(await api.refusal("POST", "/api/files/delete", { path: "a.md" }), "editing_locked");
  turn.discard();
  await api.ok("POST", "/api/files/rename", rename);
  assert.ok(existsSync(place.path("b.md")));
});

test("a copy of the sample project says that it is one", async (t) => {
  const place = new TestWorkspace(t, {});
  const options = { environment: {}, dataFolder: place.dataFolder, watches: false };
  const service = must(await Host.open(place.root, { ...options, isSample: true }));
  t.after(() => service.close());
  const caller = { signal: new AbortController().signal, lastEventId: undefined };
  const told = must(await service.operations.getWorkspace({ params: {}, query: {}, body: {} }, caller));
  assert.equal(told.is_sample, true);
  const { api } = await opened(t, {});
  assert.equal((await api.ok("GET", "/api/workspace")).is_sample, false);
});

test("what an agent has staged for a file that is deleted meanwhile comes back with it", async (t) => {
  const { api } = await opened(t, { "a.md": "eins\n" });
  const { workspace } = api.service;
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  const turn = workspace.beginTurn({ summary: "slow" });
  const { revision } = must(turn.read(tab.document));
  const edits = [{ op: "replace", from: 1, to: 1, content: "zwei" }] as const;
  must(turn.edit(tab.document, { revision, policy: { kind: "rebase" }, edits }));
  const deleted = await api.ok("POST", "/api/files/delete", { path: "a.md" });
  must(turn.commit());
  await api.ok("POST", "/api/files/restore", { deletion_id: deleted.deletion_id });
  const again = await api.ok("POST", "/api/tabs", { path: "a.md" });
  assert.deepEqual([again.document, again.open_hunks], [tab.document, 1]);
});
