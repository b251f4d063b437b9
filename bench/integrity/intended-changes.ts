// An edit as the writer sees it: places in the file that was shown, with what stood there.

import type { Case } from "./cases.ts";
import type { FileText } from "./file-text.ts";
import { indexOfId } from "./file-text.ts";
import type { EditIntent } from "./intents.ts";

export interface IntendedChange {
  /** 0-based, in the file as it was seen. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function placesOf({ seen, intent }: Pick<Case, "seen" | "intent">): IntendedChange[] {
  return intent.changes.map(({ removed, after, added }) => {
    if (removed.length === 0) {
      return { at: after === undefined ? 0 : indexOfId(seen, after) + 1, removed: [], added };
    }
    const at = indexOfId(seen, removed[0] ?? 0);
    return { at, removed: seen.lines.slice(at, at + removed.length).map(({ text }) => text), added };
  });
}

/** The same edit on the file as it is now, for whoever has seen it. */
export function placesNow({
  intent,
  now,
}: {
  intent: EditIntent;
  now: FileText;
}): IntendedChange[] | undefined {
  const places = placesOf({ seen: now, intent });
  return places.every(({ at }) => at >= 0) ? places : undefined;
}

/** A block of lines that stands only once in the seen file: the place with as many neighbours as that takes. */
export interface Quoted {
  readonly old: readonly string[];
  readonly replacement: readonly string[];
  /** Where the block begins, 0-based. */
  readonly at: number;
}

const mostContext = 25;

/** Undefined where even many neighbours do not make it unique. */
export function quoteUniquely(
  lines: readonly string[],
  place: IntendedChange,
  isInsertionAlone = false,
): Quoted | undefined {
  const { at, removed, added } = place;
  for (
    let context = removed.length === 0 && !isInsertionAlone ? 1 : 0;
    context <= mostContext;
    context += 1
  ) {
    // A block that begins or ends the file is not made more unique by what is not there.
    const from = Math.max(0, at - context);
    const to = Math.min(lines.length, at + removed.length + context);
    const old = lines.slice(from, to);
    if (old.length === 0 || old.every((line) => line.trim() === "")) continue;
    if (occurrences(lines, old) === 1) {
      const replacement = [...lines.slice(from, at), ...added, ...lines.slice(at + removed.length, to)];
      return { old, replacement, at: from };
    }
  }
  return undefined;
}

export function occurrences(lines: readonly string[], block: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + block.length <= lines.length; at += 1) {
    if (block.every((line, offset) => lines[at + offset] === line)) count += 1;
  }
  return count;
}

/**
 * Whether what is left of a quote, with a line left out, is letter by letter another text of the file: the one at that line,
 * where its number is written beside it. By its text alone it is a right edit of that other place, so no rule could notice.
 */
export function isOfAnotherPlace({ seen, slip }: Case, old: readonly string[], line?: number): boolean {
  if (slip !== "context missing") return false;
  const lines = seen.lines.map(({ text }) => text);
  if (line === undefined) return occurrences(lines, old) > 0;
  return old.every((text, offset) => lines[line - 1 + offset] === text);
}
