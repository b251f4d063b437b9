// A call of a tool in words: what it is called, what it works on, and what it looks for.

const pathKeys = ["path", "file_path", "file", "title", "name", "glob", "paths", "url"];
const soughtKeys = ["query", "pattern", "find", "symbol", "question", "task", "transformation"];
const maxLength = 160;

export function wordsForCall(name: string, input: unknown): string {
  const command = textOf(input, "command");
  if (command !== undefined) return short(`$ ${command.trim().replaceAll("\n", " ⏎ ")}`);
  const paths = [...new Set([...valuesAt(input, pathKeys), ...pathsInPatch(input)])];
  const sought = valuesAt(input, soughtKeys).map((text) => `“${text}”`);
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  const parts = [name, ...sought.slice(0, 2), paths.slice(0, 3).join(", ") + more, linesOf(input)];
  return short(parts.filter((part) => part !== "").join(" "));
}

function short(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

function textOf(input: unknown, key: string): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const value: unknown = Reflect.get(input, key);
  return typeof value === "string" ? value : undefined;
}

/** Short texts under these names, at any depth. */
function valuesAt(input: unknown, keys: readonly string[]): string[] {
  if (typeof input !== "object" || input === null) return [];
  if (Array.isArray(input)) return input.flatMap((item) => valuesAt(item, keys));
  return Object.entries(input).flatMap(([key, value]: [string, unknown]) => {
    if (!keys.includes(key)) return typeof value === "object" ? valuesAt(value, keys) : [];
    const texts = Array.isArray(value) ? value : [value];
    return texts.filter((text): text is string => typeof text === "string" && text.length <= 200);
  });
}

/** The files that a patch or a list of anchored edits names. */
function pathsInPatch(input: unknown): string[] {
  const text = textOf(input, "input") ?? textOf(input, "patch") ?? "";
  const found = text.matchAll(/^(?:§|\*\*\* (?:Update|Add|Delete) File: |\+\+\+ b\/)(.+)$/gm);
  return [...found].map(([, path = ""]) => path.trim());
}

function linesOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const [first, last]: unknown[] = [Reflect.get(input, "start_line"), Reflect.get(input, "end_line")];
  if (typeof first !== "number") return "";
  return typeof last === "number" && last !== first ? `lines ${first} to ${last}` : `line ${first}`;
}
