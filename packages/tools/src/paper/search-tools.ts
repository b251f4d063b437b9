// search_paper, search_chat and search_tools.

import type { Text } from "@codemirror/state";
import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { lineContent } from "@stet/text/lines";
import { searchSentences } from "@stet/text/sentences/sentence-search";
import * as z from "zod";
import { quoted } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import type { CurrentLine, Paper } from "./paper.ts";
import { outcome } from "./paper-events.ts";
import { linesOf, type SearchLine } from "./paper-searches.ts";
import { type Card, type CardSource, rankCards } from "./rank-cards.ts";

const matchChars = 500;
const defaultLimit = 5;
const mostResults = 100;
const mostCards = 20;
/** Matches that the model is shown with their text. The rest is named by its line numbers. */
const shownMatches = 5;

const schema = z.object({
  query: z.string().max(1000).describe("What to look for, in any language"),
  limit: z.number().optional().describe("At most so many results; 5 unless given"),
});

/** As the original read it: nothing and 0 mean the default. */
function limitOf(limit: number | undefined, most: number): number {
  return Math.min(most, Math.max(1, Math.floor(limit || defaultLimit)));
}

/** `knowledge` is what search_tools looks through. */
export function searchTools(paper: Paper, knowledge: () => readonly CardSource[]): Tool[] {
  const { messages, embedder } = paper.context;
  return [
    defineTool({
      name: "search_paper",
      description: prompt(import.meta.url, "search_paper"),
      traits: ["reads", "exclusive"],
      words: ({ query }) => `Search the paper for ${quoted(query)}`,
      schema,
      execute: async (input) => searchPaper(paper, input),
    }),
    defineTool({
      name: "search_chat",
      description: prompt(import.meta.url, "search_chat"),
      traits: ["reads", "exclusive"],
      words: ({ query }) => `Search the conversation for ${quoted(query)}`,
      schema,
      async execute({ query, limit }, { signal }) {
        if (query.trim() === "") return emptyQuery();
        const options = { limit: limitOf(limit, mostCards), embedder, signal };
        return cardsFound("chat", query, await rankCards(spoken(messages()), query, options));
      },
    }),
    defineTool({
      name: "search_tools",
      description: prompt(import.meta.url, "search_tools"),
      traits: ["reads", "exclusive"],
      words: ({ query }) => `Look for a tool: ${quoted(query)}`,
      schema,
      async execute({ query, limit }) {
        if (query.trim() === "") return emptyQuery();
        const cards = await rankCards(knowledge(), query, { limit: limitOf(limit, mostCards) });
        return cardsFound("tools", query, cards);
      },
    }),
  ];
}

function searchPaper(paper: Paper, { query, limit }: z.infer<typeof schema>): ToolOutcome | Fault {
  const history = paper.history();
  if (isFault(history)) return history;
  if (query.trim() === "") return emptyQuery();
  const options = { limit: limitOf(limit, mostResults), maxChars: matchChars };
  const { results: found, totalMatches } = searchSentences(history.text, query, options);
  const results = found.map(({ match, lines }) => ({
    match,
    lines: lines.map((line) => searchLine(history.text, line)),
  }));
  paper.searches.current = results.length === 0 ? undefined : { query, result: results };
  if (results.length > 0) paper.failures.clear();
  const shown = results.slice(0, shownMatches);
  const shownLines = linesOf(shown);
  const shownNumbers = new Set(shownLines.map(({ line }) => line));
  const more = linesOf(results).flatMap(({ line }) => (shownNumbers.has(line) ? [] : [line]));
  paper.show(history, shownLines.map(numbered));
  const lines = results.flatMap(({ match, lines }) =>
    lines.map(({ line, content }) => ({ lineNumber: line, text: content, snippet: match })),
  );
  return outcome(
    {
      success: true,
      matches: results.length,
      totalMatches,
      rev: history.revision,
      results: shown,
      ...(more.length > 0 ? { moreLines: more } : {}),
      ...(results.length === 0 ? { note: "Nothing was found. Try other words, or fewer of them." } : {}),
    },
    {
      type: "search.result",
      data: { type: "paper", query, lines, totalMatches, keyword: found[0]?.keyword ?? query },
    },
  );
}

/** A part of a long line is marked as one: it must not be taken for the line. */
function searchLine(text: Text, { line, content }: SearchLine): SearchLine {
  const whole = lineContent(text, line - 1);
  if (content === whole) return { line, content };
  const start = whole.startsWith(content) ? "" : "…";
  const end = whole.endsWith(content) ? "" : "…";
  return { line, content: `${start}${content}${end}`, isPart: true };
}

export function numbered({ line, content }: SearchLine): CurrentLine {
  return { lineNumber: line, content };
}

function cardsFound(type: "chat" | "tools", query: string, cards: Card[]): ToolOutcome {
  return outcome(
    { success: true, cards: cards.length, results: cards },
    { type: "search.result", data: { type, query, cards, totalMatches: cards.length, keyword: query } },
  );
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

function emptyQuery(): Fault {
  return new Fault(
    "content_required",
    "There is nothing to search for: the query is empty.",
    "Give a word or a phrase.",
  );
}
