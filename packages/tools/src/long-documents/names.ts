// Names in running text: where they stand, in which form, and what stands there when they are changed.
//
//   found      "Ahab", "Ahab's", "Ahab’s", "Ahab-like", "_Ahab_", the plural "Ahabs", "AHAB" (capitals are kept), and names of
//              several words also across a line break, which stays: "Captain\nAhab"
//   left       inside another word that begins with it ("Ahabism"), and in any other case ("ahab"): these may mean something
//              else, so they are told and not changed. A lower-case form is changed where it is itself asked for
//   never      inside a word that does not begin with it
//
// Letters, marks and digits make a word. Scripts without spaces have no such boundaries, so there a name is found anywhere.

import type { Replacement } from "./replacements.ts";

/** A way in which a name is written, and what it becomes. */
export interface NameForm {
  readonly form: string;
  readonly replacement: string;
}

export interface NamePlace extends Replacement {
  readonly form: NameForm;
}

/** An occurrence that was left as it is. */
export interface LeftName {
  readonly from: number;
  readonly to: number;
  readonly found: string;
}

const wordCharacter = String.raw`[\p{L}\p{M}\p{N}]`;
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const startsUnspaced = new RegExp(`^${unspaced}`, "u");
const endsUnspaced = new RegExp(`${unspaced}$`, "u");
/** Between two words of a name: spaces, or one line break with the marks of a quotation behind it. */
const gap = String.raw`(?:[^\S\n]*\n[^\S\n]*(?:>[^\S\n]*)*|[^\S\n]+)`;

export function wordsOf(name: string): string[] {
  return name.trim().split(/\s+/);
}

/**
 * Where any of the names stands as a whole, exactly as written unless the case is to be ignored. Of names that begin at one
 * place the longest counts.
 */
export function namePattern(names: readonly string[], { ignoresCase = false } = {}): RegExp {
  const spellings = names.flatMap((name) => [name.normalize("NFC"), name.normalize("NFD")]);
  const longestFirst = [...new Set(spellings)].toSorted((one, other) => other.length - one.length);
  const alternatives = longestFirst.map((name) => {
    const before = startsUnspaced.test(name) ? "" : `(?<!${wordCharacter})`;
    const after = endsUnspaced.test(name) ? "" : `(?!${wordCharacter})`;
    return `${before}${wordsOf(name).map(literally).join(gap)}${after}`;
  });
  return new RegExp(alternatives.join("|"), ignoresCase ? "giu" : "gu");
}

function literally(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/['’ʼ]/g, "['’ʼ]");
}

export function findNames(
  text: string,
  forms: readonly NameForm[],
): { places: NamePlace[]; left: LeftName[] } {
  const spellings = spellingsOf(forms);
  const places: NamePlace[] = [];
  for (const match of text.matchAll(namePattern([...spellings.keys()]))) {
    const spelling = spellings.get(shapeOf(match[0]));
    if (spelling === undefined) continue;
    const found = { from: match.index, to: match.index + match[0].length, found: match[0] };
    places.push({ ...withGaps(text, found, spelling.becomes), form: spelling.form });
  }
  return { places, left: leftBeside(text, forms, places) };
}

/** How each form may be written where it means the name, and what that becomes. */
function spellingsOf(forms: readonly NameForm[]): Map<string, { form: NameForm; becomes: string }> {
  const spellings = new Map<string, { form: NameForm; becomes: string }>();
  const add = (form: NameForm, written: string, becomes: string) => {
    const shape = shapeOf(written);
    if (!spellings.has(shape)) spellings.set(shape, { form, becomes });
  };
  for (const form of forms) add(form, form.form, form.replacement);
  for (const form of forms) {
    const [upper, upperBecomes] = [form.form.toUpperCase(), form.replacement.toUpperCase()];
    if (upper !== form.form) add(form, upper, upperBecomes);
    if (endsUnspaced.test(form.form)) continue;
    const [plural, pluralBecomes] = [pluralSuffix(form.form), pluralSuffix(form.replacement)];
    add(form, form.form + plural, form.replacement + pluralBecomes);
    if (upper === form.form) continue;
    add(form, upper + plural.toUpperCase(), upperBecomes + pluralBecomes.toUpperCase());
    add(form, upper + plural, upperBecomes + pluralBecomes);
  }
  return spellings;
}

