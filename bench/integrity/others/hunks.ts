// Hunks as a writer of patches makes them: three lines around each change, and changes whose surroundings meet in one hunk.

import type { Case, Slip } from "../cases.ts";
import { type IntendedChange, isOfAnotherPlace, placesOf } from "../intended-changes.ts";
import { typographic } from "../slips.ts";

export interface PatchHunkLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

export interface PatchHunk {
  /** 1-based, in the file as it was seen. */
  readonly oldStart: number;
  readonly lines: readonly PatchHunkLine[];
  /** Whether the hunk reaches the end of the file. */
  readonly isAtEnd: boolean;
}

/** Hunks with the writer's slip in them; undefined where there is no room for it, or nothing would tell of it. */
export function writeHunks(one: Case, context = 3, hasNumbers = true): readonly PatchHunk[] | undefined {
  const hunks = groups(placesOf(one), context).map((places) => hunkOf(one, places, context));
  if (one.slip === "none") return hunks;
  if (one.slip === "off by one") return hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + 1 }));
  const at = hunks.findIndex(({ lines }) => slipped(lines, one.slip) !== undefined);
  const chosen = hunks[at];
  if (chosen === undefined) return undefined;
  const left = slipped(chosen.lines, one.slip)?.filter(({ kind }) => kind !== "+") ?? [];
  const old = left.map(({ text }) => text);
  if (isOfAnotherPlace(one, old, hasNumbers ? chosen.oldStart : undefined)) return undefined;
  return hunks.map((hunk, index) => {
    return index === at ? { ...hunk, lines: slipped(hunk.lines, one.slip) ?? hunk.lines } : hunk;
  });
}

function groups(places: readonly IntendedChange[], context: number): IntendedChange[][] {
  const grouped: IntendedChange[][] = [];
  for (const place of places) {
    const last = grouped.at(-1)?.at(-1);
    const meets = last !== undefined && place.at - (last.at + last.removed.length) <= 2 * context;
    if (meets) grouped.at(-1)?.push(place);
    else grouped.push([place]);
  }
  return grouped;
}

function hunkOf({ seen }: Case, places: readonly IntendedChange[], context: number): PatchHunk {
  const texts = seen.lines.map(({ text }) => text);
  const first = places[0]?.at ?? 0;
  const last = places.at(-1);
  const from = Math.max(0, first - context);
  const to = Math.min(texts.length, (last?.at ?? 0) + (last?.removed.length ?? 0) + context);
  const lines: PatchHunkLine[] = [];
  let at = from;
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) lines.push({ kind: " ", text: texts[at] ?? "" });
  };
  for (const place of places) {
    keepUntil(place.at);
    for (const text of place.removed) lines.push({ kind: "-", text });
    for (const text of place.added) lines.push({ kind: "+", text });
    at += place.removed.length;
  }
  keepUntil(to);
  return { oldStart: from + 1, lines, isAtEnd: to === texts.length };
}

function slipped(lines: readonly PatchHunkLine[], slip: Slip): PatchHunkLine[] | undefined {
  const old = lines.filter(({ kind }) => kind !== "+");
  const each = (change: (text: string) => string) =>
    lines.map(({ kind, text }) => ({ kind, text: change(text) }));
  switch (slip) {
    case "trailing space":
      if (!old.some(({ text }) => text !== text.trimEnd() && text.trim() !== "")) return undefined;
      return lines.map(({ kind, text }) => ({ kind, text: kind === "+" ? text : text.trimEnd() }));
    case "indentation": {
      const indents = lines
        .filter(({ text }) => text.trim() !== "")
        .map(({ text }) => /^[ \t]*/.exec(text)?.[0] ?? "");
      const shortest = indents.toSorted((one, other) => one.length - other.length)[0] ?? "";
      if (shortest === "" || !indents.every((indent) => indent.startsWith(shortest))) return undefined;
      return each((text) => (text.startsWith(shortest) ? text.slice(shortest.length) : text));
    }
    case "quotes":
      return old.some(({ text }) => /["']/.test(text)) ? each(typographic) : undefined;
    case "context missing": {
      const at = lines.findIndex(({ kind, text }, index) => {
        const isInside = kind === " " && index > 0 && index < lines.length - 1 && text.trim() !== "";
        return isInside && lines[index - 1]?.text !== text && lines[index + 1]?.text !== text;
      });
      return at < 0 ? undefined : lines.filter((_, index) => index !== at);
    }
    case "abbreviated": {
      const at = lines.findIndex(({ kind }, index) => {
        return index > 0 && kind !== "+" && lines[index + 1]?.kind === kind && lines[index + 2] !== undefined;
      });
      if (at < 0) return undefined;
      const kind = lines[at]?.kind ?? " ";
      return [...lines.slice(0, at), { kind, text: "…" }, ...lines.slice(at + 2)];
    }
    default:
      return undefined;
  }
}
