// Texts folded for comparison, with a mapping back to offsets in the original.
//
//   plain    typographic quotes and dashes, special spaces and decomposed letters are as anyone types them
//   typed    case does not count; accents do. Composed and decomposed letters are equal.
//   loose    accents, width, ligatures and the shape of quotes and dashes do not count either: "sua" is "sửa",
//            "d" is "đ", "ss" is "ß".

export type Folding = "plain" | "typed" | "loose";

/** Accents of Latin, Greek and Cyrillic, Hebrew points and Arabic vowels; in other scripts marks make the letter. */
const accents =
  /[[\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Inherited}]&&[\p{Mn}--[\u3099\u309a]]]|[\u00ad\u200b\u2060\ufeff]/gv;
const beyondAscii = /[\x80-\uffff]+/g;
/** What is typed for a typographic letter. */
const plain = new Map([
  ...pairs("‘’‚‛", "'"),
  ...pairs("“”„‟", '"'),
  ...pairs("‐‑‒–—―−", "-"),
  ...pairs("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000", " "),
]);
const alike = new Map([
  ...plain,
  ...pairs("đðłøħŧı", ["d", "d", "l", "o", "h", "t", "i"]),
  ...pairs("ßæœþ", ["ss", "ae", "oe", "th"]),
  ...pairs("′´", "'"),
  ...pairs("″«»", '"'),
]);
const typographic = new RegExp(`[${[...plain.keys()].join("")}]`, "g");
const unlike = new RegExp(`[${[...alike.keys()].join("")}]`, "g");

function pairs(letters: string, others: string | readonly string[]): [string, string][] {
  return [...letters].map((letter, index) => [
    letter,
    typeof others === "string" ? others : (others[index] ?? letter),
  ]);
}

export function fold(content: string, folding: Folding): string {
  if (folding === "plain") return foldPlain(content);
  return folding === "typed" ? foldTyped(content) : foldLoose(content);
}

/** A typographic letter as it is typed; any other as it is. */
export function plainLetter(letter: string): string {
  return plain.get(letter) ?? letter;
}

function foldPlain(content: string): string {
  if (content.search(beyondAscii) < 0) return content;
  return content.normalize("NFC").replace(typographic, plainLetter);
}

function foldTyped(content: string): string {
  const lower = content.normalize("NFC").toLowerCase();
  // A sigma's lower case depends on its position in the word.
  return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

function foldLoose(content: string): string {
  return content.replace(beyondAscii, foldRun).toLowerCase();
}

/** The same few runs of letters make up most of a text. */
const runs = new Map<string, string>();
const mostRuns = 4096;

function foldRun(run: string): string {
  const known = runs.get(run);
  if (known !== undefined) return known;
  const bare = run.normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase();
  const folded = bare
    .replace(accents, "")
    .replaceAll("ς", "σ")
    .replace(unlike, (letter) => alike.get(letter) ?? letter);
  if (run.length <= 8) {
    if (runs.size >= mostRuns) runs.clear();
    runs.set(run, folded);
  }
  return folded;
}

/** A folded text. `start` and `end` map offsets in it to offsets in the original. */
export interface Folded {
  readonly text: string;
  /** Where the letter at an offset of the folded text begins. */
  start(offset: number): number;
  /** Where the letter before an offset of the folded text ends. */
  end(offset: number): number;
}

export function foldWithPlaces(content: string, folding: Folding): Folded {
  const text = fold(content, folding);
  const isSame =
    text.length === content.length &&
    (folding === "loose" ? content.search(beyondAscii) < 0 : content.normalize("NFC") === content);
  if (isSame) return { text, start: (offset) => offset, end: (offset) => offset };
  const lineAt = lineFinder(content, text, folding);
  return {
    text,
    start(offset) {
      const { at, foldedAt, from, length } = lineAt(offset);
      return at + (from[offset - foldedAt] ?? length);
    },
    end(offset) {
      if (offset === 0) return 0;
      const { at, foldedAt, to, length } = lineAt(offset - 1);
      return at + (to[offset - 1 - foldedAt] ?? length);
    },
  };
}

/** A line of the text, its break included, and for each offset in it folded, where that letter begins and ends. */
interface FoldedLine {
  readonly at: number;
  readonly foldedAt: number;
  readonly length: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Folding preserves line breaks, so only the requested lines need be mapped letter by letter. */
function lineFinder(content: string, folded: string, folding: Folding): (offset: number) => FoldedLine {
  let at = 0;
  let foldedAt = 0;
  let line: FoldedLine | undefined;
  return (offset) => {
    if (offset < foldedAt) {
      at = 0;
      foldedAt = 0;
      line = undefined;
    }
    for (;;) {
      const end = folded.indexOf("\n", foldedAt);
      if (end < 0 || end >= offset) break;
      foldedAt = end + 1;
      at = content.indexOf("\n", at) + 1;
      line = undefined;
    }
    if (line === undefined) {
      const end = content.indexOf("\n", at);
      const letters = content.slice(at, end < 0 ? content.length : end + 1);
      line = { at, foldedAt, length: letters.length, ...placesOf(letters, folding) };
    }
    return line;
  };
}

/** A letter with its marks; Hangul that is spelled out composes across letters. */
const letter = /[\u1100-\u11ff]+|[\s\S]\p{M}*/gu;

function placesOf(content: string, folding: Folding): { from: number[]; to: number[] } {
  const from: number[] = [];
  const to: number[] = [];
  for (const { 0: found, index } of content.matchAll(letter)) {
    const length = found.length === 1 && found < "\x80" ? 1 : fold(found, folding).length;
    for (let offset = 0; offset < length; offset += 1) {
      from.push(index);
      to.push(index + found.length);
    }
  }
  return { from, to };
}