/** What may be the name and is not changed: in another case, or the beginning of a longer word. */
function leftBeside(text: string, forms: readonly NameForm[], places: readonly NamePlace[]): LeftName[] {
  const patterns = [
    namePattern(
      forms.map(({ form }) => form),
      { ignoresCase: true },
    ),
  ];
  for (const { form } of forms) {
    if (wordsOf(form).length > 1 || form.length < 3 || endsUnspaced.test(form)) continue;
    const starts = [form, form.toUpperCase()].map(literally).join("|");
    patterns.push(new RegExp(`(?<!${wordCharacter})(?:${starts})${wordCharacter}+`, "gu"));
  }
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
  found.sort((one, other) => one.index - other.index);
  const left: LeftName[] = [];
  let at = 0;
  for (const { 0: word, index: from } of found) {
    const to = from + word.length;
    for (let place = places[at]; place !== undefined && place.to <= from; place = places[at]) at += 1;
    const place = places[at];
    const isChanged = place !== undefined && place.from < to;
    if (!isChanged && (left.at(-1)?.to ?? -1) <= from) left.push({ from, to, found: word });
  }
  return left;
}

/** A name without regard to how its words are set apart and which apostrophe it has. */
function shapeOf(name: string): string {
  return name.normalize("NFC").replace(/['’ʼ]/g, "'").replace(new RegExp(gap, "gu"), " ");
}

function pluralSuffix(name: string): string {
  return /(?:s|x|z|ch|sh)$/i.test(name) ? "es" : "s";
}

/** The new name with the spaces of the old one between its words, so that a line break stays. */
function withGaps(text: string, { from, to, found }: LeftName, becomes: string): Replacement {
  const gaps = found.match(new RegExp(gap, "gu")) ?? [];
  const words = wordsOf(becomes);
  const lineBreak = gaps.find((space) => space.includes("\n"));
  if (lineBreak !== undefined && words.length === 1) return besideBreak(text, from, to, becomes, lineBreak);
  const between = words.slice(1).map((_, index) => gaps[index] ?? " ");
  const isLost = lineBreak !== undefined && !between.includes(lineBreak);
  if (isLost) between[between.length - 1] = lineBreak;
  const insert = words.map((word, index) => (index === 0 ? word : `${between[index - 1]}${word}`)).join("");
  return { from, to, insert };
}

/** One word instead of several on two lines: it goes to one of them, and no space is left over at the break. */
function besideBreak(text: string, from: number, to: number, word: string, lineBreak: string): Replacement {
  const lineFrom = text.lastIndexOf("\n", from - 1) + 1;
  const before = text.slice(lineFrom, from);
  if (before.trim() !== "") {
    return { from: from - (before.length - before.trimEnd().length), to, insert: `${lineBreak}${word}` };
  }
  const space = /^[^\S\n]+(?=\S)/.exec(text.slice(to, to + 100))?.[0] ?? "";
  return { from, to: to + space.length, insert: space === "" ? word : `${word}${lineBreak}` };
}

/** How often each name stands in the text as it is written, or in capitals, and where first. */
export function countNames(
  text: string,
  names: readonly string[],
): Map<string, { count: number; first: number }> {
  const counts = new Map<string, { count: number; first: number }>();
  if (names.length === 0) return counts;
  const byShape = new Map<string, string>();
  for (const name of names) {
    for (const shape of [shapeOf(name).toUpperCase(), shapeOf(name)])
      byShape.set(shape, byShape.get(shape) ?? name);
  }
  for (const match of text.matchAll(namePattern([...byShape.keys()]))) {
    const name = byShape.get(shapeOf(match[0]));
    if (name === undefined) continue;
    const known = counts.get(name);
    if (known === undefined) counts.set(name, { count: 1, first: match.index });
    else known.count += 1;
  }
  return counts;
}
