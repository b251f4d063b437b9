// Text in which typographic quotes and dashes, special spaces and decomposed letters are as anyone types them, with the way
// back. What is folded is only ever compared, never written.

const alike = new Map([
  ...pairs("‘’‚‛", "'"),
  ...pairs("“”„‟", '"'),
  ...pairs("‐‑‒–—―−", "-"),
  ...pairs("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000", " "),
]);
const unlike = new RegExp(`[${[...alike.keys()].join("")}]`, "gu");
const beyondAscii = /[^\0-\x7f]/;

function pairs(letters: string, plain: string): [string, string][] {
  return [...letters].map((letter) => [letter, plain]);
}

/** Whether folding leaves a text as it is. */
export function isPlain(text: string): boolean {
  return !beyondAscii.test(text);
}

export function foldText(text: string): string {
  if (isPlain(text)) return text;
  return text.normalize("NFC").replace(unlike, (letter) => alike.get(letter) ?? letter);
}

/** A typographic letter as it is typed; any other as it is. */
export function foldLetter(letter: string): string {
  return alike.get(letter) ?? letter;
}

/** Where a place of the folded text is in the original. */
export function placesOf(text: string): (folded: number) => number {
  if (isPlain(text) || text.normalize("NFC").length === text.length) return (place) => place;
  const starts: number[] = [];
  // A letter with its marks; Hangul that is spelled out composes across letters.
  for (const { 0: letter, index } of text.matchAll(/[\u1100-\u11ff]+|[\s\S]\p{M}*/gu)) {
    for (let unit = foldText(letter).length; unit > 0; unit -= 1) starts.push(index);
  }
  return (place) => starts[place] ?? text.length;
}
