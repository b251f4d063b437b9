// Lines that say what they are: "CHAPTER I. Down the Rabbit-Hole", "Act II, Scene 3", "第一章", "Epilogue",
// "--- Section ---". Whether such a line really begins a section, its surroundings decide (see chapters.ts).

import { isOrdinal, numeralAt } from "./numbers.ts";
import { isAllCaps, isTitleCase, undecorated } from "./titles.ts";

/** From the outermost division of a work to the innermost. */
export const ranks = { volume: 1, book: 2, part: 3, act: 4, chapter: 5, scene: 6, section: 7 } as const;
type Kind = keyof typeof ranks;

export interface Marker {
  readonly kind: Kind | "named" | "delimited";
  /** What two lines have in common that announce the same section. */
  readonly key: string;
  /** The line without decoration. */
  readonly title: string;
  /** Whether the line has nothing behind its number, so that the title may stand on the next line. */
  readonly isBare: boolean;
  /** Whether something divides the number from a title behind it. */
  readonly isDivided: boolean;
}

const keywords = new Map<string, Kind>();
for (const [kind, names] of Object.entries({
  volume: "volume vol tome band tomo quyển tập",
  book: "book livre buch libro книга",
  part: "part partie teil parte phần часть deel",
  act: "act acte akt aufzug acto atto hồi",
  chapter:
    "chapter chap ch chapitre kapitel capítulo capitulo capitolo chương hoofdstuk глава rozdział canto letter lettre brief carta stave episode",
  scene: "scene scène szene auftritt escena scena cảnh",
  section: "section abschnitt sección sezione mục",
} satisfies Record<Kind, string>)) {
  for (const name of names.split(" ")) keywords.set(name, kind as Kind);
}

/** Names of sections, by the word with which they begin. */
const names = new Map<string, string[]>();
for (const name of [
  ..."prologue prolog prólogo prologo プロローグ 序章 楔子 epilogue epilog épilogue epílogo epilogo エピローグ 終章 终章 尾声".split(
    " ",
  ),
  ..."preface foreword préface vorwort prefacio prefazione introduction introducción einleitung einführung".split(
    " ",
  ),
  ..."introduzione afterword postface postscript nachwort あとがき 后记 後記 conclusion conclusión schluss".split(
    " ",
  ),
  ..."etymology extracts dedication widmung interlude intermission intermezzo appendix annexe anhang glossary".split(
    " ",
  ),
  ..."bibliography acknowledgments acknowledgements remerciements danksagung induction".split(" "),
  ...["lời nói đầu", "lời mở đầu", "lời kết", "about the author", "author's note", "dramatis personae"],
]) {
  const first = /^\p{L}+/u.exec(name)?.[0] ?? name;
  names.set(first, [...(names.get(first) ?? []), name]);
}

const contentsForm =
  /^(?:table of )?contents\W*$|^inhalt(?:sverzeichnis)?\W*$|^table des matières\W*$|^(?:índice|indice|mục lục|目次|目录|目錄)\W*$/i;

export function isContentsHeading(line: string): boolean {
  return contentsForm.test(undecorated(line));
}

const eastAsian =
  /^第\s?([0-9０-９]{1,4}|[一二三四五六七八九十百千零〇两兩]{1,8})\s?([卷部篇幕章回話话集場场节節])(.{0,60})$/u;
const eastAsianKinds: Readonly<Record<string, Kind>> = {
  卷: "volume",
  部: "part",
  篇: "part",
  幕: "act",
  場: "scene",
  场: "scene",
  节: "section",
  節: "section",
};

/** A page number behind dots or a wide gap: a line of a table of contents. */
const pageNumber = /(?:\.\s?){3,}\s*(?:\d+|[ivxlc]+)$|(?:\s{3,}|\t)(?:\d+|[ivxlc]+)$/i;

/** Letters with their accents in one character, as the words above are written. */
function composed(source: string): string {
  return /[\u0300-\u036f]/.test(source) ? source.normalize() : source;
}

/** The word with which a line begins, in small letters, behind any decoration; "" where the line has none. */
export function firstWord(line: string): string {
  let from = 0;
  const most = Math.min(line.length, 40);
  while (from < most && !isWordCode(line.charCodeAt(from))) from += 1;
  let to = from;
  while (to < most && isWordCode(line.charCodeAt(to))) to += 1;
  return composed(line.slice(from, to).toLowerCase());
}

function isWordCode(code: number): boolean {
  const isLetterOrDigit =
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  // All that is not ASCII counts, except the punctuation and spaces that text is decorated with.
  return isLetterOrDigit || (code > 191 && code !== 0xfeff && (code < 0x2000 || code > 0x303f));
}

/** Whether a line inside a paragraph is worth asking `markerOf`: cheap, because every line of a document is asked. */
export function mayBeMarkerInside(word: string): boolean {
  return keywords.has(word) || word.startsWith("第");
}

/** The same for the first line of a paragraph. */
export function mayBeMarker(word: string): boolean {
  return isOrdinal(word) || word === "the" || /^\d/.test(word);
}

/** What a chapter line says. `line` is short and trimmed. */
export function markerOf(line: string): Marker | undefined {
  if (pageNumber.test(line)) return undefined;
  const title = composed(undecorated(line));
  if (title === "" || title.length > 160) return undefined;
  return eastAsianMarker(title) ?? keywordMarker(title) ?? ordinalMarker(title);
}

function eastAsianMarker(title: string): Marker | undefined {
  const match = eastAsian.exec(title);
  if (match === null) return undefined;
  const [, number = "", unit = "", rest = ""] = match;
  if (/[。，、；,;]$/u.test(rest) || /^[的里裡中是]/u.test(rest)) return undefined;
  const kind = eastAsianKinds[unit] ?? "chapter";
  return { kind, key: `${kind}:${number}`, title, isBare: rest.trim() === "", isDivided: true };
}

