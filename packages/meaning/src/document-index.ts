// What is known of one text for searching it: its passages, their words, and their vectors as far as there are any.
//
//   passage    a piece of the text with its offset; passages tile the text
//   slot       a row of the vectors; passages with the same words share one
//
// An index belongs to one immutable text. For the next revision a new one is derived from it: passages that did not
// change keep their words and vectors, so its cost follows the edit, apart from cutting and hashing.

import type { Text } from "@codemirror/state";
import { cutPassages, type Passage } from "./passages.ts";
import { Slices } from "./slices.ts";
import { countTerms, type TermCounts } from "./terms.ts";
import { vectorKey } from "./vector-store.ts";

const usualDimensions = 512;
/** Words, key and offset of a passage. */
const bytesBesideVector = 700;

export interface IndexedPassage extends Passage {
  readonly slot: number;
}

export class DocumentIndex {
  readonly text: Text;
  readonly passages: readonly IndexedPassage[];
  /** By slot. */
  readonly keys: readonly string[];
  /** By slot. */
  readonly terms: readonly TermCounts[];
  readonly slots: ReadonlyMap<string, number>;
  /** By slot: the index of a passage that has these words. */
  readonly #firstPassages: readonly number[];
  /** One row for each slot; empty until the first vector says how long a row is. */
  vectors: Float32Array = new Float32Array(0);
  dimensions = 0;
  readonly #isEmbedded: Uint8Array;
  /** How many slots have a vector. */
  embedded = 0;

  private constructor(
    text: Text,
    passages: readonly IndexedPassage[],
    slots: ReadonlyMap<string, number>,
    terms: readonly TermCounts[],
    firstPassages: readonly number[],
  ) {
    this.text = text;
    this.passages = passages;
    this.slots = slots;
    this.keys = [...slots.keys()];
    this.terms = terms;
    this.#firstPassages = firstPassages;
    this.#isEmbedded = new Uint8Array(terms.length);
  }

  static async build(
    { text, fileType }: { readonly text: Text; readonly fileType: string },
    embedder: string,
    previous?: DocumentIndex,
    signal?: AbortSignal,
  ): Promise<DocumentIndex | undefined> {
    const slices = new Slices();
    const passages: IndexedPassage[] = [];
    const slots = new Map<string, number>();
    const terms: TermCounts[] = [];
    const firstPassages: number[] = [];
    for (const passage of cutPassages(text, fileType)) {
      await slices.next();
      if (signal?.aborted === true) return undefined;
      const words = wordsOf(text, passage);
      if (words === "") continue;
      const key = vectorKey(embedder, words);
      let slot = slots.get(key);
      if (slot === undefined) {
        slot = terms.length;
        slots.set(key, slot);
        firstPassages.push(passages.length);
        const known = previous?.slots.get(key);
        terms.push((known === undefined ? undefined : previous?.terms[known]) ?? countTerms(words));
      }
      passages.push({ ...passage, slot });
    }
    const index = new DocumentIndex(text, passages, slots, terms, firstPassages);
    if (previous !== undefined) await index.#takeVectors(previous, slices);
    return index;
  }

  async #takeVectors(previous: DocumentIndex, slices: Slices): Promise<void> {
    for (const [slot, key] of this.keys.entries()) {
      const known = previous.slots.get(key);
      const vector = known === undefined ? undefined : previous.vectorAt(known);
      if (vector !== undefined) this.setVector(slot, vector);
      await slices.next();
    }
  }

  get isComplete(): boolean {
    return this.embedded === this.keys.length;
  }

  /** About how much memory it takes once it is complete, in bytes. */
  get size(): number {
    const vector = (this.dimensions || usualDimensions) * Float32Array.BYTES_PER_ELEMENT;
    return this.text.length + this.keys.length * (vector + bytesBesideVector);
  }

  hasVector(slot: number): boolean {
    return this.#isEmbedded[slot] === 1;
  }

  vectorAt(slot: number): Float32Array | undefined {
    if (!this.hasVector(slot)) return undefined;
    return this.vectors.subarray(slot * this.dimensions, (slot + 1) * this.dimensions);
  }

  setVector(slot: number, vector: Float32Array): void {
    if (this.dimensions === 0) {
      this.dimensions = vector.length;
      this.vectors = new Float32Array(this.keys.length * vector.length);
    }
    // A model that changes its mind about its dimensions is not compared with itself.
    if (vector.length !== this.dimensions || this.hasVector(slot)) return;
    this.vectors.set(vector, slot * this.dimensions);
    this.#isEmbedded[slot] = 1;
    this.embedded += 1;
  }

  missing(): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < this.keys.length; slot += 1) if (!this.hasVector(slot)) slots.push(slot);
    return slots;
  }

  /** What is embedded for a slot. */
  wordsAt(slot: number): string {
    const passage = this.passages[this.#firstPassages[slot] ?? 0];
    return passage === undefined ? "" : wordsOf(this.text, passage);
  }
}

/** Without line breaks, so that a paragraph that is wrapped anew keeps its vector. */
function wordsOf(text: Text, { from, to }: Passage): string {
  return text.sliceString(from, to).replace(/\s+/g, " ").trim();
}
