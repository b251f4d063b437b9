// Whose texts are embedded next.
//
// - A turn is a few texts of one request, so no request waits for a long one to end.
// - Small requests come first, the newest before the others: that is a person who searches.
// - Every fourth turn goes to the request that has waited longest for a turn, so that everybody is served.

import type { Fault } from "@stet/protocol/fault";

/** Texts of one call, and what is there of their vectors. */
export class EmbeddingRequest {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[] = [];
  /** How many texts have been handed out. */
  taken = 0;
  isOver = false;
  readonly #settle: (result: readonly Float32Array[] | Fault) => void;

  constructor(texts: readonly string[], settle: (result: readonly Float32Array[] | Fault) => void) {
    this.texts = texts;
    this.#settle = settle;
  }

  end(result: readonly Float32Array[] | Fault): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#settle(result);
  }
}

export interface EmbeddingTurn {
  readonly request: EmbeddingRequest;
  readonly texts: readonly string[];
}

const smallCount = 4;
const turnTexts = 16;
const turnCharacters = 1000;
const fairEvery = 4;

export class EmbeddingQueue {
  /** Those with texts left; who had a turn goes to the end. */
  readonly #waiting = new Set<EmbeddingRequest>();
  /** The newest is the last. May hold requests that are not waiting any more. */
  readonly #small: EmbeddingRequest[] = [];
  #turns = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(request: EmbeddingRequest): void {
    this.#waiting.add(request);
    if (request.texts.length <= smallCount) this.#small.push(request);
  }

  remove(request: EmbeddingRequest): void {
    this.#waiting.delete(request);
    this.#dropOld();
  }

  clear(): EmbeddingRequest[] {
    const all = [...this.#waiting];
    this.#waiting.clear();
    this.#dropOld();
    return all;
  }

  next(): EmbeddingTurn | undefined {
    this.#turns++;
    const isFair = this.#turns % fairEvery === 0;
    const [longest] = this.#waiting;
    const request = isFair ? longest : (this.#small.at(-1) ?? longest);
    if (request === undefined) return undefined;
    const texts = this.#take(request);
    this.#waiting.delete(request);
    if (request.taken < request.texts.length) this.#waiting.add(request);
    this.#dropOld();
    return { request, texts };
  }

  #take(request: EmbeddingRequest): readonly string[] {
    const first = request.taken;
    let characters = 0;
    let end = first;
    while (end < request.texts.length && end - first < turnTexts) {
      characters += request.texts[end]?.length ?? 0;
      if (end > first && characters > turnCharacters) break;
      end++;
    }
    request.taken = end;
    return request.texts.slice(first, end);
  }

  #dropOld(): void {
    for (let last = this.#small.at(-1); last !== undefined && !this.#waiting.has(last); ) {
      this.#small.pop();
      last = this.#small.at(-1);
    }
  }
}
