// The text of a question as a person reads it: words, commands and lists, one part below the other.
//
//   command   lines that begin with four spaces, kept exactly as they are behind those
//   item      a line that begins with "- "
//   words     everything else; an empty line ends them
//
// A question for permission indents every line of its command, so nothing in a command can pass for the words around it.

export type QuestionPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "command"; readonly text: string }
  | { readonly kind: "items"; readonly items: readonly string[] };

const indent = "    ";
const dash = "- ";
/** As much as fits into the card without scrolling, also in a narrow window. */
const fittingCharacters = 500;
const fittingLines = 10;
const announcedCharacters = 300;

export function questionParts(text: string): QuestionPart[] {
  const parts: QuestionPart[] = [];
  let isNew = true;
  for (const line of text.split("\n")) {
    const part = partOf(line);
    const last = parts.at(-1);
    const joined = isNew || part === undefined || last === undefined ? undefined : join(last, part);
    if (joined !== undefined) parts[parts.length - 1] = joined;
    else if (part !== undefined) parts.push(part);
    isNew = part === undefined;
  }
  return parts;
}

function partOf(line: string): QuestionPart | undefined {
  if (line.startsWith(indent)) return { kind: "command", text: line.slice(indent.length) };
  if (line.startsWith(dash)) return { kind: "items", items: [line.slice(dash.length)] };
  return line.trim() === "" ? undefined : { kind: "words", text: line };
}

function join(last: QuestionPart, next: QuestionPart): QuestionPart | undefined {
  if (last.kind === "items")
    return next.kind === "items" ? { kind: "items", items: [...last.items, ...next.items] } : undefined;
  return next.kind === last.kind ? { kind: last.kind, text: `${last.text}\n${next.text}` } : undefined;
}

/** Whether it may have to be scrolled. */
export function isLongQuestion(text: string): boolean {
  return text.length > fittingCharacters || text.split("\n").length > fittingLines;
}

/** What is read out when it appears; the rest is there to be read. */
export function announcedQuestion(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > announcedCharacters ? `${line.slice(0, announcedCharacters).toWellFormed()}…` : line;
}

/** Whether the agent asks whether it may do something. Only the options themselves allow anything. */
export function asksPermission(options: readonly string[]): boolean {
  return options.includes("Allow once") && options.includes("Deny");
}
