// Text that a person and a shell read in the same way, or a sentence that says why they may not.
//
// Spaces that a shell takes for letters, characters that nobody sees, and lines that are joined in the middle of a word
// make a command look like another one. Nothing of that is ever taken for understood.

const maxLength = 64 * 1024;
// The grammar's time grows with the square of these.
const maxBraces = 3000;
const maxHeredocs = 200;

// Letters and marks that show as nothing, or as a space, although Unicode does not count them as such.
const blanks = "\\u{34F}\\u{115F}\\u{1160}\\u{17B4}\\u{17B5}\\u{2800}\\u{3164}\\u{FFA0}\\u{FE00}-\\u{FE0F}";
const unseen = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Zs}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}${blanks}]`, "u");
const unseenAll = new RegExp(unseen.source, "gu");

/** Why this text cannot be trusted to be what it looks like; undefined when it can. */
export function textProblem(text: string): string | undefined {
  if (text.length > maxLength) return `it is longer than ${maxLength / 1024} KB`;
  if (text.split("{").length > maxBraces || text.split("<<").length > maxHeredocs) {
    return "it has too many braces or heredocs";
  }
  if (!text.isWellFormed()) return "it contains half of a surrogate pair";
  const found = unseen.exec(text.replace(/[ \n\t]/g, ""));
  if (found !== null) return `it contains the invisible or unusual character ${codePoint(found[0])}`;
  // `$\` at the end of a line and `(rm x)` on the next are a substitution for a shell, and look like none.
  if (/[^\s&|;(\\]\\\n/.test(text)) return "a word goes on after the end of a line";
  return undefined;
}

/** The text with everything shown that could hide or move other text on a screen. Line ends and tabs stay. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(unseenAll, (character) =>
      character === "\n" || character === "\t" || character === " " ? character : `⟨${codePoint(character)}⟩`,
    );
}

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
