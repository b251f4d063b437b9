// What is found, for the model and for people.

import type { ToolOutcome } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import type { ContextParams } from "./context-handler.ts";
import type { Executed } from "./controller.ts";
import { type Executor, outcome } from "./executor.ts";
import { linesOf, type SearchLine, type SearchResult } from "./paper-searches.ts";
import type { CardsFound, SearchParams } from "./search-handlers.ts";

/** Matches that the model is shown with their text. The rest is named by its line numbers. */
const shownMatches = 5;

export const executeSearchPaper: Executor<SearchParams> = async (
  { paper, controller },
  { query, limit },
  call,
) => {
  const result = await controller.execute("search_paper", { query, limit }, call);
  if (!result.ok) return result.error;
  const { results, totalMatches, keyword, rev } = result.output;
  const shown = results.slice(0, shownMatches).map(({ match, lines }) => ({ match, lines }));
  const shownNumbers = new Set(shown.flatMap(({ lines }) => lines.map(({ line }) => line)));
  const more = linesOf(results).flatMap(({ line }) => (shownNumbers.has(line) ? [] : [line]));
  paper.show(rev, shown.flatMap(({ lines }) => lines).map(numbered));
  return outcome(
    {
      success: true,
      matches: results.length,
      totalMatches,
      rev,
      results: shown,
      ...(more.length > 0 ? { moreLines: more } : {}),
      ...(results.length === 0 ? { note: "Nothing was found. Try other words, or fewer of them." } : {}),
    },
    {
      type: "search.result",
      data: { type: "paper", query, lines: eventLines(results), totalMatches, keyword },
    },
  );
};

function numbered({ line, content }: SearchLine): { lineNumber: number; content: string } {
  return { lineNumber: line, content };
}

function eventLines(results: readonly SearchResult[]) {
  return results.flatMap(({ match, lines }) =>
    lines.map(({ line, content }) => ({ lineNumber: line, text: content, snippet: match })),
  );
}

export const executeSearchChat: Executor<SearchParams> = ({ controller }, { query, limit }, call) =>
  executeCards("chat", query, controller.execute("search_chat", { query, limit }, call));

export const executeSearchTools: Executor<SearchParams> = ({ controller }, { query, limit }, call) =>
  executeCards("tools", query, controller.execute("search_tools", { query, limit }, call));

async function executeCards(
  type: "chat" | "tools",
  query: string,
  executed: Promise<Executed<CardsFound>>,
): Promise<ToolOutcome | Fault> {
  const result = await executed;
  if (!result.ok) return result.error;
  const cards = [...result.output.cards];
  return outcome(
    { success: true, cards: cards.length, results: cards },
    { type: "search.result", data: { type, query, cards, totalMatches: cards.length, keyword: query } },
  );
}

export const executeGetContextLines: Executor<ContextParams> = async (
  { paper, controller },
  params,
  call,
) => {
  const result = await controller.execute("get_context_lines", params, call);
  if (!result.ok) return result.error;
  const { contextLines, rows, rev, notes } = result.output;
  paper.show(rev, contextLines);
  const { lineNumber = null, ranges = [] } = params;
  const context = contextLines.map(({ lineNumber, content }) => ({ lineNumber, text: content }));
  return outcome(
    {
      success: true,
      params,
      ranges: ranges.length + (lineNumber === null ? 0 : 1),
      rows,
      rev,
      lines: contextLines,
      ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
    },
    { type: "context.retrieved", data: { lineNumber, context, totalLines: rows } },
  );
};
