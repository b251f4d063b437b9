// Search and replace: an old block, which must stand there once, and a new one.

import type { Case } from "../cases.ts";
import { type FileText, parseFile, renderFile } from "../file-text.ts";
import { type IntendedChange, isOfAnotherPlace, placesOf, quoteUniquely } from "../intended-changes.ts";
import type { Outcome } from "../judge.ts";
import type { TextRules } from "../rule-set.ts";
import { carelessly } from "../slips.ts";
import { fuzzyMatchers } from "./fuzzy-matchers.ts";
import { replaced } from "./line-numbers.ts";

export interface QuotedReplacement {
  readonly old: string;
  readonly new: string;
}

/** One block for each place, each unique in the file as it was seen. */
export function writeReplacements(one: Case): readonly QuotedReplacement[] | undefined {
  const lines = one.seen.lines.map(({ text }) => text);
  const written: QuotedReplacement[] = [];
  for (const place of placesOf(one)) {
    const quoted = quoteUniquely(lines, place);
    const careless = quoted === undefined ? undefined : carelessly(quoted, one.slip);
    if (careless === undefined) {
      // A slip needs one place that has room for it; the others are written well.
      if (one.slip === "none" || quoted === undefined) return undefined;
      written.push({ old: quoted.old.join("\n"), new: quoted.replacement.join("\n") });
      continue;
    }
    if (isOfAnotherPlace(one, careless.old)) return undefined;
    written.push({ old: careless.old.join("\n"), new: careless.replacement.join("\n") });
  }
  return one.slip === "none" || hasSlip(one, lines, written) ? written : undefined;
}

function hasSlip(one: Case, lines: readonly string[], written: readonly QuotedReplacement[]): boolean {
  return placesOf(one).some((place: IntendedChange, index) => {
    const quoted = quoteUniquely(lines, place);
    return quoted !== undefined && quoted.old.join("\n") !== written[index]?.old;
  });
}

export const exactReplace: TextRules<readonly QuotedReplacement[]> = {
  name: "exact search and replace",
  about: "The old text must stand in the file exactly once, character by character.",
  source: "the `str_replace` command of Anthropic's text editor tool",
  write: writeReplacements,
  apply(content, edits) {
    let file = parseFile(content);
    for (const edit of edits) {
      const next = replaceOnce(file, edit, exactPlaces(file, edit.old.split("\n")));
      if ("kind" in next) return next;
      file = next;
    }
    return { kind: "applied", content: renderFile(file) };
  },
};

function exactPlaces(file: FileText, old: readonly string[]): number[] {
  return file.lines.flatMap((_, at) => {
    return old.every((line, offset) => file.lines[at + offset]?.text === line) ? [at] : [];
  });
}

function replaceOnce(file: FileText, edit: QuotedReplacement, places: readonly number[]): FileText | Outcome {
  const [at] = places;
  if (at === undefined)
    return {
      kind: "refused",
      message: "No match found for replacement. Please check your text and try again.",
    };
  if (places.length > 1) {
    return {
      kind: "refused",
      message: `Found ${places.length} matches for replacement text. Provide more context to make a unique match.`,
    };
  }
  return replaced(file, at, edit.old.split("\n").length, edit.new === "" ? [] : edit.new.split("\n"));
}

export const fuzzyReplace: TextRules<readonly QuotedReplacement[]> = {
  name: "search and replace with fallbacks",
  about:
    "As above; where that finds nothing, looser and looser matchers are tried in turn: lines trimmed, first and last line " +
    "with a similar middle, white space collapsed, indentation ignored, escapes undone, half of the lines alike.",
  source: "the chain of replacers in opencode's and cline's edit tools, and gemini-cli's correction of edits",
  write: writeReplacements,
  apply(content, edits) {
    let file = parseFile(content);
    for (const { old, new: replacement } of edits) {
      const found = fuzzyPlace(file, old);
      if ("message" in found) return { kind: "refused", message: found.message };
      file = replaced(file, found.at, found.count, replacement === "" ? [] : replacement.split("\n"));
    }
    return { kind: "applied", content: renderFile(file) };
  },
};

/** The first matcher that finds exactly one place decides. */
function fuzzyPlace(file: FileText, old: string): { at: number; count: number } | { message: string } {
  const lines = file.lines.map(({ text }) => text);
  let hasSeveral = false;
  for (const matcher of fuzzyMatchers) {
    const found = matcher(lines, old.split("\n"));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    hasSeveral ||= found.length > 1;
  }
  return {
    message: hasSeveral
      ? "oldString found multiple times and requires more code context to uniquely identify the intended match"
      : "oldString not found in content",
  };
}
