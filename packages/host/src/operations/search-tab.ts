// Search in one document: by meaning, by exact text, by a pattern.

import type { MeaningDocument } from "@stet/meaning/meaning";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import type { Host } from "../host.ts";
import type { OpenTab } from "./tab-content.ts";

export interface TabSearch {
  readonly query: string;
  readonly match_type: "semantic" | "exact" | "regex";
  readonly max_results: number;
}

export interface TabMatches {
  readonly version: string;
  readonly embedding_status?: string;
  readonly matches: { line: number; score: number; preview: string }[];
  readonly total_matches: number;
}

/** Characters of a line that a preview shows on either side of a match. */
const margin = 80;

export async function searchTab(
  host: Host,
  tab: OpenTab,
  search: TabSearch,
  signal: AbortSignal,
): Promise<TabMatches | Fault> {
  return search.match_type === "semantic"
    ? searchMeaning(host, tab, search, signal)
    : searchText(tab, search, signal);
}

async function searchText(
  { info, state }: OpenTab,
  { query, match_type, max_results: max }: TabSearch,
  signal: AbortSignal,
): Promise<TabMatches | Fault> {
  const { findPlaces } = await import("@stet/tools/tabs/find-places");
  const { excerpt } = await import("@stet/tools/tabs/excerpt");
  const { text } = state.history;
  const options = { query, isRegex: match_type === "regex", caseSensitive: true, max };
  let found = await findPlaces(text, options, signal);
  if (isFault(found)) return found;
  // Exact text that is nowhere as it is written is looked for whatever its case.
  if (found.total === 0 && !options.isRegex) {
    found = await findPlaces(text, { ...options, caseSensitive: false }, signal);
    if (isFault(found)) return found;
  }
  const matches = found.matches.map(({ from, to, line }) => {
    const { from: start } = text.line(line);
    const content = lineContent(text, line - 1);
    const end = Math.min(to - start, content.length);
    return { line: line - 1, score: 1, preview: excerpt(content, from - start, end, margin).text };
  });
  return { version: info.version, matches, total_matches: found.total };
}

async function searchMeaning(
  { meanings }: Host,
  { info, state }: OpenTab,
  { query, max_results: limit }: TabSearch,
  signal: AbortSignal,
): Promise<TabMatches | Fault> {
  if (query.trim() === "") return blankQuery();
  const index = await meanings.index();
  if (isFault(index)) return index;
  const { text } = state.history;
  const document: MeaningDocument = { key: `document:${state.id}`, text, fileType: info.file_type };
  const found = await index.search([document], query, { limit, signal });
  if (isFault(found)) return found;
  const last = Math.max(0, countLines(text) - 1);
  const matches = found.matches.map(({ bestLine, endLine, score }) => ({
    line: Math.min(bestLine, last),
    score: Math.round(score * 1000) / 1000,
    preview: text
      .sliceString(text.line(bestLine + 1).from, text.line(endLine + 1).to)
      .trim()
      .slice(0, 2 * margin)
      .toWellFormed(),
  }));
  return {
    version: info.version,
    embedding_status: found.status,
    matches,
    total_matches: matches.length,
  };
}

function blankQuery(): Fault {
  return new Fault(
    "invalid_arguments",
    "The query is blank, so it has no meaning to search for.",
    "Describe what to find; to find white space, use match_type=exact.",
  );
}
