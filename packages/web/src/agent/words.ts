// Values of a call as words: on one line, and never too long.

export type Fields = Readonly<Record<string, unknown>>;

const longest = 80;

export function cut(value: unknown): string {
  const line = String(value ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}

export function quoted(value: unknown): string {
  return `“${cut(value)}”`;
}
