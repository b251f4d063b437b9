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
