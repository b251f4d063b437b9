// A unified diff as a person reads it: the file's name where there are several, then its lines with their numbers, and the
// words that differ picked out.

import { changedLines, type HunkLine } from "../../hunk-lines.ts";
import type { Theme } from "../theme/theme.ts";
import { cleanLine, cleanText, hanging, paint, type Style } from "./rows.ts";

export type DiffPart =
  | { readonly kind: "file"; readonly name: string }
  /** Lines between two hunks are not shown. */
  | { readonly kind: "gap" }
  /** The beginning of the diff is not known. */
  | { readonly kind: "cut" }
  | { readonly kind: "end" }
  | { readonly kind: "line"; readonly line: HunkLine };

/** How much a diff adds and removes. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const part of diffParts(diff)) {
    if (part.kind !== "line") continue;
    if (part.line.kind === "added") added += 1;
    if (part.line.kind === "removed") removed += 1;
  }
  return { added, removed };
}

export function diffRows(diff: string, theme: Theme, width: number): string[] {
  const parts = diffParts(diff);
  const files = parts.filter(({ kind }) => kind === "file").length;
  const last = parts.reduce(
    (most, part) => (part.kind === "line" ? Math.max(most, part.line.number || 0) : most),
    1,
  );
  const digits = String(last).length;
  return parts.flatMap((part) => partRows(part, { files, digits, theme, width }));
}

interface DiffDrawing {
  readonly files: number;
  /** Of the largest line number. */
  readonly digits: number;
  readonly theme: Theme;
  readonly width: number;
}

function partRows(part: DiffPart, { files, digits, theme, width }: DiffDrawing): string[] {
  switch (part.kind) {
    case "file":
      return files > 1 ? hanging("", [theme.emphasis("bold", part.name)], width) : [];
    case "gap":
      return [theme.fg("muted", theme.symbol("more"))];
    case "cut":
      return hanging("", [theme.fg("muted", "The beginning is longer than is shown here.")], width);
    case "end":
      return hanging("", [theme.fg("muted", `${" ".repeat(digits + 3)}(no newline at the end)`)], width);
    case "line":
      return lineRows(part.line, digits, theme, width);
  }
}

const styles: Readonly<Record<HunkLine["kind"], Style>> = {
  added: { colour: "toolDiffAdded" },
  removed: { colour: "toolDiffRemoved" },
  context: { colour: "toolDiffContext" },
};

/** One line of a diff: its number, its sign, and its text, wrapped beside them. `highlight` paints clean text that is unchanged. */
export function lineRows(
  { kind, number, text, words }: HunkLine,
  digits: number,
  theme: Theme,
  width: number,
  highlight?: (text: string) => string,
): string[] {
  const sign = kind === "added" ? theme.symbol("added") : kind === "removed" ? theme.symbol("removed") : " ";
  const style = styles[kind];
  const gutter = paint(
    theme,
    style,
    `${(Number.isNaN(number) ? "" : String(number)).padStart(digits)} ${sign} `,
  );
  const marked =
    words === undefined
      ? kind === "context" && highlight !== undefined
        ? highlight(cleanText(text))
        : paint(theme, style, cleanText(text))
      : words
          .map((word) =>
            paint(
              theme,
              word.kind === "same" ? style : { ...style, emphasis: ["inverse"] },
              cleanText(word.text),
            ),
          )
          .join("");
  return hanging(gutter, [marked], width);
}

export function diffParts(diff: string): DiffPart[] {
  const parts: DiffPart[] = [];
  let [old, now] = [1, 1];
  let isFirstHunk = true;
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    if (removed.length + added.length === 0) return;
    const lines = changedLines({
      removed,
      added,
      old_start: old - removed.length,
      new_start: now - added.length,
    });
    parts.push(...lines.map((line): DiffPart => ({ kind: "line", line })));
    removed = [];
    added = [];
  };
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    const isHeader = line.startsWith("--- ") || line.startsWith("+++ ");
    if (line.startsWith("-") && !isHeader) {
      // Lines are removed before others are added: what is removed after that is another change.
      if (added.length > 0) flush();
      removed.push(line.slice(1));
      old += 1;
      continue;
    }
    if (line.startsWith("+") && !isHeader) {
      added.push(line.slice(1));
      now += 1;
      continue;
    }
    flush();
    if (line.startsWith("+++ ")) {
      parts.push({ kind: "file", name: cleanLine(line.slice(4).replace(/^b\//, "")) });
      isFirstHunk = true;
    } else if (hunk !== null) {
      if (!isFirstHunk) parts.push({ kind: "gap" });
      isFirstHunk = false;
      [old, now] = [Number(hunk[1]), Number(hunk[2])];
    } else if (line.startsWith("\\")) parts.push({ kind: "end" });
    else if (line === "…") {
      parts.push({ kind: "cut" });
      // Where the lines until the next header stand is not known.
      [old, now] = [Number.NaN, Number.NaN];
      isFirstHunk = false;
    } else if (line.startsWith(" ") || (line === "" && !isFirstHunk)) {
      parts.push({ kind: "line", line: { kind: "context", number: now, text: line.slice(1) } });
      old += 1;
      now += 1;
    }
  }
  flush();
  return parts;
}
