// Texts as vectors: the port between an embedder and search by meaning.

import type { Fault } from "./fault.ts";

export interface Embedder {
  /** Names the model and its dimensions. Vectors of different ids are never compared. */
  readonly id: string;
  /** One vector of length 1 for each text, in order. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Fault>;
  close(): Promise<void>;
}

/** Whether a document can be searched by meaning now, will be soon, or cannot be at all. */
export type EmbeddingStatus = "ready" | "indexing" | "unavailable";

/** The vector scaled to length 1, in place. Undefined when it has no direction: zero, or not finite. */
export function unitVector<Buffer extends ArrayBufferLike>(
  vector: Float32Array<Buffer>,
): Float32Array<Buffer> | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  for (const [index, value] of vector.entries()) vector[index] = value / length;
  return vector;
}
