// What remains to be looked at after a rename, found by code in the text before and after it.

import { type Issue, inLineOrder, places, shownLines } from "./issue.ts";
import { findNames, type NameForm, type NamePlace } from "./names.ts";
import { insertedRanges, lineCounter } from "./replacements.ts";

export interface RenamedText {
  readonly before: string;
  readonly after: string;
  readonly forms: readonly NameForm[];
  /** In order, and all replacements that were made. */
  readonly replacements: readonly { readonly from: number; readonly to: number; readonly insert: string }[];
  readonly names: readonly NamePlace[];
}

export function checkRename(renamed: RenamedText): Issue[] {
  const issues = [...remaining(renamed), ...collisions(renamed), ...grammar(renamed)];
  return inLineOrder(issues);
}

/** A short name begins many words; of how they are written, the most frequent are told. */
const maxWritings = 20;

/** Old names that still stand there, by how they are written. */
function remaining({ after, forms, replacements }: RenamedText): Issue[] {
  const { places: whole, left } = findNames(after, forms);
  const inserted = insideOf(insertedRanges(replacements));
  const found = [...whole, ...left]
    .toSorted((one, other) => one.from - other.from)
    .filter(({ from, to }) => !inserted(from, to));
  const lineOf = lineCounter(after);
  const byWriting = new Map<string, number[]>();
  for (const { from, to } of found) {
    const writing = after.slice(from, to).replace(/\s+/g, " ");
    const lines = byWriting.get(writing) ?? [];
    lines.push(lineOf(from));
    byWriting.set(writing, lines);
  }
  const most = [...byWriting].toSorted((one, other) => other[1].length - one[1].length).slice(0, maxWritings);
  return most.map(([writing, lines]) => ({
    line: lines[0] ?? 0,
    kind: "name_remains",
    message: `“${writing}” was left as it is in ${places(lines.length)} (${shownLines(lines)}): it may not mean the character.`,
  }));
}

/** A new name that someone in the text had already. */
function collisions({ before, after, forms, replacements }: RenamedText): Issue[] {
  const inserted = insideOf(insertedRanges(replacements));
  const names = [...new Set(forms.map(({ replacement }) => replacement))];
  return names.flatMap((name): Issue[] => {
    const count = findNames(before, [{ form: name, replacement: name }]).places.length;
    if (count === 0) return [];
    const lineOf = lineCounter(after);
    const own = findNames(after, [{ form: name, replacement: name }]).places.filter(
      ({ from, to }) => !inserted(from, to),
    );
    const lines = own.map(({ from }) => lineOf(from));
    if (lines.length === 0) return [];
    const message = `“${name}” stood in the text before, in ${places(lines.length)} (${shownLines(lines)}): it may mean someone else.`;
    return [{ line: lines[0] ?? 0, kind: "name_collision", message }];
  });
}

/** "an Ahab" that is now "an James", and "James’ hat" that is now "John’ hat". */
function grammar({ before, after, names, replacements }: RenamedText): Issue[] {
  const issues: Issue[] = [];
  const lineOf = lineCounter(after);
  const byFrom = new Map(names.map((name) => [name.from, name]));
  const ranges = insertedRanges(replacements);
  for (const [index, { from, to, insert }] of replacements.entries()) {
    const range = ranges[index];
    if (range === undefined || !byFrom.has(from)) continue;
    const line = lineOf(range.from);
    const article = /(?<![\p{L}\p{N}])an?\s+$/iu.exec(
      after.slice(Math.max(0, range.from - 8), range.from),
    )?.[0];
    const old = before.slice(from, to);
    if (article !== undefined && startsWithVowel(old) !== startsWithVowel(insert)) {
      const message = `“${article.trim()} ${insert}”: the article fitted “${old}”.`;
      issues.push({ line, kind: "article", message });
    }
    const isBarePossessive = /^['’](?!\p{L})/u.test(before.slice(to, to + 2)) && /s$/i.test(old);
    if (isBarePossessive && !/s$/i.test(insert)) {
      const message = `“${insert}${before.charAt(to)}”: if this is a possessive, it needs an s.`;
      issues.push({ line, kind: "possessive", message });
    }
  }
  return issues;
}

function startsWithVowel(word: string): boolean {
  return /^[aeiou]/i.test(word.normalize("NFD"));
}

/** Tells for ranges, in rising order, whether they overlap one of the given ranges. */
function insideOf(
  ranges: readonly { readonly from: number; readonly to: number }[],
): (from: number, to: number) => boolean {
  let at = 0;
  return (from, to) => {
    for (let range = ranges[at]; range !== undefined && range.to <= from; range = ranges[at]) at += 1;
    const range = ranges[at];
    return range !== undefined && range.from < to;
  };
}
