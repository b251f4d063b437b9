// An embedder for tests that knows words only: texts with the same words are close. Every request is recorded, can be
// held back, and can be made to fail.

import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";

const dimensions = 64;

export class WordEmbedder implements Embedder {
  readonly id: string;
  /** Every text that was asked for, in order. */
  readonly texts: string[] = [];
  /** What every request is refused with while it is set. */
  fault: Fault | undefined;
  #gate: Promise<void> | undefined;
  #open: () => void = () => {};
  #allowance = 0;

  constructor(id = "words/64") {
    this.id = id;
  }

  /** Holds back passages, after the next `allowance` of them, until `release`. */
  hold(allowance = 0): void {
    this.#allowance = allowance;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    this.#open = resolve;
  }

  release(): void {
    this.#gate = undefined;
    this.#open();
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Fault> {
    if (isAborted(signal)) return aborted();
    // A query is one short text, and never waits.
    if (texts.length > 1 || (texts[0]?.length ?? 0) > 80) {
      this.#allowance -= texts.length;
      if (this.#gate !== undefined && this.#allowance < 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        signal?.addEventListener("abort", () => resolve(), { once: true });
        await Promise.race([this.#gate, promise]);
        if (isAborted(signal)) return aborted();
      }
    }
    this.texts.push(...texts);
    return this.fault ?? texts.map(vectorOf);
  }

  async close(): Promise<void> {}
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function aborted(): Fault {
  return new Fault("aborted", "The embedding was stopped.", "Ask again when it is needed.");
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    let hash = 7;
    for (const character of word) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  // A text without words points somewhere, too.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return vector.map((value) => value / length);
}