function keywordMarker(title: string): Marker | undefined {
  const word = /^\p{L}+/u.exec(title)?.[0] ?? "";
  const kind = keywords.get(word.toLowerCase());
  if (kind === undefined) return undefined;
  const from =
    word.length + (/^\.?\s*(?:#|№|no\.\s|the\s)?\s*/i.exec(title.slice(word.length))?.[0].length ?? 0);
  if (from === word.length) return undefined;
  const numeral = numeralAt(title.slice(from));
  if (numeral === undefined) return undefined;
  const rest = title.slice(from + numeral.length);
  const inner = /^[.,:;\s—–-]+(?=\p{L})/u.exec(rest)?.[0];
  if (inner !== undefined) {
    // "Act II, Scene 3" is the scene.
    const within = keywordMarker(rest.slice(inner.length));
    if (within !== undefined && within.kind !== "named" && ranks[kind] < rankOf(within)) {
      return { ...within, key: `${kind}:${numeral.value}/${within.key}`, title };
    }
  }
  return withRest(kind, numeral.value, title, word, rest);
}

/** "First Part", "The Second Book", "1. Kapitel". */
function ordinalMarker(title: string): Marker | undefined {
  const match = /^(?:the\s+)?(?:(\d{1,3})(?:\.|st|nd|rd|th|er|ère|ème|e)\s*|(\p{L}+)\s+)(\p{L}+)/iu.exec(
    title,
  );
  if (match === null) return undefined;
  const [whole, figure, ordinal = "", word = ""] = match;
  const kind = keywords.get(word.toLowerCase());
  if (kind === undefined || (figure === undefined && !isOrdinal(ordinal.toLowerCase()))) return undefined;
  const value = figure === undefined ? numeralAt(ordinal)?.value : Number(figure);
  const rest = title.slice(whole.length);
  // "The first scene" is where a sentence begins.
  if (/^the\s/i.test(title) && word === word.toLowerCase()) return undefined;
  return rest === "" || /^[.:—–-]/.test(rest) ? withRest(kind, value, title, word, rest) : undefined;
}

function withRest(
  kind: Kind,
  value: number | undefined,
  title: string,
  word: string,
  rest: string,
): Marker | undefined {
  const behind = rest.replace(/^[\s.:,)\]—–-]+/, "");
  const key = `${kind}:${value ?? "last"}`;
  if (behind === "") {
    // "in Chapter 3," and "see Part 2;" go on with the sentence.
    return /[,;]$/.test(rest) ? undefined : { kind, key, title, isBare: true, isDivided: true };
  }
  const divider = rest.slice(0, rest.length - behind.length);
  const isDivided = /[.:)\]—–]|\s-\s|^-/.test(divider);
  const letter = /\p{L}/u.exec(behind.slice(0, 3))?.[0];
  const isSmall = letter !== undefined && letter !== letter.toUpperCase();
  const isWordSmall = word === word.toLowerCase();
  // A title begins with a capital; without a divider it also has to look like a title, not like a sentence.
  if (isWordSmall && word !== word.toUpperCase()) return undefined;
  if (isSmall && !/[:—–]/.test(divider)) return undefined;
  if (!isDivided) {
    const isSentence = /[.,;!?]$/.test(behind) && !isAllCaps(behind);
    if (isSentence || !(isTitleCase(behind) || isAllCaps(behind))) return undefined;
  }
  return { kind, key, title, isBare: false, isDivided };
}

export function rankOf(marker: Marker): number {
  if (marker.kind === "named") return 0;
  return marker.kind === "delimited" ? ranks.section : ranks[marker.kind];
}

/** A heading without a number that stands at the start or the end of a book. `line` is alone between blank lines. */
export function namedMarkerOf(line: string, word = firstWord(line)): Marker | undefined {
  const choices = names.get(word);
  if (choices === undefined || line.length > 160 || pageNumber.test(line)) return undefined;
  const title = undecorated(line);
  const small = title.toLowerCase().replaceAll("’", "'");
  const name = choices.find((each) => small.startsWith(each));
  if (name === undefined || title.length > 80) return undefined;
  const rest = title.slice(name.length);
  const isAlone = /^[\s.:]*$/.test(rest);
  const isTitled = /^(?:[.:—–]|\s[-—–]|\s+(?:[A-Z(]$|[A-Z]\b|\(|to\s|by\s|[IVXLC\d]+\b))/u.test(rest);
  if (!isAlone && !(isTitled && !/[,;!?]$/.test(rest))) return undefined;
  if (title.charAt(0) !== title.charAt(0).toUpperCase()) return undefined;
  const suffix = /^\s+([A-Z]|[IVXLC]+|\d+)\b/.exec(rest)?.[1] ?? "";
  return { kind: "named", key: `named:${name}${suffix}`, title, isBare: isAlone, isDivided: true };
}

const delimitedForm = /^([-=*~_#])\1{1,40}\s{0,10}([^\s\-=*~_#].{0,78}?)\s{0,10}([-=*~_#])\3{1,40}$/;

/** "--- Section ---": the same marks on both sides of a short text. */
export function delimitedMarkerOf(line: string): Marker | undefined {
  if (line.length > 160) return undefined;
  const match = delimitedForm.exec(line);
  const title = match?.[2]?.trim();
  if (match?.[1] !== match?.[3] || title === undefined || !/\p{L}/u.test(title)) return undefined;
  return {
    kind: "delimited",
    key: `delimited:${title.toLowerCase()}`,
    title,
    isBare: false,
    isDivided: true,
  };
}
