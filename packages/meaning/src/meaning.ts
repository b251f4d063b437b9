// Search by meaning over documents: keeps their passages embedded, and answers at once with what there is.
//
// - An index belongs to a text, not to a name: a document that was edited is indexed anew, and what did not change is
//   taken over. Vectors come from the store where any process ever computed them.
// - A search waits for a while, for the passages first that have words of the query; what is left goes on afterwards.
// - Indexes are an LRU cache in memory: the least recently used are evicted first. Searching thousands of documents touches
//   each once and keeps only a few numbers for each passage.

import { join } from "node:path";
import type { Text } from "@codemirror/state";
import type { Embedder, EmbeddingStatus } from "@stet/protocol/embedding";
import { Fault, isFault } from "@stet/protocol/fault";
import { DocumentIndex } from "./document-index.ts";
import { EmbeddingWork, type MissingVector, stopped } from "./embedding-work.ts";
import { Searching } from "./searching.ts";
import { VectorStore, type VectorStoreOptions } from "./vector-store.ts";

export interface MeaningDocument {
  /** Names it: "document:12", or a path. */
  readonly key: string;
  /** May be a getter where there are many: it is read once for each search. */
  readonly text: Text;
  readonly fileType: string;
}

export interface IndexOptions {
  readonly signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number): void;
  /** Someone waits for it. */
  readonly urgent?: boolean;
}

export interface IndexReport {
  /** Passages that were embedded now. */
  readonly embedded: number;
  /** Passages that had been before. */
  readonly reused: number;
}

export interface MeaningSearchOptions {
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for documents that are not indexed yet, in milliseconds. */
  readonly waitMs?: number | undefined;
}

export interface MeaningMatch {
  readonly key: string;
  /** Raw lines, 0-based, inclusive: of the best excerpt. */
  readonly startLine: number;
  readonly endLine: number;
  /** The line of it that fits best. */
  readonly bestLine: number;
  /** From 0 to 1; the first match has the highest. */
  readonly score: number;
  readonly text: string;
}

export interface MeaningAnswer {
  readonly status: EmbeddingStatus;
  /** The best first. While documents are being indexed: the best by words, and by meaning as far as it is known. */
  readonly matches: readonly MeaningMatch[];
  /** How many passages are embedded, and how many there are. */
  readonly indexed: number;
  readonly total: number;
}

export interface MeaningOptions extends VectorStoreOptions {
  /** How much memory indexes may take, in bytes. */
  readonly memory?: number;
}

const defaultMemory = 256_000_000;

interface Entry {
  readonly index: DocumentIndex;
  /** Counts builds: what was asked for later replaces what was asked for earlier, whichever is done first. */
  readonly order: number;
  /** Of the index, in bytes, about. */
  readonly size: number;
  /** Ends what goes on in the background. */
  readonly background: AbortController;
  isContinued: boolean;
}

interface Build {
  readonly text: Text;
  readonly done: Promise<DocumentIndex | Fault>;
}

export class Meaning {
  readonly #store: VectorStore | undefined;
  readonly #work: EmbeddingWork | Fault;
  readonly #memory: number;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** Of all entries, in bytes. */
  #size = 0;
  readonly #builds = new Map<string, Build>();
  #buildCount = 0;
  readonly #closing = new AbortController();
  /** Ends what a former search left to be taken up. */
  #later = new AbortController();

  private constructor(store: VectorStore | undefined, work: EmbeddingWork | Fault, memory: number) {
    this.#store = store;
    this.#work = work;
    this.#memory = memory;
  }

  /** `folder` is the workspace's state folder. The caller owns the embedder, and closes it after this. */
  static open(folder: string, embedder: Embedder | Fault, options: MeaningOptions = {}): Meaning | Fault {
    const memory = options.memory ?? defaultMemory;
    if (isFault(embedder)) return new Meaning(undefined, embedder, memory);
    const store = VectorStore.open(join(folder, "vectors-1.sqlite"), options);
    return isFault(store) ? store : new Meaning(store, new EmbeddingWork(embedder, store), memory);
  }

