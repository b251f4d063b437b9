import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { WordEmbedder } from "@stet/testkit/word-embedder";
import { must, refused } from "@stet/testkit/workspace";
import { Meaning, type MeaningDocument, type MeaningOptions } from "./meaning.ts";

function opened(
  t: TestContext,
  folder: string,
  embedder: WordEmbedder | Fault,
  options?: MeaningOptions,
): Meaning {
  const meaning = must(Meaning.open(folder, embedder, options));
  t.after(() => meaning.close());
  return meaning;
}

function documentOf(content: string, key = "document:1"): MeaningDocument {
  return { key, text: Text.of(content.split("\n")), fileType: "txt" };
}

/** A book of paragraphs that have nothing in common but the small words. */
function book(paragraphs: number): string[] {
  return Array.from({ length: paragraphs }, (_, number) => {
    const word = (part: number) => `w${((number * 7919 + part * 104729) % 99991).toString(36)}x`;
    return Array.from({ length: 60 }, (_, part) => (part % 6 === 0 ? "and the" : word(part)))
      .join(" ")
      .concat(".");
  });
}

const places = [
  "The captain walked the deck of his ship and looked at the waves of the wide ocean.",
  "In the kitchen the cook was baking bread, and the smell of flour and butter filled the house.",
  "A court of law met in the old town hall, where the judge asked the witness what she had seen.",
];
const padded = places
  .map((place) => `${place} ${"It was a day like every other day. ".repeat(10)}`)
  .join("\n\n");

test("a small document is indexed just in time, and its best place comes first", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const document = documentOf(padded);
  assert.equal(meaning.status(document), "indexing");
  const answer = must(await meaning.search([document], "baking bread in the kitchen", { limit: 2 }));
  assert.equal(answer.status, "ready");
  assert.equal(answer.indexed, answer.total);
  assert.equal(meaning.status(document), "ready");
  const [first, second] = answer.matches;
  assert.equal(first?.startLine, 2);
  assert.equal(first?.endLine, 2);
  assert.match(first?.text ?? "", /^In the kitchen/);
  assert.ok((first?.score ?? 0) <= 1 && (first?.score ?? 0) > (second?.score ?? 0));
});

test("after a restart nothing is embedded twice, and after an edit only what it touched", async (t) => {
  const folder = temporaryFolder(t);
  const paragraphs = book(60);
  const first = opened(t, folder, new WordEmbedder());
  const { embedded } = must(await first.index(documentOf(paragraphs.join("\n\n"))));
  assert.ok(embedded >= 60);
  await first.close();

  const embedder = new WordEmbedder();
  const second = opened(t, folder, embedder);
  const document = documentOf(paragraphs.join("\n\n"));
  assert.deepEqual(must(await second.index(document)), { embedded: 0, reused: embedded });
  const edited = documentOf(paragraphs.with(30, "Someone wrote another paragraph.").join("\n\n"));
  assert.equal(second.status(edited), "indexing");
  const report = must(await second.index(edited));
  assert.ok(report.embedded >= 1 && report.embedded <= 4, `${report.embedded} were embedded`);
  assert.equal(embedder.texts.length, report.embedded);
  assert.equal(second.status(edited), "ready");
  assert.equal(second.status(document), "indexing");
});

test("a paragraph that is only wrapped anew keeps its vector", async (t) => {
  const embedder = new WordEmbedder();
  const meaning = opened(t, temporaryFolder(t), embedder);
  must(await meaning.index(documentOf("one two three four\nfive six")));
  assert.equal(must(await meaning.index(documentOf("one two\nthree four five six"))).embedded, 0);
});

test("killed while indexing, the next process goes on where it was", async (t) => {
  const folder = temporaryFolder(t);
  const embedder = new WordEmbedder();
  embedder.hold(10);
  const document = documentOf(book(40).join("\n\n"));
  const first = opened(t, folder, embedder);
  const stop = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const indexing = first.index(document, {
    signal: stop.signal,
    onProgress: (done) => {
      if (done >= 4) resolve();
    },
  });
  await begun;
  stop.abort();
  assert.equal(refused(await indexing).error, "aborted");
  await first.close();
  const report = must(await opened(t, folder, new WordEmbedder()).index(document));
  assert.ok(report.reused >= 4, `${report.reused} were kept`);
});

