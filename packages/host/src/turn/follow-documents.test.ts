import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type IndexReport, Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import { temporaryFolder } from "@stet/testkit/temporary";
import { WordEmbedder } from "@stet/testkit/word-embedder";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { type FollowProgress, followDocuments } from "./follow-documents.ts";

test("open documents are indexed, and again where they are edited; others are not", async (t) => {
  const paragraph = (number: number) =>
    `Paragraph ${number} is about thing${number} and nothing else. `.repeat(9);
  const content = Array.from({ length: 20 }, (_, number) => paragraph(number)).join("\n\n");
  const files = new TestWorkspace(t, { "open.md": content, "other.md": content.toUpperCase() });
  const workspace = await files.open();
  const embedder = new WordEmbedder();
  const meaning = must(Meaning.open(temporaryFolder(t), embedder));
  t.after(() => meaning.close());
  must(workspace.tabs.open("open.md"));
  const other = must(workspace.documents.open("other.md"));
  const { id } = must(workspace.documents.open("open.md"));

  let told: (indexed: { key: string; report: IndexReport }) => void = () => {};
  const next = () => new Promise<{ key: string; report: IndexReport }>((resolve) => (told = resolve));
  const first = next();
  const following = followDocuments(workspace, meaning, {
    quietMs: 5,
    onIndexed: ({ key }, report) => told({ key, report: must(report) }),
  });
  t.after(() => following.stop());
  assert.equal((await first).key, `document:${id}`);

  const second = next();
  personEdits(workspace, other.id, { op: "replace", from: 1, to: 1, content: "NOBODY LOOKS AT THIS." });
  personEdits(workspace, id, { op: "replace", from: 5, to: 5, content: "A person wrote this." });
  const { key, report } = await second;
  assert.equal(key, `document:${id}`);
  assert.ok(report.embedded >= 1 && report.embedded <= 4, `${report.embedded} were embedded`);
  assert.ok(!embedder.texts.some((text) => text.includes("NOBODY") || text.includes("THING")));

  const third = next();
  must(workspace.tabs.open("other.md"));
  following.look();
  assert.equal((await third).key, `document:${other.id}`);
});

test("a pause stops a long document between two passages, and going on begins where it was", async (t) => {
  const content = Array.from({ length: 60 }, (_, number) =>
    `Thing${number} is told of here. `.repeat(20),
  ).join("\n\n");
  const files = new TestWorkspace(t, { "long.md": content, "short.md": "A few words.\n" });
  const workspace = await files.open();
  const words = new WordEmbedder();
  const embedder = slowly(words);
  const meaning = must(Meaning.open(temporaryFolder(t), embedder));
  t.after(() => meaning.close());
  must(workspace.tabs.open("short.md"));
  must(workspace.tabs.open("long.md"));
  const { id } = must(workspace.documents.open("long.md"));
  const seen: FollowProgress[] = [];
  let onProgress: (progress: FollowProgress) => void = () => {};
  const until = (isThere: (progress: FollowProgress) => boolean) =>
    new Promise<FollowProgress>((resolve) => {
      onProgress = (progress) => isThere(progress) && resolve(progress);
    });
  const some = until(({ done }) => done >= 4);
  const following = followDocuments(workspace, meaning, {
    quietMs: 1,
    onProgress: () => {
      const progress = following.progress();
      seen.push(progress);
      onProgress(progress);
    },
  });
  t.after(() => following.stop());

  const before = await some;
  assert.equal(before.document, id, "the one in front comes first");
  assert.deepEqual([before.state, before.waiting], ["indexing", 1]);
  following.pause();
  const paused = following.progress();
  assert.deepEqual({ ...paused, done: 0 }, { ...before, state: "paused", done: 0 });
  await setTimeout(100);
  const embedded = words.texts.length;
  following.look();
  await setTimeout(150);
  assert.equal(words.texts.length, embedded, "nothing is embedded while it is paused");
  assert.deepEqual(following.progress().document, id);

  const idle = until(({ state }) => state === "idle");
  following.resume();
  assert.equal(following.progress().total, paused.total, "the progress does not begin anew");
  assert.deepEqual(await idle, { state: "idle", document: null, done: 0, total: 0, waiting: 0 });
  assert.equal(new Set(words.texts).size, words.texts.length, "no passage was embedded twice");
  assert.equal(words.texts.length, paused.total + 1);
  const counted = seen.filter(({ document, total }) => document === id && total > 0).map(({ done }) => done);
  assert.deepEqual(
    counted,
    counted.toSorted((one, other) => one - other),
    "it never goes back",
  );
});

function slowly(embedder: WordEmbedder): Embedder {
  return {
    id: embedder.id,
    async embed(texts, signal) {
      await setTimeout(10);
      return embedder.embed(texts, signal);
    },
    close: () => embedder.close(),
  };
}
