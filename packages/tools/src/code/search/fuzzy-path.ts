// How well a path fits what someone remembers of it: the letters in order, better where they stand together, at the start
// of a word, in the file's name. Punctuation and case do not count.

/** Undefined where the letters are not all there in order. */
export function pathScore(path: string, wanted: string): number | undefined {
  const query = plain(wanted);
  if (query === "") return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const scores = [
    nameScore(plain(name), query, 2000),
    nameScore(plain(withoutExtension(name)), query, 2000),
    nameScore(plain(path), query, 1000),
    lettersScore(path, query),
  ].filter((score) => score !== undefined);
  return scores.length === 0 ? undefined : Math.max(...scores) - path.length / 1000;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s/\\_.-]+/g, "");
}

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

function nameScore(text: string, query: string, most: number): number | undefined {
  if (text === query) return most;
  if (text.startsWith(query)) return most - 100;
  return text.includes(query) ? most - 200 : undefined;
}

/** Up to 700 for letters in order. */
function lettersScore(path: string, query: string): number | undefined {
  const lower = path.toLowerCase();
  let at = -1;
  let score = 0;
  for (const letter of query) {
    const next = lower.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    const isStart = next === 0 || /[\s/\\_.-]/.test(lower[next - 1] ?? "") || isCapital(path, next);
    score += next === at + 1 ? 10 : isStart ? 8 : 1;
    at = next;
  }
  return Math.min(700, (score * 70) / query.length);
}

function isCapital(path: string, at: number): boolean {
  const letter = path[at] ?? "";
  const before = path[at - 1] ?? "";
  return letter !== letter.toLowerCase() && before === before.toLowerCase();
}