test("while a long document is indexed, words and what is embedded so far answer", async (t) => {
  const embedder = new WordEmbedder();
  embedder.hold(8);
  const meaning = opened(t, temporaryFolder(t), embedder);
  const paragraphs = book(300);
  const document = documentOf(
    paragraphs.with(250, `${"Nothing happens here for a while. ".repeat(10)} A zebra sings.`).join("\n\n"),
  );
  const answer = must(await meaning.search([document], "singing zebra", { limit: 3, waitMs: 300 }));
  assert.equal(answer.status, "indexing");
  assert.ok(answer.indexed < answer.total);
  assert.equal(answer.matches[0]?.startLine, 500);
  const passages = embedder.texts.filter((text) => text.length > 80);
  assert.match(passages[0] ?? "", /zebra/, "what has the words of the query is embedded first");
  embedder.release();
  // The rest goes on without anyone asking.
  const report = must(await meaning.index(document));
  assert.ok(report.reused > 0);
  const later = must(await meaning.search([document], "singing zebra", { limit: 3 }));
  assert.equal(later.status, "ready");
  assert.equal(later.matches[0]?.startLine, 500);
});

test("of two documents that wait, the one that is asked about goes first", async (t) => {
  const embedder = new WordEmbedder();
  embedder.hold(0);
  const meaning = opened(t, temporaryFolder(t), embedder);
  const paragraphs = book(100);
  const done: string[] = [];
  const waiting: Promise<void>[] = [];
  const index = (key: string, content: string, urgent: boolean) => {
    const queued = Promise.withResolvers<void>();
    waiting.push(queued.promise);
    return meaning
      .index(documentOf(content, key), { urgent, onProgress: () => queued.resolve() })
      .then(() => done.push(key));
  };
  const background = index("background", paragraphs.slice(0, 90).join("\n\n"), false);
  const urgent = index("asked", paragraphs.slice(90).join("\n\n"), true);
  // Progress is told in the step that queues a document: released before, one may be done while the other is still read.
  await Promise.all(waiting);
  embedder.release();
  await Promise.all([background, urgent]);
  assert.deepEqual(done, ["asked", "background"]);
});

test("a name is not lost among passages about similar things", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const filler = book(80);
  const content = filler
    .with(40, `${"They spoke of gods and of the sea for a long while. ".repeat(6)} Queequeg nodded.`)
    .with(10, "They spoke of gods and the sea, what men believe, what they believe of gods. ".repeat(6))
    .join("\n\n");
  const query = "what does Queequeg believe of gods and the sea";
  const { matches } = must(await meaning.search([documentOf(content)], query, { limit: 3 }));
  assert.equal(matches[0]?.startLine, 80);
});

test("neighbours of one scene are one match", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const scene = (number: number) =>
    `The zebra sings song ${number} to the moon, and the moon listens. `.repeat(7);
  const content = [...book(10), scene(1), scene(2), ...book(30).slice(10)].join("\n\n");
  const { matches } = must(
    await meaning.search([documentOf(content)], "zebra sings to the moon", { limit: 5 }),
  );
  const inScene = matches.filter(({ startLine }) => startLine >= 20 && startLine <= 22);
  assert.equal(inScene.length, 1);
});

test("several documents are searched as one", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const documents = places.map((place, number) => documentOf(place, `notes/${number}.md`));
  const { matches, total } = must(
    await meaning.search(documents, "a witness before the judge", { limit: 3 }),
  );
  assert.equal(total, 3);
  assert.equal(matches[0]?.key, "notes/2.md");
  assert.deepEqual(must(await meaning.search([], "anything", { limit: 3 })).matches, []);
  assert.deepEqual(must(await meaning.search([documentOf("")], "anything", { limit: 3 })).status, "ready");
});

test("documents that a search had no time for are indexed after it", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const paragraphs = book(90);
  const documents = Array.from({ length: 30 }, (_, number) =>
    documentOf(paragraphs.slice(number * 3, number * 3 + 3).join("\n\n"), `part-${number}`),
  );
  const hurried = must(await meaning.search(documents, "and the", { limit: 3, waitMs: 0 }));
  assert.equal(hurried.status, "indexing");
  assert.ok(hurried.indexed < hurried.total);
  while (documents.some((document) => meaning.status(document) !== "ready")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(must(await meaning.search(documents, "and the", { limit: 3, waitMs: 0 })).status, "ready");
});

