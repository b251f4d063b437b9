// Ranking of short texts by the words of a query: Okapi BM25 with the usual constants.

const saturation = 1.2;
const lengthWeight = 0.75;

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
}

/** Items that share a word with the query, the best first. A name counts three times. */
export function rank<T>(
  items: readonly T[],
  textOf: (item: T) => { readonly name: string; readonly text: string },
  query: string,
): Ranked<T>[] {
  const documents = items.map((item) => {
    const { name, text } = textOf(item);
    const words = [...wordsOf(name), ...wordsOf(name), ...wordsOf(name), ...wordsOf(text)];
    return { item, words };
  });
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length);
  const wanted = [...new Set(wordsOf(query))];
  const rarity = new Map(
    wanted.map((word) => {
      const having = documents.filter(({ words }) => words.includes(word)).length;
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const ranked = documents.map(({ item, words }) => {
    let score = 0;
    for (const word of wanted) {
      const count = words.filter((one) => one === word).length;
      const length = 1 - lengthWeight + lengthWeight * (words.length / average);
      score += ((rarity.get(word) ?? 0) * count * (saturation + 1)) / (count + saturation * length);
    }
    return { item, score };
  });
  return ranked.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}

/** Lower case, `_` and capitals split, a plural or `-ing` cut off. */
function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => {
    return word.length > 3 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
  });
}
