// One search: gathers what every document has to say to the query, has what is missing embedded as far as there is time,
// and ranks.

import { type Fault, isFault } from "@stet/protocol/fault";
import { bestLine } from "./best-line.ts";
import type { DocumentIndex } from "./document-index.ts";
import { type EmbeddingWork, type MissingVector, stopped } from "./embedding-work.ts";
import { excerptOf } from "./excerpt.ts";
import type { MeaningAnswer, MeaningDocument, MeaningMatch, MeaningSearchOptions } from "./meaning.ts";
import { type Evidence, gatherEvidence, meaningOf, rank, weighTerms, wordScores } from "./ranking.ts";
import { Slices } from "./slices.ts";
import { type QueryTerm, queryTerms } from "./terms.ts";

/** What a search needs of the owner of the indexes. */
export interface Indexes {
  prepare(document: MeaningDocument, signal: AbortSignal): Promise<DocumentIndex | Fault>;
  /** Embeds the rest of a document in the background. */
  goOn(document: MeaningDocument, index: DocumentIndex): void;
  /** Indexes documents in the background that there was no time for. */
  takeUp(documents: readonly MeaningDocument[]): void;
}

interface Searched extends Evidence {
  readonly document: MeaningDocument;
  readonly text: MeaningDocument["text"];
  /** Only where vectors are missing; an index that is complete may leave the memory. */
  readonly incomplete: DocumentIndex | undefined;
  meaning: Float32Array;
}

const defaultWait = 8000;
/** Even who does not want to wait for an index waits so long for the query's own vector. */
const queryWait = 2000;
/** How long the lines of what was found are compared by meaning; after that by their words alone. */
const lineWait = 300;
/** How many passages with words of the query are worth waiting for where the whole is too much. */
const promisingCount = 64;
/** A passage that was not cut yet is counted by this length. */
const typicalLength = 400;

export class Searching {
  readonly #work: EmbeddingWork;
  readonly #query: string;
  readonly #terms: readonly QueryTerm[];
  readonly #options: MeaningSearchOptions;
  readonly #indexes: Indexes;
  readonly #deadline: number;
  readonly #slices = new Slices();

  constructor(work: EmbeddingWork, query: string, options: MeaningSearchOptions, indexes: Indexes) {
    this.#work = work;
    this.#query = query;
    this.#terms = queryTerms(query);
    this.#options = options;
    this.#indexes = indexes;
    this.#deadline = performance.now() + (options.waitMs ?? defaultWait);
  }

  async run(documents: readonly MeaningDocument[]): Promise<MeaningAnswer | Fault> {
    const { signal } = this.#options;
    if (signal?.aborted === true) return stopped();
    const embedded = await this.#queryVector();
    if (isFault(embedded)) return embedded;
    const { searched, unseen } = await this.#gather(documents, embedded);
    if (isFault(searched)) return searched;
    const fault = await this.#embedMissing(searched);
    if (fault !== undefined) return fault;
    if (unseen.length > 0) this.#indexes.takeUp(unseen);
    return this.#answer(searched, unseen, embedded);
  }

  #left(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Aborts when the caller does, or after a time. */
  #within(time: number): AbortSignal {
    const { signal } = this.#options;
    const timeout = time <= 0 ? AbortSignal.abort() : AbortSignal.timeout(Math.ceil(time));
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }

  #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** None where it does not come in time: then words alone decide. */
  async #queryVector(): Promise<Float32Array | undefined | Fault> {
    const vector = await this.#work.embedQuery(this.#query, this.#within(Math.max(this.#left(), queryWait)));
    if (isFault(vector) && vector.error === "aborted") return this.#isStopped() ? stopped() : undefined;
    return vector;
  }

  async #gather(documents: readonly MeaningDocument[], vector: Float32Array | undefined) {
    const searched: Searched[] = [];
    const unseen: MeaningDocument[] = [];
    const signal = this.#within(this.#left());
    for (const document of documents) {
      const index = await this.#indexes.prepare(document, signal);
      if (this.#isStopped()) return { searched: stopped(), unseen };
      if (isFault(index)) {
        if (index.error !== "aborted") return { searched: index, unseen };
        unseen.push(document);
        continue;
      }
      searched.push({
        ...gatherEvidence(index, vector, this.#terms),
        document,
        text: index.text,
        incomplete: index.isComplete ? undefined : index,
      });
      await this.#slices.next();
    }
    return { searched, unseen };
  }

  async #embedMissing(searched: readonly Searched[]): Promise<Fault | undefined> {
    const missing = this.#missing(searched);
    const promising = missing.slice(0, promisingCount);
    const rest = missing.slice(promisingCount);
    for (const wanted of [promising, rest]) {
      const isTooMuch = wanted === rest && this.#work.estimate(rest.length) > this.#left();
      if (wanted.length === 0 || isTooMuch || this.#left() === 0) continue;
      const result = await this.#work.embed(wanted, { urgent: true, signal: this.#within(this.#left()) });
      if (this.#isStopped()) return stopped();
      if (isFault(result) && result.error !== "aborted") return result;
    }
    for (const { document, incomplete } of searched) {
      if (incomplete !== undefined && !incomplete.isComplete) this.#indexes.goOn(document, incomplete);
    }
    return undefined;
  }

  /** What has no vector yet: passages with words of the query first, then all others in order. */
  #missing(searched: readonly Searched[]): MissingVector[] {
    const known = weighTerms(searched, this.#terms);
    const missing: (MissingVector & { score: number })[] = [];
    for (const evidence of searched) {
      const { incomplete: index } = evidence;
      if (index === undefined) continue;
      const scores = wordScores(evidence, known);
      const seen = new Set<number>();
      for (const [passage, { slot }] of evidence.passages.entries()) {
        if (index.hasVector(slot) || seen.has(slot)) continue;
        seen.add(slot);
        missing.push({ index, slot, score: scores[passage] ?? 0 });
      }
    }
    return missing.sort((a, b) => b.score - a.score);
  }

  async #answer(
    searched: readonly Searched[],
    unseen: readonly MeaningDocument[],
    vector: Float32Array | undefined,
  ): Promise<MeaningAnswer> {
    let indexed = 0;
    let total = unseen.reduce((sum, { text }) => sum + Math.ceil(text.length / typicalLength), 0);
    for (const evidence of searched) {
      await this.#slices.next();
      if (evidence.incomplete !== undefined) evidence.meaning = meaningOf(evidence.incomplete, vector);
      total += evidence.passages.length;
      for (const { slot } of evidence.passages)
        if (evidence.incomplete?.hasVector(slot) ?? true) indexed += 1;
    }
    const known = weighTerms(searched, this.#terms);
    await this.#slices.next();
    const hits = rank(searched, known, this.#options.limit);
    const matches: MeaningMatch[] = [];
    const query = { terms: this.#terms, known, vector };
    const inTime = this.#within(lineWait);
    for (const { document, passage, score } of hits) {
      const evidence = searched[document];
      const found = evidence?.passages[passage];
      if (evidence === undefined || found === undefined) continue;
      const excerpt = excerptOf(evidence.text, found, this.#terms, known);
      const best = await bestLine(evidence.text, excerpt, query, (lines) =>
        this.#work.embedNow(lines, inTime),
      );
      matches.push({ key: evidence.document.key, score, ...excerpt, bestLine: best });
    }
    const isReady = indexed === total && vector !== undefined;
    return { status: isReady ? "ready" : "indexing", matches, indexed, total };
  }
}