test("indexes beyond the memory limit are made again from the store, without embedding", async (t) => {
  const embedder = new WordEmbedder();
  const meaning = opened(t, temporaryFolder(t), embedder, { memory: 50_000 });
  const documents = Array.from({ length: 8 }, (_, number) =>
    documentOf(
      book(160)
        .slice(number * 20, number * 20 + 20)
        .join("\n\n"),
      `part-${number}`,
    ),
  );
  for (const document of documents) must(await meaning.index(document));
  const embedded = embedder.texts.length;
  assert.equal(documents.filter((document) => meaning.status(document) === "ready").length < 8, true);
  assert.equal(must(await meaning.search(documents, "and the", { limit: 3 })).status, "ready");
  assert.equal(embedder.texts.length, embedded + 1, "only the query");
});

test("without an embedder, the fault names the other ways to search", async (t) => {
  const cause = new Fault("embeddings_unavailable", "No model is installed.", "Install one.");
  const meaning = opened(t, temporaryFolder(t), cause);
  const document = documentOf(padded);
  assert.equal(meaning.status(document), "unavailable");
  for (const result of [
    await meaning.search([document], "bread", { limit: 3 }),
    await meaning.index(document),
  ]) {
    const fault = refused(result);
    assert.equal(fault.error, "embeddings_unavailable");
    assert.match(fault.suggestion, /match_type exact or regex/);
    assert.match(fault.message, /No model is installed/);
  }
});

test("an embedder that fails is told about, and is asked again the next time", async (t) => {
  const embedder = new WordEmbedder();
  const meaning = opened(t, temporaryFolder(t), embedder);
  const document = documentOf(padded);
  embedder.fault = new Fault("embeddings_unavailable", "The server is down.", "Start it.");
  assert.equal(
    refused(await meaning.search([document], "bread", { limit: 1 })).error,
    "embeddings_unavailable",
  );
  assert.equal(refused(await meaning.index(document)).error, "embeddings_unavailable");
  assert.equal(meaning.status(document), "unavailable");
  embedder.fault = undefined;
  assert.equal(must(await meaning.search([document], "bread", { limit: 1 })).status, "ready");
  assert.equal(meaning.status(document), "ready");
});

test("a search can be stopped while it waits", async (t) => {
  const embedder = new WordEmbedder();
  embedder.hold();
  const meaning = opened(t, temporaryFolder(t), embedder);
  const stop = new AbortController();
  const searching = meaning.search([documentOf(padded)], "bread", { limit: 1, signal: stop.signal });
  setImmediate(() => stop.abort());
  assert.equal(refused(await searching).error, "aborted");
});

test("closing ends what is under way, and keeps what was done", async (t) => {
  const folder = temporaryFolder(t);
  const embedder = new WordEmbedder();
  embedder.hold();
  const meaning = opened(t, folder, embedder);
  const indexing = meaning.index(documentOf(book(20).join("\n\n")));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await meaning.close();
  assert.equal(refused(await indexing).error, "aborted");
  assert.equal(refused(await meaning.search([documentOf(padded)], "bread", { limit: 1 })).error, "aborted");
});

test("a damaged store is begun anew", async (t) => {
  const folder = temporaryFolder(t);
  const first = opened(t, folder, new WordEmbedder());
  must(await first.index(documentOf(padded)));
  await first.close();
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "damaged ".repeat(1000));
  const second = opened(t, folder, new WordEmbedder());
  assert.equal(must(await second.search([documentOf(padded)], "bread", { limit: 1 })).status, "ready");
});

test("of a passage of several lines, the line that fits the query is named", async (t) => {
  const meaning = opened(t, temporaryFolder(t), new WordEmbedder());
  const lines = [
    "Chapter 3: the harbour",
    "The ropes were wet.",
    "He asked her to marry him.",
    "Gulls cried over the roofs.",
  ];
  const answer = must(
    await meaning.search([documentOf(lines.join("\n"))], "asked her to marry", { limit: 1 }),
  );
  assert.equal(answer.matches[0]?.startLine, 0);
  assert.equal(answer.matches[0]?.bestLine, 2);
});
