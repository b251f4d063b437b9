// What a careless writer does to text that they quote. Undefined where there is nothing in it to get wrong.

import type { Slip } from "./cases.ts";

/** A quoted block and what is to stand in its place, as a careless hand writes both. */
export interface WrittenEdit {
  readonly old: readonly string[];
  readonly replacement: readonly string[];
}

export function carelessly({ old, replacement }: WrittenEdit, slip: Slip): WrittenEdit | undefined {
  switch (slip) {
    case "none":
      return { old, replacement };
    case "trailing space": {
      if (!old.some((line) => line !== line.trimEnd() && line.trim() !== "")) return undefined;
      return { old: old.map(trimmed), replacement: keepingNew(old, replacement, trimmed) };
    }
    case "indentation": {
      if (!old.some((line) => /^[ \t]/.test(line) && line.trim() !== "")) return undefined;
      const indent = commonIndent([...old, ...replacement]);
      if (indent === "") return undefined;
      const dedented = (line: string) => (line.startsWith(indent) ? line.slice(indent.length) : line);
      return { old: old.map(dedented), replacement: replacement.map(dedented) };
    }
    case "quotes": {
      if (!old.some((line) => /["']/.test(line))) return undefined;
      return { old: old.map(typographic), replacement: replacement.map(typographic) };
    }
    case "context missing":
      return withoutContextLine(old, replacement);
    case "abbreviated":
      return abbreviated(old, replacement);
    case "off by one":
      return undefined;
  }
}

function trimmed(line: string): string {
  return line.trimEnd();
}

/** Lines that stay the same are written as carelessly as the old ones; new ones are what they are. */
function keepingNew(
  old: readonly string[],
  replacement: readonly string[],
  careless: (line: string) => string,
): string[] {
  const known = new Set(old);
  return replacement.map((line) => (known.has(line) ? careless(line) : line));
}

function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const [first = ""] = indents;
  let length = first.length;
  while (length > 0 && !indents.every((indent) => indent.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}

export function typographic(line: string): string {
  return line
    .replace(/(^|[\s([{=,:])"/g, "$1“")
    .replaceAll('"', "”")
    .replace(/(^|[\s([{=,:])'/g, "$1‘")
    .replaceAll("'", "’");
}

/** One line that stays is left out of both, from between others. */
function withoutContextLine(old: readonly string[], replacement: readonly string[]): WrittenEdit | undefined {
  const at = old.findIndex((line, index) => {
    const isInside = index > 0 && index < old.length - 1 && line.trim() !== "" && replacement.includes(line);
    // Of lines that are the same nobody can tell which one was left out: that is another edit, and no slip.
    return isInside && old[index - 1] !== line && old[index + 1] !== line;
  });
  const line = old[at];
  if (line === undefined) return undefined;
  const inNew = replacement.indexOf(line);
  return { old: without(old, at), replacement: without(replacement, inNew) };
}

/** The middle of a block is a line with three dots. */
function abbreviated(old: readonly string[], replacement: readonly string[]): WrittenEdit | undefined {
  if (old.length < 4 || replacement.length < 3) return undefined;
  const short = (lines: readonly string[]) => [lines[0] ?? "", "…", lines.at(-1) ?? ""];
  return { old: short(old), replacement: short(replacement) };
}

function without(lines: readonly string[], at: number): string[] {
  return [...lines.slice(0, at), ...lines.slice(at + 1)];
}
