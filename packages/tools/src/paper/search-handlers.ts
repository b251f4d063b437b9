// search_paper, search_chat, search_tools: what each finds, as it is, before anything is shortened for the model.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { lineContent } from "@stet/text/lines";
import { searchSentences } from "@stet/text/sentence-search";
import type { Call, Paper } from "./paper.ts";
import type { SearchLine, SearchResult } from "./paper-searches.ts";
import { type Card, type CardSource, rankCards } from "./rank-cards.ts";

export interface SearchParams {
  readonly query: string;
  readonly limit?: number | undefined;
}

export interface PaperFound {
  readonly results: readonly SearchResult[];
  /** Also those beyond the limit. */
  readonly totalMatches: number;
  readonly keyword: string;
  readonly rev: number;
}

export interface CardsFound {
  readonly cards: readonly Card[];
}

const matchChars = 500;
const defaultLimit = 5;
const mostResults = 100;
const mostCards = 20;

/** As the original read it: nothing and 0 mean the default. */
function limitOf(limit: number | undefined, most: number): number {
  return Math.min(most, Math.max(1, Math.floor(limit || defaultLimit)));
}

export function searchPaper(paper: Paper, { query, limit }: SearchParams): PaperFound | Fault {
  const history = paper.history();
  if (isFault(history)) return history;
  const wanted = query.trim() === "" ? emptyQuery() : query;
  if (isFault(wanted)) return wanted;
  const options = { limit: limitOf(limit, mostResults), maxChars: matchChars };
  const found = searchSentences(history.text, query, options);
  const results = found.results.map(({ match, keyword, lines }) => ({
    match,
    keyword,
    lines: lines.map((shown) => searchLine(history.text, shown)),
  }));
  paper.searches.current = results.length === 0 ? undefined : { query, result: results };
  return {
    results,
    totalMatches: found.totalMatches,
    keyword: results[0]?.keyword ?? query,
    rev: history.revision,
  };
}

/** A part of a long line is marked as one: it must not be taken for the line. */
function searchLine(text: Text, { line, content }: SearchLine): SearchLine {
  const whole = lineContent(text, line - 1);
  if (content === whole) return { line, content };
  const start = whole.startsWith(content) ? "" : "…";
  const end = whole.endsWith(content) ? "" : "…";
  return { line, content: `${start}${content}${end}`, isPart: true };
}

/** Whether the paper still has at its number what was found there. */
export function isStillThere(text: Text, { line, content, isPart }: SearchLine): boolean {
  if (line > text.lines) return false;
  const whole = lineContent(text, line - 1);
  return isPart ? whole.includes(content.replace(/^…|…$/g, "")) : whole === content;
}

export async function searchChat(
  { context }: Paper,
  { query, limit }: SearchParams,
  { signal }: Call,
): Promise<CardsFound | Fault> {
  if (query.trim() === "") return emptyQuery();
  const { embedder } = context;
  const cards = await rankCards(spoken(context.messages()), query, {
    limit: limitOf(limit, mostCards),
    embedder,
    signal,
  });
  return { cards };
}

/** What was said. Results of tools are left out: they are found again by the tool. */
function spoken(messages: readonly Message[]): CardSource[] {
  return messages.flatMap((message, index) => {
    if (message.role === "toolResult") return [];
    const parts = typeof message.content === "string" ? [message.content] : message.content.map(textOf);
    const text = parts.filter((part) => part !== "").join("\n");
    return text === "" ? [] : [{ id: `message_${index + 1}`, role: message.role, text }];
  });
}

function textOf(part: { readonly type: string; readonly text?: string }): string {
  return part.type === "text" ? (part.text ?? "") : "";
}

export async function searchTools(paper: Paper, { query, limit }: SearchParams): Promise<CardsFound | Fault> {
  if (query.trim() === "") return emptyQuery();
  return { cards: await rankCards(paper.knowledge(), query, { limit: limitOf(limit, mostCards) }) };
}

function emptyQuery(): Fault {
  return new Fault(
    "content_required",
    "There is nothing to search for: the query is empty.",
    "Give a word or a phrase.",
  );
}
