// Embeds passages one small batch after the other: what someone waits for first, then what is only wanted soon.
//
// A batch is as large as can be done in about a tenth of a second, so that a new search never waits long behind an old
// one. Every vector is stored at once. Cancelling a task therefore loses nothing; what is being computed is still stored.

import { setImmediate } from "node:timers/promises";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault, isFault } from "@stet/protocol/fault";
import type { DocumentIndex } from "./document-index.ts";
import { Slices } from "./slices.ts";
import type { VectorStore } from "./vector-store.ts";

export interface MissingVector {
  readonly index: DocumentIndex;
  readonly slot: number;
}

export interface TaskOptions {
  /** Someone waits for it: it goes before all that is not urgent, and before older urgent tasks. */
  readonly urgent: boolean;
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number): void;
}

interface Task extends TaskOptions {
  readonly wanted: readonly MissingVector[];
  /** How many of `wanted` are done. */
  done: number;
  embedded: number;
  end(result: number | Fault): void;
  fail(error: unknown): void;
}

const batchTime = 100;
const largestBatch = 32;
const readAtOnce = 100;

export class EmbeddingWork {
  readonly #embedder: Embedder;
  readonly #store: VectorStore;
  readonly #closing = new AbortController();
  #tasks: Task[] = [];
  #running: Promise<void> | undefined;
  #batchSize = 2;
  /** How long one passage took of late, in milliseconds. */
  #timeEach = 100;
  /** What the embedder last refused with; none since it last worked. */
  failure: Fault | undefined;

  constructor(embedder: Embedder, store: VectorStore) {
    this.#embedder = embedder;
    this.#store = store;
  }

  get id(): string {
    return this.#embedder.id;
  }

  /** Takes the vectors that were computed before. */
  async load(index: DocumentIndex): Promise<void> {
    const slices = new Slices();
    const missing = index.missing();
    for (let at = 0; at < missing.length && !this.#closing.signal.aborted; at += readAtOnce) {
      this.#takeStored(missing.slice(at, at + readAtOnce).map((slot) => ({ index, slot })));
      await slices.next();
    }
  }

  #takeStored(wanted: readonly MissingVector[]): void {
    const stored = this.#store.get(wanted.map(({ index, slot }) => index.keys[slot] ?? ""));
    for (const { index, slot } of wanted) {
      const vector = stored.get(index.keys[slot] ?? "");
      if (vector !== undefined) index.setVector(slot, vector);
    }
  }

  estimate(count: number): number {
    return count * this.#timeEach;
  }

  /** Embeds in the given order; returns how many were computed now. */
  async embed(wanted: readonly MissingVector[], options: TaskOptions): Promise<number | Fault> {
    if (this.#closing.signal.aborted || options.signal?.aborted === true) return stopped();
    if (wanted.length === 0) return 0;
    const { promise, resolve, reject } = Promise.withResolvers<number | Fault>();
    const { urgent, signal } = options;
    const task: Task = {
      urgent,
      signal,
      onProgress: (done, total) => options.onProgress?.(done, total),
      wanted,
      done: 0,
      embedded: 0,
      end: resolve,
      fail: reject,
    };
    const onAbort = () => this.#drop(task, stopped());
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#tasks.push(task);
    this.#running ??= this.#run();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** One vector outside of every task, for a query. */
  async embedQuery(query: string, signal?: AbortSignal): Promise<Float32Array | Fault> {
    const vectors = await this.embedNow([query], signal);
    return isFault(vectors) ? vectors : (vectors[0] ?? this.#noteFailure(notAVector()));
  }

  /** Vectors outside of every task, which are not stored. */
  async embedNow(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Fault> {
    const vectors = await this.#embedder.embed(texts, signal);
    if (isFault(vectors)) return this.#noteFailure(vectors);
    if (vectors.length !== texts.length) return this.#noteFailure(notAVector());
    this.failure = undefined;
    return vectors;
  }

  #noteFailure(fault: Fault): Fault {
    if (fault.error === "aborted") return fault;
    this.failure = fault;
    return fault;
  }

  #drop(task: Task, result: number | Fault): void {
    this.#tasks = this.#tasks.filter((other) => other !== task);
    task.end(result);
  }

  #next(): Task | undefined {
    return this.#tasks.findLast((task) => task.urgent) ?? this.#tasks[0];
  }

  async #run(): Promise<void> {
    try {
      for (let task = this.#next(); task !== undefined; task = this.#next()) {
        const fault = await this.#step(task);
        if (fault === undefined) continue;
        for (const waiting of this.#tasks) this.#drop(waiting, fault);
      }
      while (!this.#closing.signal.aborted && this.#tasks.length === 0 && this.#store.collectSome()) {
        await setImmediate();
      }
    } catch (error) {
      for (const waiting of this.#tasks) waiting.fail(error);
      this.#tasks = [];
    }
    this.#running = this.#tasks.length > 0 ? this.#run() : undefined;
  }

  /** One batch of a task, or its end. */
  async #step(task: Task): Promise<Fault | undefined> {
    const batch: MissingVector[] = [];
    let at = task.done;
    for (; at < task.wanted.length && batch.length < this.#batchSize; at += 1) {
      const wanted = task.wanted[at];
      if (wanted !== undefined && !wanted.index.hasVector(wanted.slot)) batch.push(wanted);
    }
    // Another task, or another process, may have been first.
    this.#takeStored(batch);
    const fresh = batch.filter(({ index, slot }) => !index.hasVector(slot));
    const fault = fresh.length === 0 ? undefined : await this.#compute(fresh);
    if (fault !== undefined) return fault;
    task.done = at;
    task.embedded += fresh.length;
    task.onProgress?.(task.done, task.wanted.length);
    if (task.done === task.wanted.length) this.#drop(task, task.embedded);
    // What is found in the store takes no time at all, and would keep everyone else waiting.
    if (fresh.length === 0) await setImmediate();
    return undefined;
  }

  async #compute(batch: readonly MissingVector[]): Promise<Fault | undefined> {
    const started = performance.now();
    const texts = batch.map(({ index, slot }) => index.wordsAt(slot));
    const vectors = await this.#embedder.embed(texts, this.#closing.signal);
    if (isFault(vectors)) return this.#noteFailure(vectors);
    this.#adapt(performance.now() - started, batch.length);
    const stored: [string, Float32Array][] = [];
    for (const [position, { index, slot }] of batch.entries()) {
      const vector = vectors[position];
      if (vector !== undefined) index.setVector(slot, vector);
      if (vector === undefined || !index.hasVector(slot)) return this.#noteFailure(notAVector());
      stored.push([index.keys[slot] ?? "", vector]);
    }
    this.failure = undefined;
    if (!this.#closing.signal.aborted) this.#store.put(stored);
    return undefined;
  }

  #adapt(elapsed: number, count: number): void {
    this.#timeEach += (elapsed / count - this.#timeEach) / 4;
    const fitting = Math.floor(batchTime / Math.max(0.1, this.#timeEach));
    this.#batchSize = Math.max(1, Math.min(fitting, this.#batchSize * 2, largestBatch));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const task of this.#tasks) this.#drop(task, stopped());
    await this.#running;
  }
}

export function stopped(): Fault {
  return new Fault(
    "aborted",
    "Indexing for search by meaning was stopped.",
    "Ask again; what was indexed so far is kept.",
  );
}

function notAVector(): Fault {
  return new Fault(
    "embeddings_unavailable",
    "The embedding model did not return one vector of the same length for each text.",
    "Search with match_type exact or regex instead.",
  );
}
