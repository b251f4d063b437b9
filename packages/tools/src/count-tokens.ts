// How many tokens a text is, by a real tokenizer (o200k_base). Other models count a little differently, so this is a
// measure for budgets, not for bills.
//
// The tokenizer's time grows with the square of a run without a gap, so runs are cut before they are counted: a text of one
// endless word takes as long as any other text, and counts at most one token more for each cut.

/** Counts the tokens of a text. With a limit it stops soon after reaching it: then the result is only known to be over. */
export type TokenCounter = (text: string, limit?: number) => number;

/** Longer runs of letters or of spaces are cut. */
const maxRun = 100;
const longRun = new RegExp(`\\S{${maxRun}}|\\s{${maxRun}}`, "gu");
/** How much is counted before looking whether the limit is reached. */
const stretch = 4096;

let loading: Promise<TokenCounter> | undefined;

/** The tokenizer's tables are large, so they are loaded when something is first counted. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= load();
  return loading;
}

async function load(): Promise<TokenCounter> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // What looks like a token of the model's own format is text like any other here.
  const asText = { disallowedSpecial: new Set<string>() };
  const countRuns = (text: string): number => {
    let count = 0;
    let from = 0;
    for (const run of text.matchAll(longRun)) {
      const to = run.index + run[0].length;
      count += countTokens(text.slice(from, to), asText);
      from = to;
    }
    return from === text.length ? count : count + countTokens(text.slice(from), asText);
  };
  return (text, limit = Number.POSITIVE_INFINITY) => {
    let count = 0;
    for (let from = 0; from < text.length && count <= limit; ) {
      const to = stretchEnd(text, from);
      count += countRuns(text.slice(from, to));
      from = to;
    }
    return count;
  };
}

/** Before a space or a line break where there is one, and never inside a character. */
function stretchEnd(text: string, from: number): number {
  const most = from + stretch;
  if (most >= text.length) return text.length;
  for (let end = most; end > most - maxRun; end -= 1) {
    const unit = text.charCodeAt(end);
    if (unit === 32 && text.charCodeAt(end - 1) !== 32) return end;
    if (text.charCodeAt(end - 1) === 10 && unit !== 10) return end;
  }
  const unit = text.charCodeAt(most);
  return unit >= 0xdc00 && unit < 0xe000 ? most - 1 : most;
}
