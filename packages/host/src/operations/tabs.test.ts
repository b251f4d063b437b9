import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { agentEdits, TestWorkspace } from "@stet/testkit/workspace";

const files = {
  "a.md": "# One\n\nalpha\n\n## Two\n\nbeta Alpha\n",
  "b.md": "eins\n",
  "c.bin": new Uint8Array([0, 255]),
};

async function opened(t: Parameters<typeof TestService.open>[0]) {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([]));
  return { place, api, tab: await api.ok("POST", "/api/tabs", { path: "a.md" }) };
}

test("files and new documents are opened in tabs, a file only once", async (t) => {
  const { api, tab } = await opened(t);
  const other = await api.ok("POST", "/api/tabs", { path: "b.md" });
  const again = await api.ok("POST", "/api/tabs", { path: "./a.md" });
  assert.equal(again.tab_id, tab.tab_id);
  assert.equal(again.is_active, true);
  const fresh = await api.ok("POST", "/api/tabs", { title: "new.md", content: "neu\n" });
  assert.deepEqual([fresh.path, fresh.is_dirty, fresh.line_count], [null, true, 1]);
  const binary = await api.ok("POST", "/api/tabs", { path: "c.bin" });
  assert.equal(binary.file_type, "binary");
  const list = await api.ok("GET", "/api/tabs");
  assert.deepEqual(
    list.tabs.map(({ title }: { title: string }) => title),
    ["a.md", "b.md", "new.md", "c.bin"],
  );
  assert.equal(list.active_tab_id, binary.tab_id);
  assert.equal((await api.ok("DELETE", `/api/tabs/${other.tab_id}`)).title, "b.md");
  assert.equal(await api.refusal("DELETE", `/api/tabs/${other.tab_id}`), "invalid_tab_id");
  assert.equal(await api.refusal("POST", "/api/tabs", { path: "none.md" }), "file_not_found");
  assert.equal(await api.refusal("POST", "/api/tabs", { path: "../outside" }), "path_outside");
  assert.equal(await api.refusal("POST", "/api/tabs", { title: "new.md" }), "title_exists");
  assert.equal(await api.refusal("POST", "/api/tabs", {}), "invalid_arguments");
});

test("a file that is opened brings its text along for whoever asks, and what it brings is the document", async (t) => {
  const { api, tab } = await opened(t);
  assert.equal("opened" in tab, false);
  const { document } = tab;
  const { revision, text } = await api.ok("GET", `/api/documents/${document}`);
  const change = { revision, change: [[0, "“typed” "], text.length], client: "w" };
  await api.ok("POST", `/api/documents/${document}/changes`, change);
  const again = await api.ok("POST", "/api/tabs", { path: "a.md", with_text: true });
  assert.deepEqual(again.opened, await api.ok("GET", `/api/documents/${document}`));
  assert.equal(again.opened.text, `“typed” ${files["a.md"]}`);
  const binary = await api.ok("POST", "/api/tabs", { path: "c.bin", with_text: true });
  assert.equal("opened" in binary, false);
});

