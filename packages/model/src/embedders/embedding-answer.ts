// What a server answers to a request for embeddings, read with distrust.
//
//   { "data": [ { "index": 0, "embedding": [0.1, …] }, … ] }
//
// The entries may come in any order. Some servers leave `index` out; then their order counts.

import { unitVector } from "@stet/protocol/embedding";

/** One vector of length 1 for each text, or what is wrong, as the end of a sentence. */
export function readVectors(
  answer: unknown,
  count: number,
  dimensions: number | undefined,
): readonly Float32Array[] | string {
  const data = field(answer, "data");
  if (!Array.isArray(data)) return "there is no list called data";
  if (data.length !== count) return `${count} texts were sent, and ${data.length} vectors came back`;
  const vectors: Float32Array[] = [];
  const isNumbered = data.some((entry) => field(entry, "index") !== undefined);
  const seen = new Set<number>();
  let length = dimensions;
  for (const [position, entry] of data.entries()) {
    const index: unknown = isNumbered ? field(entry, "index") : position;
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
      return `an index is not one of 0 to ${count - 1}`;
    if (seen.has(index)) return `the index ${index} comes twice`;
    seen.add(index);
    const vector = readVector(field(entry, "embedding"));
    if (typeof vector === "string") return vector;
    length ??= vector.length;
    if (vector.length !== length)
      return `a vector has ${vector.length} dimensions where ${length} were expected`;
    vectors[index] = vector;
  }
  return vectors;
}

function readVector(values: unknown): Float32Array | string {
  if (!Array.isArray(values) || values.length === 0) return "an embedding is not a list of numbers";
  if (!values.every((value) => typeof value === "number" && Number.isFinite(value)))
    return "an embedding holds something that is not a finite number";
  return unitVector(Float32Array.from(values)) ?? "an embedding is zero or too large";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
