// What a document consists of, for finding one's way: headings, keys, or what a plain text lets one guess.
//
// Lines are raw lines, from 0, and `line_end` is inclusive. Positions come from parsers that keep them; nothing is
// ever evaluated, so aliases and deep nesting cost no more than their characters.

import type { Text } from "@codemirror/state";
import { outlineOfJson } from "./json.ts";
import { outlineOfMarkdown } from "./markdown.ts";
import { outlineOfPlainText } from "./text.ts";
import { outlineOfYaml } from "./yaml.ts";

export interface OutlineItem {
  title: string;
  /** From 1. */
  level: number;
  line_start: number;
  /** Null where the section extends to the end of the document. */
  line_end: number | null;
  /** Which heuristic found it; only in plain text. */
  detected_by?: string;
  children?: OutlineItem[];
}

export interface Outline {
  detection_method: "headings" | "keys" | "heuristic" | "none";
  detection_confidence?: "high" | "medium" | "low";
  outline: OutlineItem[];
  note?: string;
  suggestion?: string;
}

export interface OutlineOptions {
  /** The deepest level that is listed; 3 unless given. */
  maxDepth?: number;
  /** Whether a plain text is searched for chapters and titles, or only split at its blank lines; true unless given. */
  detectChapters?: boolean;
}

export async function outlineOf(
  text: Text,
  fileType: string,
  options: OutlineOptions = {},
): Promise<Outline> {
  const maxDepth = options.maxDepth ?? 3;
  switch (fileType) {
    case "markdown":
    case "md":
      return outlineOfMarkdown(text, maxDepth);
    case "json":
    case "jsonc":
      return outlineOfJson(text, maxDepth);
    case "yaml":
    case "yml":
      return outlineOfYaml(text, maxDepth);
    default:
      return outlineOfPlainText(text, maxDepth, options.detectChapters ?? true);
  }
}
