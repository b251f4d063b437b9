// Where a run of lines stands among others.

/** Where `wanted` occurs in `lines` as a whole, by Knuth, Morris and Pratt: linear for a file of equal lines, too. */
export function occurrences(lines: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return [];
  const fallback = [0];
  for (let index = 1, length = 0; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = fallback[length - 1] ?? 0;
    if (wanted[index] === wanted[length]) length += 1;
    fallback.push(length);
  }
  const found: number[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    while (length > 0 && line !== wanted[length]) length = fallback[length - 1] ?? 0;
    if (line === wanted[length]) length += 1;
    if (length < wanted.length) continue;
    found.push(index + 1 - length);
    length = fallback[length - 1] ?? 0;
  }
  return found;
}
