// The display form of a title: one line, without decoration around it, and never long.

const longest = 200;

/** The characters of a line that are looked at; a line may be as long as the document. */
export function lineStart(line: string, most = 400): string {
  return (line.length > most ? line.slice(0, most) : line).trim();
}

export function displayTitle(title: string): string {
  const clean = title
    .slice(0, longest * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (clean.length <= longest) return clean;
  return `${clean
    .slice(0, longest - 3)
    .toWellFormed()
    .replace("\ufffd", "")
    .trimEnd()}...`;
}

const decorated = /^[\s*=~#_\-–—•·|<>[\]]+|[\s*=~#_\-–—•·|<>[\]]+$/g;

/** A title without the stars, dashes and brackets that stand around it. */
export function undecorated(title: string): string {
  return title.replace(decorated, "");
}

export function isAllCaps(title: string): boolean {
  return title === title.toUpperCase() && title !== title.toLowerCase();
}

const smallWords = new Set(
  "a an and as at but by de der die das du des el for from in into la le les los nor of on or the to und with y".split(
    " ",
  ),
);

/** Whether nearly every word that matters begins with a capital. */
export function isTitleCase(title: string): boolean {
  let capital = 0;
  let small = 0;
  for (const word of title.split(/[\s—–-]+/)) {
    const letter = /\p{L}/u.exec(word)?.[0];
    if (letter === undefined || smallWords.has(word.toLowerCase())) continue;
    if (letter !== letter.toLowerCase() || letter === letter.toUpperCase()) capital += 1;
    else small += 1;
  }
  return capital > 0 && small * 3 <= capital;
}

/** The first words of a paragraph, which begin at `at(0)` and go on in the lines behind it. */
export function firstWords(at: (offset: number) => string | undefined, most = 20): string {
  const words: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const line = at(offset);
    const start = line === undefined ? "" : lineStart(line);
    if (line === undefined || start === "") return displayTitle(words.join(" "));
    const next = start.split(/\s+/);
    const isCut = line.length > 400;
    words.push(...(isCut && next.length > 1 ? next.slice(0, -1) : next));
    if (words.length > most || isCut)
      return `${displayTitle(words.slice(0, most).join(" ")).replace(/\.{3}$/, "")}...`;
  }
}
