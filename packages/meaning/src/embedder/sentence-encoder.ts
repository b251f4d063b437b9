// Texts to vectors with the embedded model.
//
// - The model sees 128 pieces, about 550 characters of English. A longer text is cut into parts of equal size, and its
//   vector is the mean of theirs; what comes after its first 2,000 characters does not count.
// - Runs of white space count as one space: the model has no piece for a line break.
// - A text without anything else is embedded as one space, so its vector is one like any other.

import { unitVector } from "@stet/protocol/embedding";
import type { ModelFiles } from "./model-files.ts";
import { maxPieces, networkWidth, SentenceNetwork } from "./sentence-network.ts";
import { UnigramTokenizer } from "./unigram-tokenizer.ts";

export const maxCharacters = 2000;
/** White space is not counted as characters, but neither is it read without end. */
export const maxRead = 4 * maxCharacters;
/** One character may become many pieces when it is normalised. */
const maxParts = 5;

export interface SentenceEncoder {
  /** A vector of length 1. */
  encode(text: string): Float32Array<ArrayBuffer>;
}

export async function createSentenceEncoder(files: ModelFiles): Promise<SentenceEncoder> {
  const tokenizer = new UnigramTokenizer(files.vocabulary);
  const network = await SentenceNetwork.create(files);
  return {
    encode(text) {
      const total = new Float32Array(networkWidth);
      for (const part of equalParts(tokenizer.encode(readableText(text)))) {
        const vector = unitVector(network.run(part));
        for (const [index, value] of vector?.entries() ?? []) total[index] = (total[index] ?? 0) + value;
      }
      const vector = unitVector(total);
      if (vector === undefined) throw new Error("The embedded model made a vector without direction.");
      return vector;
    },
  };
}

/** What the model is given of a text. */
export function readableText(text: string): string {
  const line = text.slice(0, maxRead).replace(/\s+/g, " ").trim().slice(0, maxCharacters);
  return line === "" ? " " : line;
}

function equalParts(pieces: readonly number[]): number[][] {
  const encoded = pieces.slice(0, maxPieces * maxParts);
  const count = Math.ceil(encoded.length / maxPieces);
  const border = (part: number) => Math.round((part * encoded.length) / count);
  return Array.from({ length: count }, (_, part) => encoded.slice(border(part), border(part + 1)));
}
