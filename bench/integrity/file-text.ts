// A file as lines that each have an identity. Drift and edits move, change and remove lines; by their identity it is known
// what the right outcome is, without asking anything that is measured.

export interface Line {
  readonly id: number;
  readonly text: string;
  /** "\n", "\r\n", "\r", or "" for a last line that has none. */
  readonly end: string;
}

export interface FileText {
  readonly hasMark: boolean;
  readonly lines: readonly Line[];
}

const mark = "\uFEFF";

/** Ids count from 1 in the order of the lines. */
export function parseFile(content: string): FileText {
  const hasMark = content.startsWith(mark);
  const lines: Line[] = [];
  for (const [whole, text = "", end = ""] of content
    .slice(hasMark ? 1 : 0)
    .matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (whole === "" && lines.length > 0) break;
    if (whole !== "") lines.push({ id: lines.length + 1, text, end });
  }
  return { hasMark, lines };
}

export function renderFile({ hasMark, lines }: FileText): string {
  return (hasMark ? mark : "") + lines.map(({ text, end }) => text + end).join("");
}

export function indexOfId(file: FileText, id: number): number {
  return file.lines.findIndex((line) => line.id === id);
}

/** The line end that most lines have. */
export function usualEnd({ lines }: FileText): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "\n";
}

/** New lines in the place of old ones; a last line that had no end stays without one. */
export function spliceFile(file: FileText, at: number, removed: number, added: readonly Line[]): FileText {
  const lines = [...file.lines];
  lines.splice(at, removed, ...added);
  return { ...file, lines: withEnds(lines, file) };
}

/** Only the last line may have no end, and only where the file had none at its end. */
function withEnds(lines: readonly Line[], file: FileText): Line[] {
  const end = usualEnd(file);
  const hadNone = file.lines.at(-1)?.end === "";
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    // An empty line without an end would be no line.
    if (isLast && hadNone && line.text !== "") return { ...line, end: "" };
    return line.end === "" ? { ...line, end } : line;
  });
}
