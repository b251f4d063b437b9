// What the locale says of the terminal's encoding. Where that is not UTF-8, signs of ours that have no other form (an ellipsis,
// a quote, a rule) are written as ASCII of the same width. What people and models wrote is left as it is: most terminals show
// it all the same, and a question mark in its place would be read by nobody.

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the locale says that its text is not UTF-8: `LC_ALL`, else `LC_CTYPE`, else `LANG` names another encoding, or is C.
 * Where none is set, nothing is said: containers and remote shells often have none although the terminal knows UTF-8.
 */
export function isAsciiOnly(environment: Environment): boolean {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || "";
  if (/utf-?8/i.test(locale)) return false;
  return locale === "C" || locale === "POSIX" || locale.includes(".");
}

const forms: Readonly<Record<string, string>> = {
  "…": "~",
  "·": "|",
  "•": "*",
  "–": "-",
  "—": "-",
  "−": "-",
  "“": '"',
  "”": '"',
  "‘": "'",
  "’": "'",
  "→": ">",
  "←": "<",
  "─": "-",
  "│": "|",
  "├": "|",
  "└": "`",
  "╭": "+",
  "╰": "+",
};
const signs = new RegExp(`[${Object.keys(forms).join("")}]`, "g");

export function asciiSigns(text: string): string {
  return text.replace(signs, (sign) => forms[sign] ?? sign);
}