test("a new document is saved under a path, and a tab is saved where its file is", async (t) => {
  const { api, place, tab } = await opened(t);
  const fresh = await api.ok("POST", "/api/tabs", { title: "untitled", content: "neu\n" });
  const saved = await api.ok("POST", `/api/tabs/${fresh.tab_id}/save`, { path: "new/n.md" });
  assert.deepEqual([saved.path, saved.is_dirty], ["new/n.md", false]);
  assert.equal(readFileSync(place.path("new/n.md"), "utf8"), "neu\n");
  assert.equal(await api.refusal("POST", `/api/tabs/${fresh.tab_id}/save`, { path: "b.md" }), "file_exists");
  const { revision, text } = await api.ok("GET", `/api/documents/${tab.document}`);
  const change = { revision, change: [[0, "x"], text.length], client: "w", change_id: "1" };
  const made = await api.ok("POST", `/api/documents/${tab.document}/changes`, change);
  const again = await api.ok("POST", `/api/documents/${tab.document}/changes`, change);
  assert.deepEqual(made, again, "sent twice, made once");
  assert.equal(made.changes[0].client, "w");
  const here = await api.ok("POST", `/api/tabs/${tab.tab_id}/save`, { path: "./a.md" });
  assert.equal(here.is_dirty, false, "its own path is not another one");
  assert.match(readFileSync(place.path("a.md"), "utf8"), /^x# One/);
  const since = await api.ok("GET", `/api/documents/${tab.document}/changes?revision=${revision}`);
  assert.deepEqual(since.changes, made.changes);
  assert.equal(
    await api.refusal("GET", `/api/documents/${tab.document}/changes?revision=999`),
    "unknown_revision",
  );
  assert.equal(await api.refusal("GET", "/api/documents/999"), "file_not_found");
});

test("lines, outline and search count from 0", async (t) => {
  const { api, tab } = await opened(t);
  const path = `/api/tabs/${tab.tab_id}`;
  assert.deepEqual(await api.ok("GET", `${path}/lines?start_line=2&end_line=4`), {
    version: "1",
    content: "alpha\n\n## Two",
    lines: { start: 2, end: 4, total: 7 },
    has_more: true,
  });
  assert.equal((await api.ok("GET", `${path}/lines?start_line=6&end_line=99`)).has_more, false);
  assert.equal(await api.refusal("GET", `${path}/lines?start_line=7`), "invalid_line_range");
  const { outline } = await api.ok("GET", `${path}/outline`);
  assert.deepEqual(
    [outline[0].title, outline[0].line_start, outline[0].children[0].line_start],
    ["One", 0, 4],
  );
  const exact = await api.ok("GET", `${path}/search?query=Alpha&match_type=exact`);
  assert.deepEqual(exact.matches, [{ line: 6, score: 1, preview: "beta Alpha" }]);
  assert.equal((await api.ok("GET", `${path}/search?query=BETA&match_type=exact`)).total_matches, 1);
  const regex = await api.ok("GET", `${path}/search?query=%5Ebeta.*&match_type=regex`);
  assert.equal(regex.matches[0].line, 6);
  assert.equal(await api.refusal("GET", `${path}/search?query=(&match_type=regex`), "invalid_regex");
  const { results } = await api.ok("GET", "/api/search?query=eins");
  assert.deepEqual([results[0].file_path, results[0].start_line], ["b.md", 1]);
  const listed = await api.ok("GET", "/api/files?glob=*.md");
  assert.deepEqual(listed.files.toSorted(), ["a.md", "b.md"]);
});

test("a search by meaning finds a place that has none of the words", async (t) => {
  const paragraphs = [
    "The cat slept on the warm sofa and dreamt of mice. ",
    "The stock market fell sharply on Monday and traders were afraid. ",
    "He baked bread with rye and put it into the oven. ",
  ];
  const text = paragraphs.map((sentence) => sentence.repeat(15)).join("\n\n");
  const api = await TestService.open(t, new TestWorkspace(t, { "c.md": text }), modelOf([]));
  const { tab_id } = await api.ok("POST", "/api/tabs", { path: "c.md" });
  const search = () => api.ok("GET", `/api/tabs/${tab_id}/search?query=shares%20lost%20value&max_results=1`);
  let found = await search();
  // A busy machine answers with what is indexed until then.
  while (found.embedding_status === "indexing") found = await search();
  assert.equal(found.embedding_status, "ready");
  assert.deepEqual([found.matches[0].line, found.total_matches], [2, 1]);
  assert.equal(await api.refusal("GET", `/api/tabs/${tab_id}/search?query=%20`), "invalid_arguments");
});

test("a restore brings one document back to before a turn, and can be undone", async (t) => {
  const { api, tab } = await opened(t);
  const other = await api.ok("POST", "/api/tabs", { path: "b.md" });
  const content = (text: string) => ({ op: "replace" as const, from: 1, to: 1, content: text });
  const { workspace } = api.service;
  agentEdits(workspace, [[tab.document, content("# First")]], "First");
  agentEdits(
    workspace,
    [
      [tab.document, content("# Second")],
      [other.document, content("zwei")],
    ],
    "Second",
  );
  const history = `/api/tabs/${tab.tab_id}/turns`;
  const { turns } = await api.ok("GET", history);
  assert.deepEqual(
    turns.map(({ number, summary }: { number: number; summary: string }) => [number, summary]),
    [
      [2, "Second"],
      [1, "First"],
    ],
  );
  const restored = await api.ok("POST", `/api/tabs/${tab.tab_id}/restore`, {
    checkpoint_id: turns[0].checkpoint_id,
  });
  const text = async (document: number) =>
    (await api.ok("GET", `/api/documents/${document}`)).text.split("\n")[0];
  assert.equal(await text(tab.document), "# First");
  assert.equal(await text(other.document), "zwei", "the other document of that turn stays");
  await api.ok("POST", `/api/tabs/${tab.tab_id}/restore`, { checkpoint_id: restored.checkpoint_id });
  assert.equal(await text(tab.document), "# Second");
  assert.equal((await api.ok("GET", history)).turns[0].kind, "rollback");
});

test("a window is told of a tab's changes by whoever makes them", async (t) => {
  const { api, tab } = await opened(t);
  const before = await api.ok("GET", `/api/documents/${tab.document}`);
  agentEdits(api.service.workspace, [[tab.document, { op: "delete", from: 1, to: 1 }]]);
  const after = await api.ok("GET", `/api/documents/${tab.document}`);
  assert.equal(after.revision, before.revision + 1);
  assert.equal(after.pending.length, 1);
  const { events } = await api.ok("GET", `/api/workspace/events?cursor=${before.cursor}`);
  assert.deepEqual(
    events.map(({ type, data }: { type: string; data: { revision?: number } }) => [type, data.revision]),
    [
      ["document.changed", after.revision],
      ["review.updated", undefined],
    ],
  );
  assert.equal(events.at(-1).cursor, after.cursor, "what is told after this cursor is not part of the text");
});
