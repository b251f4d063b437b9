// New text in the typography of the place that it comes to.
//
// A text that was quoted with “ and found with " shows that its writer makes quotes typographic by habit: the new text gets
// what the file has. Where the file has several kinds at that place, or the new text brings a kind of which the old had none,
// nobody can know what belongs there.

import { foldWithPlaces, plainLetter } from "@stet/text/fold";

/** The text as it belongs there; undefined where that cannot be known. */
export type Typography = (text: string) => string | undefined;

const asItIs: Typography = (text) => text;

/** `found` are the lines of the file, `written` the same ones as they were quoted. */
export function typographyOf(found: readonly string[], written: readonly string[]): Typography {
  const kinds = new Map<string, Set<string>>();
  const folded = new Set<string>();
  let isPlainThere = false;
  for (const [index, line] of written.entries()) {
    for (const [there, own] of pairsOf(found[index] ?? "", line)) {
      const plain = plainLetter(own);
      kinds.set(plain, (kinds.get(plain) ?? new Set()).add(there));
      if (there === own) continue;
      folded.add(plain);
      isPlainThere ||= there === plain;
    }
  }
  if (folded.size === 0) return asItIs;
  return (text) => {
    let result = "";
    for (const letter of text) {
      const plain = plainLetter(letter);
      const [kind, ...others] = folded.has(plain) ? (kinds.get(plain) ?? []) : [];
      const isOfHabit = letter !== plain && isPlainThere;
      if (kind !== undefined && others.length === 0 && (letter !== plain || isQuote(plain))) result += kind;
      else if (isOfHabit) return undefined;
      else result += letter;
    }
    return result;
  };
}

function isQuote(plain: string): boolean {
  return plain === '"' || plain === "'";
}

/** Letters at the same place of two lines that are the same when folded. */
function pairsOf(found: string, written: string): [there: string, own: string][] {
  const [one, other] = [found.trim(), written.trim()];
  const [there, own] = [foldWithPlaces(one, "plain"), foldWithPlaces(other, "plain")];
  if (there.text !== own.text) return [];
  return Array.from({ length: there.text.length }, (_, at) => [
    one.slice(there.start(at), there.start(at + 1)),
    other.slice(own.start(at), own.start(at + 1)),
  ]);
}
