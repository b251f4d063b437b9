import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import type { IndexState } from "@stet/protocol/events/workspace-events";
import { Fault } from "@stet/protocol/fault";
import { modelOf } from "@stet/testkit/model-of";
import { temporaryFolder } from "@stet/testkit/temporary";
import { TestService } from "@stet/testkit/test-service";
import { WordEmbedder } from "@stet/testkit/word-embedder";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { TabIndex } from "./tab-index.ts";

const book = Array.from({ length: 120 }, (_, at) => `Thing${at} is told of here. `.repeat(20)).join("\n\n");

async function setUp(t: TestContext) {
  const workspace = await new TestWorkspace(t, { "book.md": book, "note.md": "A few words.\n" }).open();
  const words = new WordEmbedder();
  const embedder: Embedder = {
    id: words.id,
    async embed(texts, signal) {
      await setTimeout(10 * texts.length);
      return words.embed(texts, signal);
    },
    close: () => words.close(),
  };
  const meaning = must(Meaning.open(temporaryFolder(t), embedder));
  const told: { readonly state: IndexState; readonly at: number }[] = [];
  const meanings = { embedder: async () => embedder, index: async () => meaning };
  const index = new TabIndex(workspace, meanings, true, (state) => {
    told.push({ state, at: performance.now() });
  });
  t.after(async () => {
    await index.stop();
    await meaning.close();
  });
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await setTimeout(5);
  };
  return { workspace, index, told, words, until };
}

test("progress is told at most four times a second, and its end always", async (t) => {
  const { workspace, index, told, until } = await setUp(t);
  assert.deepEqual(index.state().state, "idle");
  index.look();
  assert.equal(told.length, 0, "without a tab nothing begins");
  must(workspace.tabs.open("note.md"));
  must(workspace.tabs.open("book.md"));
  index.look();
  await until(() => told.at(-1)?.state.state === "idle");
  const busy = told.filter(({ state }) => state.state === "indexing");
  assert.ok(busy.length >= 3, `${busy.length} times`);
  for (const [number, { at }] of told.entries()) {
    const before = told[number - 1];
    if (before !== undefined) assert.ok(at - before.at > 230, `${at - before.at} ms`);
  }
  const { state } = busy[1] ?? {};
  assert.equal(state?.title, "book.md");
  assert.ok(state !== undefined && state.done > 0 && state.done < state.total);
  assert.equal(state?.waiting, 1);
  assert.deepEqual(told.at(-1)?.state, {
    state: "idle",
    document: null,
    title: null,
    done: 0,
    total: 0,
    waiting: 0,
  });
});

test("a pause is told, lasts while tabs are opened, and is over when it is taken back", async (t) => {
  const { workspace, index, told, words, until } = await setUp(t);
  assert.equal(index.setPaused(true).state, "paused");
  must(workspace.tabs.open("book.md"));
  index.look();
  await setTimeout(400);
  assert.equal(words.texts.length, 0, "nothing was begun");
  assert.deepEqual([index.state().state, index.state().waiting], ["paused", 1]);
  index.setPaused(false);
  await until(() => index.state().done > 10);
  const paused = index.setPaused(true);
  await until(() => told.at(-1)?.state.state === "paused" && told.at(-1)?.state.title === "book.md");
  assert.ok(paused.done > 10 && paused.title === "book.md");
  index.setPaused(false);
  await until(() => index.state().state === "idle");
  assert.equal(new Set(words.texts).size, words.texts.length, "nothing was embedded twice");
});

test("where nobody makes vectors, the index is off, and is told to be", async (t) => {
  const workspace = await new TestWorkspace(t, { "note.md": "A few words.\n" }).open();
  const fault = new Fault("embeddings_unavailable", "There is no model.", "Set one.");
  const told: string[] = [];
  const none = { embedder: async () => fault, index: async () => fault };
  const index = new TabIndex(workspace, none, true, ({ state }) => told.push(state));
  must(workspace.tabs.open("note.md"));
  index.look();
  await setTimeout(50);
  assert.deepEqual([told, index.setPaused(true).state], [["off"], "off"]);
  await index.stop();
});

test("over the API, an index that is not kept is off", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), modelOf([]));
  const off = { state: "off", document: null, title: null, done: 0, total: 0, waiting: 0 };
  assert.deepEqual(await api.ok("GET", "/api/index"), off);
  assert.deepEqual(await api.ok("POST", "/api/index", { paused: true }), off);
});