  status(document: MeaningDocument): EmbeddingStatus {
    if (isFault(this.#work) || this.#work.failure !== undefined) return "unavailable";
    const entry = this.#entries.get(document.key);
    if (entry === undefined || !isSameText(entry.index.text, document.text)) return "indexing";
    return entry.index.isComplete ? "ready" : "indexing";
  }

  /** Embeds what is missing of a document, and returns when it can be searched in full. */
  async index(document: MeaningDocument, options: IndexOptions = {}): Promise<IndexReport | Fault> {
    const work = this.#work;
    if (isFault(work)) return unavailable(work);
    if (this.#closing.signal.aborted) return stopped();
    const { signal, urgent = false } = options;
    const index = await this.#prepare(document, signal);
    if (isFault(index)) return index;
    const total = index.keys.length;
    const wanted = index.missing().map((slot): MissingVector => ({ index, slot }));
    const before = total - wanted.length;
    options.onProgress?.(before, total);
    const embedded = await work.embed(wanted, {
      urgent,
      signal,
      onProgress: (done) => options.onProgress?.(before + done, total),
    });
    if (isFault(embedded)) return embedded.error === "aborted" ? embedded : unavailable(embedded);
    return { embedded, reused: total - embedded };
  }

  async search(
    documents: readonly MeaningDocument[],
    query: string,
    options: MeaningSearchOptions,
  ): Promise<MeaningAnswer | Fault> {
    const work = this.#work;
    if (isFault(work)) return unavailable(work);
    if (this.#closing.signal.aborted) return stopped();
    const searching = new Searching(work, query, options, {
      prepare: (document, signal) => this.#prepare(document, signal),
      goOn: (document, index) => this.#goOn(document.key, index),
      takeUp: (unseen) => void this.#takeUp(unseen),
    });
    const answer = await searching.run(documents);
    return isFault(answer) && answer.error !== "aborted" ? unavailable(answer) : answer;
  }

  /** The index of a document's text, with all vectors that were ever computed for it. */
  async #prepare(document: MeaningDocument, signal?: AbortSignal): Promise<DocumentIndex | Fault> {
    const { key, text, fileType } = document;
    const entry = this.#entries.get(key);
    if (entry !== undefined && isSameText(entry.index.text, text)) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return entry.index;
    }
    if (signal?.aborted === true) return stopped();
    let build = this.#builds.get(key);
    if (build === undefined || !isSameText(build.text, text)) {
      build = { text, done: this.#build(key, { text, fileType }, entry?.index) };
      this.#builds.set(key, build);
    }
    const { done } = build;
    return signal === undefined ? done : unlessAborted(done, signal);
  }

  async #build(
    key: string,
    source: Pick<MeaningDocument, "text" | "fileType">,
    previous: DocumentIndex | undefined,
  ): Promise<DocumentIndex | Fault> {
    this.#buildCount += 1;
    const order = this.#buildCount;
    if (isFault(this.#work)) return this.#work;
    try {
      const index = await DocumentIndex.build(source, this.#work.id, previous, this.#closing.signal);
      if (index === undefined) return stopped();
      await this.#work.load(index);
      this.#install(key, index, order);
      return index;
    } finally {
      if (this.#builds.get(key)?.text === source.text) this.#builds.delete(key);
    }
  }

  #install(key: string, index: DocumentIndex, order: number): void {
    const old = this.#entries.get(key);
    if (old !== undefined && old.order > order) return;
    const { size } = index;
    this.#entries.delete(key);
    this.#entries.set(key, { index, order, size, background: new AbortController(), isContinued: false });
    this.#size += size - (old?.size ?? 0);
    old?.background.abort();
    if (old?.isContinued === true && !old.index.isComplete) this.#goOn(key, index);
    this.#trim();
  }

  /** Embeds the rest of a document in the background. */
  #goOn(key: string, index: DocumentIndex): void {
    const entry = this.#entries.get(key);
    if (entry?.index !== index || entry.isContinued || isFault(this.#work)) return;
    entry.isContinued = true;
    const wanted = index.missing().map((slot): MissingVector => ({ index, slot }));
    const { signal } = entry.background;
    void this.#work.embed(wanted, { urgent: false, signal }).then((result) => {
      // The next search gets the fault, and tries again.
      if (isFault(result)) entry.isContinued = false;
    });
  }

  /** Indexes documents that a search had no time for, one after the other, until the next one has others. */
  async #takeUp(documents: readonly MeaningDocument[]): Promise<void> {
    this.#later.abort();
    this.#later = new AbortController();
    const { signal } = this.#later;
    for (const document of documents) {
      const report = await this.index(document, { signal });
      if (isFault(report)) return;
    }
  }

  /** Forgets the indexes that were not used for the longest time. */
  #trim(): void {
    if (this.#size <= this.#memory) return;
    for (const [key, { index, size, isContinued }] of this.#entries) {
      if (this.#size <= this.#memory || this.#entries.size === 1) return;
      if (isContinued && !index.isComplete) continue;
      this.#size -= size;
      this.#entries.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (!isFault(this.#work)) await this.#work.close();
    await Promise.allSettled([...this.#builds.values()].map(({ done }) => done));
    this.#store?.close();
  }
}

function isSameText(one: Text, other: Text): boolean {
  return one === other || one.eq(other);
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | Fault> {
  if (signal.aborted) return Promise.resolve(stopped());
  const { promise: aborted, resolve } = Promise.withResolvers<Fault>();
  const onAbort = () => resolve(stopped());
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}

function unavailable(cause: Fault): Fault {
  return new Fault(
    "embeddings_unavailable",
    `Documents cannot be searched by meaning: ${cause.message}`,
    `Search with match_type exact or regex instead. ${cause.suggestion}`,
    { ...cause.details, cause: cause.error },
  );
}
