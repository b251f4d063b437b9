// How well texts fit a query by their words: Okapi BM25 with the usual constants.

const saturation = 1.2;
const lengthWeight = 0.75;

/** A score for each text, which is given by its words; 0 where it has none of the query's. */
export function wordScores(texts: readonly (readonly string[])[], query: readonly string[]): number[] {
  const wanted = [...new Set(query)];
  const counts = texts.map((words) => {
    const found = new Map(wanted.map((word) => [word, 0]));
    for (const word of words) {
      const count = found.get(word);
      if (count !== undefined) found.set(word, count + 1);
    }
    return found;
  });
  const rarities = wanted.map((word) => {
    const having = counts.filter((found) => found.get(word) !== 0).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  });
  const average = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  return texts.map((words, index) => {
    const length = 1 - lengthWeight + (lengthWeight * words.length) / average;
    return wanted.reduce((score, word, at) => {
      const count = counts[index]?.get(word) ?? 0;
      if (count === 0) return score;
      return score + ((rarities[at] ?? 0) * count * (saturation + 1)) / (count + saturation * length);
    }, 0);
  });
}
