// An edit that someone means to make, in terms of lines that are known by their identity.

import { type FileText, indexOfId, type Line, spliceFile, usualEnd } from "./file-text.ts";
import type { SeededRandom } from "./random.ts";

export const intentKinds = [
  "replace",
  "insert",
  "delete",
  "move",
  "rename",
  "repeated",
  "start",
  "end",
  "long line",
] as const;

export type IntentKind = (typeof intentKinds)[number];

export interface IntentChange {
  /** Neighbouring lines that go, in order; empty for an insertion. */
  readonly removed: readonly number[];
  /** The line behind which an insertion stands; undefined at the start of the file. */
  readonly after: number | undefined;
  readonly added: readonly string[];
}

export interface EditIntent {
  readonly kind: IntentKind;
  /** In the order of the file, not touching each other. */
  readonly changes: readonly IntentChange[];
}

/** An edit of this kind; undefined where the file has no place for one. */
export function intentFor(kind: IntentKind, file: FileText, random: SeededRandom): EditIntent | undefined {
  const changes = changesFor(kind, file, random);
  if (changes === undefined || changes.length === 0) return undefined;
  // An edit that leaves its lines as they are is none.
  const isReal = changes.every(({ removed, added }) => {
    const old = removed.map((id) => file.lines[indexOfId(file, id)]?.text ?? "");
    return old.join("\n") !== added.join("\n") || old.length !== added.length;
  });
  return isReal ? { kind, changes } : undefined;
}

function changesFor(kind: IntentKind, file: FileText, random: SeededRandom): IntentChange[] | undefined {
  const { lines } = file;
  switch (kind) {
    case "replace":
      return [replaceAt(file, random.between(0, lines.length - 1), random.between(1, 4), random)];
    case "insert": {
      const at = random.between(0, lines.length - 1);
      return [insertAfter(file, at, random)];
    }
    case "delete":
      return [removeAt(file, random.between(0, lines.length - 1), random.between(1, 4))];
    case "move":
      return moveBlock(file, random);
    case "rename":
      return renameWord(file, random);
    case "repeated":
      return insideRepeated(file, random);
    case "start":
      return [random.chance(0.5) ? replaceAt(file, 0, 1, random) : atStart(file, random)];
    case "end": {
      const last = lines.length - 1;
      return [random.chance(0.5) ? replaceAt(file, last, 1, random) : insertAfter(file, last, random)];
    }
    case "long line": {
      const long = lines.flatMap(({ text }, index) => (text.length > 400 ? [index] : []));
      return long.length === 0 ? undefined : [replaceAt(file, random.pick(long), 1, random)];
    }
  }
}

function replaceAt(file: FileText, at: number, count: number, random: SeededRandom): IntentChange {
  const old = file.lines.slice(at, at + count);
  const added = old.map(({ text }) => changedLine(text, random));
  if (random.chance(0.25)) added.push(newLine(file, at, random));
  return { removed: old.map(({ id }) => id), after: undefined, added };
}

function removeAt(file: FileText, at: number, count: number): IntentChange {
  const kept = Math.max(1, Math.min(count, Math.floor(file.lines.length / 3)));
  return { removed: file.lines.slice(at, at + kept).map(({ id }) => id), after: undefined, added: [] };
}

function insertAfter(file: FileText, at: number, random: SeededRandom): IntentChange {
  const added = Array.from({ length: random.between(1, 3) }, () => newLine(file, at, random));
  return { removed: [], after: file.lines[at]?.id, added };
}

function atStart(file: FileText, random: SeededRandom): IntentChange {
  return { removed: [], after: undefined, added: [newLine(file, 0, random)] };
}

function moveBlock(file: FileText, random: SeededRandom): IntentChange[] | undefined {
  const { lines } = file;
  if (lines.length < 30) return undefined;
  const count = random.between(1, 5);
  const from = random.between(0, lines.length - count - 1);
  const to = random.between(0, lines.length - 1);
  // Not beside itself: that would be no move, or two changes that touch.
  if (to >= from - 4 && to <= from + count + 4) return undefined;
  const block = lines.slice(from, from + count);
  const removal = { removed: block.map(({ id }) => id), after: undefined, added: [] };
  const insertion = { removed: [], after: lines[to]?.id, added: block.map(({ text }) => text) };
  return to < from ? [insertion, removal] : [removal, insertion];
}

