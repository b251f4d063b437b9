// What remains to be looked at after a rename, found by code in the text before and after it.

import type { ChangeSet, Text } from "@codemirror/state";
import { type Issue, inLineOrder, linesByWriting, places } from "./issue.ts";
import { findNames, type NameForm, type NamePlace } from "./names.ts";
import { lineOf } from "./replacements.ts";

export interface RenamedText {
  readonly before: Text;
  /** All replacements that were made. */
  readonly change: ChangeSet;
  readonly forms: readonly NameForm[];
  readonly names: readonly NamePlace[];
}

export function checkRename(renamed: RenamedText): Issue[] {
  const after = renamed.change.apply(renamed.before);
  return inLineOrder([
    ...remaining(renamed, after),
    ...collisions(renamed, after),
    ...grammar(renamed, after),
  ]);
}

/** A short name begins many words; of how they are written, the most frequent are told. */
const maxWritings = 20;

/** Old names that still stand there, by how they are written. */
function remaining({ change, forms }: RenamedText, after: Text): Issue[] {
  const { places: whole, left } = findNames(after.toString(), forms);
  const found = [...whole, ...left].toSorted((one, other) => one.from - other.from);
  const byWriting = linesByWriting(after, outside(change, found));
  const most = [...byWriting].toSorted((one, other) => other[1].length - one[1].length).slice(0, maxWritings);
  return most.map(([writing, lines]) => ({
    line: lines[0] ?? 0,
    kind: "name_remains",
    message: `“${writing}” was left as it is in ${places(lines)}: it may not mean the character.`,
  }));
}

/** A new name that someone in the text had already. */
function collisions({ before, change, forms }: RenamedText, after: Text): Issue[] {
  const names = [...new Set(forms.map(({ replacement }) => replacement))];
  return names.flatMap((name): Issue[] => {
    const placesIn = (text: Text) => findNames(text.toString(), [{ form: name, replacement: name }]).places;
    if (placesIn(before).length === 0) return [];
    const lines = outside(change, placesIn(after)).map(({ from }) => lineOf(after, from));
    if (lines.length === 0) return [];
    const message = `“${name}” stood in the text before, in ${places(lines)}: it may mean someone else.`;
    return [{ line: lines[0] ?? 0, kind: "name_collision", message }];
  });
}

/** "an Ahab" that is now "an James", and "James’ hat" that is now "John’ hat". */
function grammar({ before, change, names }: RenamedText, after: Text): Issue[] {
  const issues: Issue[] = [];
  for (const { from, to, insert } of names) {
    const start = change.mapPos(from, -1);
    const line = lineOf(after, start);
    const article = /(?<![\p{L}\p{N}])an?\s+$/iu.exec(after.sliceString(Math.max(0, start - 8), start))?.[0];
    const old = before.sliceString(from, to);
    if (article !== undefined && startsWithVowel(old) !== startsWithVowel(insert)) {
      const message = `“${article.trim()} ${insert}”: the article fitted “${old}”.`;
      issues.push({ line, kind: "article", message });
    }
    const next = before.sliceString(to, to + 2);
    const isBarePossessive = /^['’](?!\p{L})/u.test(next) && /s$/i.test(old);
    if (isBarePossessive && !/s$/i.test(insert)) {
      const message = `“${insert}${next.charAt(0)}”: if this is a possessive, it needs an s.`;
      issues.push({ line, kind: "possessive", message });
    }
  }
  return issues;
}

function startsWithVowel(word: string): boolean {
  return /^[aeiou]/i.test(word.normalize("NFD"));
}

/** Those of some places of the new text, in order, that the change has not put there. */
function outside<Place extends { readonly from: number; readonly to: number }>(
  change: ChangeSet,
  places: readonly Place[],
): Place[] {
  const ranges: { from: number; to: number }[] = [];
  change.iterChangedRanges((_fromA, _toA, from, to) => ranges.push({ from, to }), true);
  let at = 0;
  return places.filter((place) => {
    while ((ranges[at]?.to ?? Number.POSITIVE_INFINITY) <= place.from) at += 1;
    return (ranges[at]?.from ?? Number.POSITIVE_INFINITY) >= place.to;
  });
}
