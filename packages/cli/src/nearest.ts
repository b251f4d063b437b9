// The known word that a mistyped one is nearest to, for "did you mean".

import { editDistance } from "@stet/text/edit-distance";

/** Undefined where none is near: more than one slip in a short word, or two in a long one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  // Of two that are as near, letters in the wrong order are likelier than letters too many.
  const apart = (candidate: string) => Math.abs(candidate.length - word.length);
  const most = word.length <= 5 ? 1 : 2;
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || apart(a.candidate) - apart(b.candidate));
  return best?.candidate ?? known.find((candidate) => word.length >= 3 && candidate.startsWith(word));
}
