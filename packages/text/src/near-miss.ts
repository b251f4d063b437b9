// Why nothing matched: what would match if one thing about the search were different.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { FindOptions, FoundMatches } from "./find.ts";
import { fold } from "./fold.ts";
import { countLines, rawLines } from "./lines.ts";
import { reachesOverLines } from "./pattern.ts";

interface Miss {
  readonly count: number;
  readonly line: number;
}

/** How many similar lines are listed, and how much of each. */
const maxLines = 3;
const maxExcerpt = 200;

/** The fault for a search without a match; `find` searches the same text. */
export function nearMisses(
  text: Text,
  query: string,
  options: FindOptions,
  find: (options: FindOptions, query: string) => FoundMatches | Fault,
): Fault {
  const { scope, ...rest } = options;
  const count = (other: FindOptions, wanted = query): Miss | undefined => {
    const found = find({ ...other, max: 1 }, wanted);
    const line = isFault(found) ? undefined : found.matches[0]?.line;
    return isFault(found) || line === undefined ? undefined : { count: found.total, line };
  };
  const ignoringCase =
    options.caseSensitive === false ? undefined : count({ ...options, caseSensitive: false });
  const insideWords = options.wholeWord ? count({ ...options, wholeWord: false }) : undefined;
  const outsideScope = scope === undefined ? undefined : count(rest);
  const overLines = options.isRegex && !reachesOverLines(query) ? count(options, `(?s)${query}`) : undefined;
  const isUnexplained = [ignoringCase, insideWords, outsideScope, overLines].every(
    (miss) => miss === undefined,
  );
  const similar = isUnexplained && !options.isRegex ? similarLines(text, query, scope) : [];

  const where = scope === undefined ? "in the document" : `in lines ${scope.fromLine}-${scope.toLine}`;
  return new Fault(
    "no_match",
    `Nothing ${where} matches ${JSON.stringify(query)}.`,
    "Search for text exactly as it stands there, or change the option that excludes it.",
    {
      query,
      ...(ignoringCase && { ignoring_case: ignoringCase }),
      ...(insideWords && { inside_words: insideWords }),
      ...(outsideScope && { outside_scope: outsideScope }),
      ...(overLines && { over_lines: overLines }),
      ...(similar.length > 0 && { similar_lines: similar }),
    },
  );
}

/** Lines that have the first line of the query, but for what looks alike and is written differently. */
export function similarLines(
  text: Text,
  query: string,
  scope?: FindOptions["scope"],
): { line: number; text: string }[] {
  const wanted = lookAlike(query.split(/\r\n?|\n/).find((line) => line.trim() !== "") ?? "");
  if (wanted === "") return [];
  const first = scope?.fromLine ?? 1;
  const similar: { line: number; text: string }[] = [];
  for (const [index, line] of rawLines(text, first - 1, scope?.toLine ?? countLines(text)).entries()) {
    if (!lookAlike(line).includes(wanted)) continue;
    similar.push({ line: first + index, text: line.slice(0, maxExcerpt) });
    if (similar.length === maxLines) break;
  }
  return similar;
}

function lookAlike(line: string): string {
  return fold(line, "loose").replace(/-+/g, "-").replace(/\s+/g, " ").trim();
}
