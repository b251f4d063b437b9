// The usual chain of fallbacks when an old text does not stand there exactly, from strict to loose.

export interface FuzzyMatch {
  readonly at: number;
  readonly count: number;
}

type Matcher = (lines: readonly string[], old: readonly string[]) => FuzzyMatch[];

function byLines(same: (one: string, other: string) => boolean): Matcher {
  return (lines, old) => {
    const found: FuzzyMatch[] = [];
    for (let at = 0; at + old.length <= lines.length; at += 1) {
      if (old.every((line, offset) => same(lines[at + offset] ?? "", line)))
        found.push({ at, count: old.length });
    }
    return found;
  };
}

const exact = byLines((one, other) => one === other);
const lineTrimmed = byLines((one, other) => one.trim() === other.trim());
const whitespaceNormalised = byLines((one, other) => collapsed(one) === collapsed(other));
const escapeNormalised = byLines((one, other) => unescaped(one) === unescaped(other));

function collapsed(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function unescaped(line: string): string {
  return line.replace(/\\(["'`\\$])/g, "$1");
}

/** First and last line fit, and the middle is alike: one candidate is taken at any likeness, several need 0.3. */
const blockAnchor: Matcher = (lines, old) => {
  const first = old[0]?.trim();
  const last = old.at(-1)?.trim();
  if (old.length < 3 || first === undefined || last === undefined) return [];
  const candidates: FuzzyMatch[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() !== first) continue;
    const end = lines.findIndex((other, index) => index > at + 1 && other.trim() === last);
    if (end > 0) candidates.push({ at, count: end - at + 1 });
  }
  if (candidates.length <= 1) return candidates;
  const scored = candidates.map((match) => ({ match, score: likeness(lines, match, old) }));
  scored.sort((one, other) => other.score - one.score);
  const best = scored[0];
  return best !== undefined && best.score >= 0.3 ? [best.match] : [];
};

function likeness(lines: readonly string[], { at, count }: FuzzyMatch, old: readonly string[]): number {
  const inner = Math.min(old.length - 2, count - 2);
  if (inner <= 0) return 1;
  let sum = 0;
  for (let offset = 1; offset <= inner; offset += 1) {
    const one = (lines[at + offset] ?? "").trim();
    const other = (old[offset] ?? "").trim();
    const longest = Math.max(one.length, other.length);
    sum += longest === 0 ? 1 : 1 - distance(one.slice(0, 200), other.slice(0, 200)) / Math.min(longest, 200);
  }
  return sum / inner;
}

/** Levenshtein. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const cost = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((next[to - 1] ?? 0) + 1, (row[to] ?? 0) + 1, (row[to - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const indentationFlexible: Matcher = (lines, old) => {
  const wanted = withoutIndent(old).join("\n");
  const found: FuzzyMatch[] = [];
  for (let at = 0; at + old.length <= lines.length; at += 1) {
    if (withoutIndent(lines.slice(at, at + old.length)).join("\n") === wanted)
      found.push({ at, count: old.length });
  }
  return found;
};

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(Math.min(least, line.length)));
}

/** First and last line fit, and at least half of the lines between. */
const contextAware: Matcher = (lines, old) => {
  const first = old[0]?.trim();
  const last = old.at(-1)?.trim();
  if (old.length < 3) return [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() !== first || lines[at + old.length - 1]?.trim() !== last) continue;
    const inner = old.slice(1, -1);
    const same = inner.filter((text, offset) => text.trim() === lines[at + 1 + offset]?.trim()).length;
    if (same / Math.max(1, inner.length) >= 0.5) return [{ at, count: old.length }];
  }
  return [];
};

export const fuzzyMatchers: readonly Matcher[] = [
  exact,
  lineTrimmed,
  blockAnchor,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  contextAware,
];