function renameWord(file: FileText, random: SeededRandom): IntentChange[] | undefined {
  const counts = new Map<string, number[]>();
  for (const [index, { text }] of file.lines.entries()) {
    if (text.length > 400) continue;
    for (const word of new Set(text.match(/\b[A-Za-z_]\w{4,}\b/g) ?? [])) {
      counts.set(word, [...(counts.get(word) ?? []), index]);
    }
  }
  const words = [...counts].filter(([, at]) => at.length >= 2 && at.length <= 6 && areApart(at));
  if (words.length === 0) return undefined;
  const [word, at] = random.pick(words);
  const next = `${word}Renamed`;
  return at.map((index) => {
    const line = file.lines[index];
    const text = (line?.text ?? "").replace(new RegExp(`\\b${word}\\b`, "g"), next);
    return { removed: [line?.id ?? 0], after: undefined, added: [text] };
  });
}

/** Changes of one edit do not touch each other. */
function areApart(at: readonly number[]): boolean {
  return at.every((index, place) => place === 0 || index - (at[place - 1] ?? 0) > 1);
}

/** A line that looks like many others: `}`, an empty line, a line of look-alike code. */
function insideRepeated(file: FileText, random: SeededRandom): IntentChange[] | undefined {
  const places = new Map<string, number[]>();
  for (const [index, { text }] of file.lines.entries()) {
    const key = text.trim();
    places.set(key, [...(places.get(key) ?? []), index]);
  }
  const repeated = [...places].filter(([text, at]) => at.length >= 3 && text.length < 200);
  if (repeated.length === 0) return undefined;
  const [, at] = random.pick(repeated);
  const index = random.pick(at);
  const way = random.between(0, 2);
  if (way === 0) return [insertAfter(file, index, random)];
  return [way === 1 ? removeAt(file, index, 1) : replaceAt(file, index, 1, random)];
}

/** The same line with a word changed, so that it still looks like the file it is in. */
function changedLine(text: string, random: SeededRandom): string {
  const words = [...text.matchAll(/[A-Za-z]{2,}|\d+/g)];
  if (words.length === 0) return `${text}${text.trim() === "" ? "changed" : " changed"}`;
  const word = random.pick(words);
  const [old] = word;
  const next = /^\d+$/.test(old)
    ? String(Number(old.slice(0, 12)) + 1)
    : `${old}${random.pick(["X", "New", "2"])}`;
  return text.slice(0, word.index) + next + text.slice(word.index + old.length);
}

function newLine(file: FileText, at: number, random: SeededRandom): string {
  const beside = file.lines[at]?.text ?? "";
  const indent = /^[ \t]*/.exec(beside)?.[0] ?? "";
  return `${indent}added line ${random.between(1000, 9999)}`;
}

/** The file after the edit, where all lines that it names are as they were; undefined where one is not. */
export function carryOut(
  { changes }: EditIntent,
  seen: FileText,
  now: FileText,
  newId: () => number,
): FileText | undefined {
  const textOf = new Map(seen.lines.map(({ id, text }) => [id, text]));
  let result = now;
  for (const { removed, after, added } of changes) {
    const lines: Line[] = added.map((text) => ({ id: newId(), text, end: usualEnd(now) }));
    if (removed.length === 0) {
      const at = after === undefined ? -1 : indexOfId(result, after);
      if (after !== undefined && (at < 0 || result.lines[at]?.text !== textOf.get(after))) return undefined;
      result = spliceFile(result, at + 1, 0, lines);
      continue;
    }
    const at = indexOfId(result, removed[0] ?? 0);
    const isWhole = removed.every((id, offset) => {
      const line = result.lines[at + offset];
      return at >= 0 && line?.id === id && line.text === textOf.get(id);
    });
    if (!isWhole) return undefined;
    result = spliceFile(result, at, removed.length, lines);
  }
  return result;
}
