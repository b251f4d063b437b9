// Pieces of the words that a person reads for a call: values on one line, and never too long.

import type { GivenArguments } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";

const longest = 80;

export function cut(value: unknown): string {
  const line = String(value ?? "").replace(/\s+/g, " ");
  return cutText(line.trim(), longest);
}

export function quoted(value: unknown): string {
  return `“${cut(value)}”`;
}

/** People count lines from 1; `shift` is added for a dialect that counts from 0. */
export function lineWords(start: unknown, end: unknown, shift = 0): string {
  if (typeof start !== "number") return "";
  const first = start + shift;
  const last = typeof end === "number" ? end + shift : undefined;
  if (last === undefined) return `, from line ${first}`;
  return last === first ? `, line ${first}` : `, lines ${first}–${last}`;
}

export function listed(names: readonly unknown[]): string {
  const distinct = [...new Set(names.filter((name) => typeof name === "string"))];
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : "";
  return distinct.slice(0, 3).map(cut).join(", ") + more;
}

export function inPaths(paths: unknown): string {
  return Array.isArray(paths) && paths.length > 0 ? ` in ${listed(paths)}` : "";
}

/** A call that only shows what it would do. */
export function previewWords(words: string, isPreview: unknown): string {
  return isPreview === true ? `Preview: ${words}` : words;
}

/** The files that an edit names, in whichever edit mode it is written. */
export function editWords({ path, input, edits }: GivenArguments): string {
  if (typeof path === "string") return `Edit ${cut(path)}`;
  if (typeof input === "string") {
    const headers = /^(?:§+|\*\*\* (?:Add|Update|Delete) File: )(.+)$/gm;
    return `Edit ${listed([...input.matchAll(headers)].map((match) => match[1]?.trim())) || "files"}`;
  }
  const paths = Array.isArray(edits) ? edits.map((edit: GivenArguments | null) => edit?.path) : [];
  return `Edit ${listed(paths) || "files"}`;
}
