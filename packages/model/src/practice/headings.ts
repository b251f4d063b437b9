// Headings and other structure of a text, line by line. In Markdown a line that begins with one to six # is a heading,
// except inside a fenced block.

import type { HeadingChange } from "./request-lines.ts";

export interface Heading {
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

const headingForm = /^( {0,3})(#{1,6})(?=[ \t]|$)[ \t]*(.*?)(?:[ \t]+#+)?[ \t]*$/;

export function headingsIn(lines: readonly string[]): readonly Heading[] {
  const fenced = fencedLines(lines);
  return lines.flatMap((line, index): Heading[] => {
    const match = fenced.has(index) ? null : headingForm.exec(line);
    return match === null ? [] : [{ line: index + 1, level: match[2]?.length ?? 1, title: match[3] ?? "" }];
  });
}

/** Indexes of lines inside fenced blocks, with their fences. */
export function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      inside.add(index);
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      inside.add(index);
    }
  }
  return inside;
}

/** A heading line at its new level. A level stays between 1 and 6. */
export function atLevel(line: string, heading: Heading, to: HeadingChange["to"]): string {
  const level = Math.min(6, Math.max(1, "by" in to ? heading.level + to.by : to.level));
  return line.replace(/#{1,6}/, "#".repeat(level));
}

export interface OutlineEntry {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|interface|type|enum|const|def|fn|func|struct|impl|trait|module|namespace)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Headings; in data files the outermost keys; in code the outermost declarations. A name without an ending is a text's. */
export function outlineOf(path: string, lines: readonly string[]): readonly OutlineEntry[] {
  if (/\.(?:md|markdown|mdx|txt)$/i.test(path) || !/\.[^./\s]+$/.test(path)) return headingsIn(lines);
  const form = /\.(?:ya?ml|toml)$/i.test(path)
    ? /^([\p{L}_][\p{L}\p{N}_.-]*)\s*[:=]|^\[([^\]]+)\]/u
    : declaration;
  return lines.flatMap((line, index): OutlineEntry[] => {
    const match = form.exec(line);
    return match === null ? [] : [{ line: index + 1, level: 1, title: match[1] ?? match[2] ?? "" }];
  });
}
