// Search in one document, by meaning, by exact text or by a regular expression.
//
// Exact text is searched as it is written first; only where that is nowhere, its case is ignored, and a note says so. In
// the same way a regular expression is matched line by line first, then over line ends.

import type { Text } from "@codemirror/state";
import { defineTool, type Tool } from "@stet/agent/tool";
import type { Meaning, MeaningDocument } from "@stet/meaning/meaning";
import type { EmbeddingStatus } from "@stet/protocol/embedding";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import { reachesOverLines } from "@stet/text/pattern";
import type { TurnTab } from "@stet/workspace/tabs/tabs";
import * as z from "zod";
import { maxAnswerBytes } from "../answer-size.ts";
import { quoted } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { excerpt } from "./excerpt.ts";
import type { PlaceSearch } from "./find-places.ts";
import { contextOf, type MatchPosition, type SearchContext } from "./search-context.ts";
import { type SeenTab, tabId, tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

const schema = z.object({
  tab_id: tabId,
  query: z.string().min(1).describe("What to find: a description, an exact text, or a regular expression"),
  match_type: z
    .enum(["semantic", "exact", "regex"])
    .optional()
    .describe("semantic (by meaning) unless given"),
  max_results: z.number().int().positive().optional().describe("At most so many places; 5 unless given"),
  include_context: z.boolean().optional().describe("Show the lines around each place; true unless given"),
});

type Request = z.infer<typeof schema>;

interface ScoredMatch extends MatchPosition {
  readonly score: number;
  readonly preview: string;
}

interface ScoredMatches {
  readonly places: readonly ScoredMatch[];
  readonly total: number;
  readonly status: EmbeddingStatus;
  readonly note?: string;
}

export function searchDocument(context: TabsContext): Tool {
  return defineTool({
    name: "search_document",
    description: prompt(import.meta.url, "search_document"),
    traits: ["reads"],
    words: ({ query }) => `Search the document for ${quoted(query)}`,
    schema,
    async execute(request, { signal }) {
      const tab = tabIn(context, request.tab_id);
      if (isFault(tab)) return tab;
      const isByMeaning = (request.match_type ?? "semantic") === "semantic";
      const search = isByMeaning ? searchByMeaning : searchText;
      const found = await search(context, tab, request, signal);
      if (isFault(found)) return found;
      const { matches, left } = tellMatches(context, tab, found.places, request.include_context ?? true);
      const notes = [found.note, left].filter((note) => note !== undefined);
      const common = { tab_id: tab.info.tab_id, version: tab.info.version };
      return {
        content: {
          ...common,
          embedding_status: found.status,
          matches,
          total_matches: found.total,
          ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
        },
        details: { ...common, query: request.query, total_matches: found.total },
      };
    },
  });
}

/** More than one answer can hold. */
const mostTold = 1000;
/** Characters of a line that a preview shows on either side of a match. */
const previewMargin = 80;

async function searchText(
  { meaning }: TabsContext,
  tab: SeenTab,
  { query, match_type, max_results = 5 }: Request,
  signal: AbortSignal,
): Promise<ScoredMatches | Fault> {
  const { findPlaces } = await import("./find-places.ts");
  const { text } = tab.history;
  const max = Math.min(max_results, mostTold);
  const search = { query, isRegex: match_type === "regex", caseSensitive: true, max };
  let found = await findPlaces(text, search, signal);
  if (isFault(found)) return found;
  let note: string | undefined;
  const loosened = found.total > 0 ? undefined : loosenedSearch(search);
  if (loosened !== undefined) {
    const again = await findPlaces(text, loosened.search, signal);
    if (isFault(again)) return again;
    if (again.total > 0) ({ found, note } = { found: again, note: loosened.note });
  }
  if (found.total === 0 && !search.isRegex) note = await lookAlikeNote(text, query);
  const places = found.matches.map(({ from, to, line }) => {
    const start = text.line(line).from;
    const content = lineContent(text, line - 1);
    const columns = { from: from - start, to: Math.min(to - start, content.length) };
    const preview = excerpt(content, columns.from, columns.to, previewMargin).text;
    return { line: line - 1, lastLine: text.lineAt(to).number - 1, ...columns, score: 1, preview };
  });
  const status = isUsable(meaning) ? meaning.status(sourceOf(tab)) : "unavailable";
  return { places, total: found.total, status, ...(note === undefined ? {} : { note }) };
}

async function lookAlikeNote(text: Text, query: string): Promise<string | undefined> {
  const { similarLines } = await import("@stet/text/near-miss");
  const { similar } = await import("./no-match-note.ts");
  const hint = similar(similarLines(text, query));
  return hint === undefined ? undefined : `Nothing matches exactly; there is ${hint}.`;
}

/** What is searched for where nothing matches as it is written. */
function loosenedSearch(search: PlaceSearch): { search: PlaceSearch; note: string } | undefined {
  if (!search.isRegex) {
    return {
      search: { ...search, caseSensitive: false },
      note: "Nothing matches with this case of letters; these places match if case is ignored.",
    };
  }
  if (reachesOverLines(search.query)) return undefined;
  return {
    search: { ...search, query: `(?s)${search.query}` },
    note: "Nothing matches within one line; these places match over line ends, with (?s) in front of the expression.",
  };
}

async function searchByMeaning(
  { meaning }: TabsContext,
  tab: SeenTab,
  { query, max_results = 5 }: Request,
  signal: AbortSignal,
): Promise<ScoredMatches | Fault> {
  if (query.trim() === "") {
    return new Fault(
      "invalid_arguments",
      "The query is blank, so it has no meaning to search for.",
      'Describe what to find; to find white space, use match_type="exact".',
    );
  }
  if (!isUsable(meaning)) {
    return embeddingsUnavailable(
      meaning?.message ?? "Search by meaning needs an embedding model, and none is configured.",
    );
  }
  const found = await meaning.search([sourceOf(tab)], query, { limit: max_results, signal });
  if (isFault(found)) {
    return found.error === "embeddings_unavailable" ? embeddingsUnavailable(found.message) : found;
  }
  const { text } = tab.history;
  const total = countLines(text);
  const places = found.matches.map(({ bestLine, endLine, score }) => {
    const lastLine = Math.max(0, Math.min(endLine, total - 1));
    const line = Math.min(bestLine, lastLine);
    const preview = passagePreview(text, line, lastLine);
    return { line, lastLine, from: 0, to: 0, score: Math.round(score * 1000) / 1000, preview };
  });
  return { places, total: places.length, status: found.status };
}

function isUsable(meaning: Meaning | Fault | undefined): meaning is Meaning {
  return meaning !== undefined && !isFault(meaning);
}

function sourceOf({ document, history, info }: TurnTab): MeaningDocument {
  return { key: `document:${document}`, text: history.text, fileType: info.file_type };
}

/** A passage from its best line on. */
function passagePreview(text: Text, line: number, lastLine: number): string {
  let start = "";
  for (let at = line; at <= lastLine && start.length <= 2 * previewMargin; at += 1) {
    start += ` ${lineContent(text, at)
      .slice(0, 4 * previewMargin)
      .trim()}`;
  }
  return excerpt(start.trim(), 0, 0, 2 * previewMargin).text;
}

function embeddingsUnavailable(reason: string): Fault {
  return new Fault(
    "embeddings_unavailable",
    reason,
    'Use match_type="exact" for words that must be in the text, or match_type="regex" for a pattern.',
    { embedding_status: "unavailable" },
  );
}

interface ToldMatch {
  readonly line: number;
  readonly score: number;
  readonly preview: string;
  readonly context?: SearchContext;
}

/** As many matches as one answer can hold; then their contexts, as far as those fit, too. Lines shown count as read. */
function tellMatches(
  { sight, tokenBudget }: TabsContext,
  tab: SeenTab,
  places: readonly ScoredMatch[],
  includeContext: boolean,
): { matches: ToldMatch[]; left: string | undefined } {
  const { text } = tab.history;
  const total = countLines(text);
  let room = Math.min(maxAnswerBytes, tokenBudget.initialRead * 4);
  const matches: ToldMatch[] = [];
  for (const { line, score, preview } of places) {
    const match = { line, score, preview };
    room -= size(match);
    if (room < 0 && matches.length > 0) break;
    matches.push(match);
  }
  const notes: string[] = [];
  if (matches.length < places.length) {
    notes.push(`Only ${matches.length} matches fit one answer; narrow the query to see others.`);
  }
  let withoutContext = 0;
  for (const [index, match] of includeContext ? matches.entries() : []) {
    const place = places[index];
    if (place === undefined) break;
    const { context, whole } = contextOf(text, total, place);
    room -= size(context);
    if (room < 0 && index > 0) {
      withoutContext = matches.length - index;
      break;
    }
    matches[index] = { ...match, context };
    for (const { start, end } of whole) sight.show(tab, start + 1, end + 1);
  }
  if (withoutContext > 0) notes.push(`The last ${withoutContext} are without context, for want of room.`);
  return { matches, left: notes.length === 0 ? undefined : notes.join(" ") };
}

function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
