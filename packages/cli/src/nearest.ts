// The known word that a mistyped one is nearest to, for "did you mean".

/** Undefined where none is near: more than one slip in a short word, or two in a long one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  // Of two that are as near, letters in the wrong order are likelier than letters too many.
  const apart = (candidate: string) => Math.abs(candidate.length - word.length);
  const most = word.length <= 5 ? 1 : 2;
  const [best] = known
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || apart(a.candidate) - apart(b.candidate));
  return best?.candidate ?? known.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}

/** Letters added, left out, mistaken or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [above = [], aboveThat = []] = [rows[i - 1], rows[i - 2]];
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (aboveThat[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change, swap));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
