// keep_search, retrieve_search, get_kept_searches, clear_kept_search and clear_all_kept_searches.

import type { Text } from "@codemirror/state";
import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { cutTextCounted } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import { lineContent } from "@stet/text/lines";
import * as z from "zod";
import { quoted } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import type { Paper } from "./paper.ts";
import { outcome } from "./paper-events.ts";
import { linesOf, type SearchLine } from "./paper-searches.ts";
import { numbered } from "./search-tools.ts";

const maxKept = 50;
/** What a list of searches shows of each query. */
const queryChars = 200;
/** Lines that the model is shown with their text. The rest is named by its numbers. */
const shownLines = 15;

const nothing = z.strictObject({});
const schema = z.object({
  key: z.string().max(100).describe("The name that the search is kept under, such as 'auth_results'"),
});

export function keptSearchTools(paper: Paper): Tool[] {
  const { searches } = paper;
  const { kept } = searches;
  return [
    defineTool({
      name: "keep_search",
      description: prompt(import.meta.url, "keep_search"),
      traits: ["reads", "exclusive"],
      words: ({ key }) => `Keep the search as ${quoted(key)}`,
      schema,
      async execute({ key: given }) {
        const key = given || "search";
        const { current } = searches;
        if (current === undefined) return noSearch();
        if (!kept.has(key) && kept.size >= maxKept) return tooMany();
        kept.set(key, { ...current, timestamp: Date.now() });
        const { query, result } = current;
        return outcome(
          { success: true, key, query, totalSaved: kept.size },
          { type: "search.kept", data: { key, query, lineCount: linesOf(result).length } },
        );
      },
    }),
    defineTool({
      name: "retrieve_search",
      description: prompt(import.meta.url, "retrieve_search"),
      traits: ["reads", "exclusive"],
      words: ({ key }) => `Look at the kept search ${quoted(key)}`,
      schema,
      execute: async ({ key }) => retrieveSearch(paper, key),
    }),
    defineTool({
      name: "get_kept_searches",
      description: prompt(import.meta.url, "get_kept_searches"),
      traits: ["reads", "exclusive"],
      words: () => "Look at the kept searches",
      schema: nothing,
      async execute() {
        const list = [...kept].map(([key, { query, timestamp, result }]) => {
          return { key, query: cutTextCounted(query, queryChars), timestamp, resultCount: result.length };
        });
        return outcome({ success: true, searches: list, total: list.length });
      },
    }),
    defineTool({
      name: "clear_kept_search",
      description: prompt(import.meta.url, "clear_kept_search"),
      traits: ["reads", "exclusive"],
      words: ({ key }) => `Forget the kept search ${quoted(key)}`,
      schema,
      async execute({ key }) {
        const deleted = kept.delete(key);
        return outcome(
          { success: true, key, deleted, remaining: kept.size },
          { type: "search.cleared", data: { key } },
        );
      },
    }),
    defineTool({
      name: "clear_all_kept_searches",
      description: prompt(import.meta.url, "clear_all_kept_searches"),
      traits: ["reads", "exclusive"],
      words: () => "Forget all kept searches",
      schema: nothing,
      async execute() {
        const cleared = kept.size;
        kept.clear();
        searches.current = undefined;
        return outcome({ success: true, cleared });
      },
    }),
  ];
}

function retrieveSearch(paper: Paper, key: string): ToolOutcome | Fault {
  const { searches } = paper;
  const saved = searches.kept.get(key);
  if (saved === undefined) return notFound(key, [...searches.kept.keys()]);
  const history = paper.history();
  if (isFault(history)) return history;
  const { query, result } = saved;
  searches.current = { query, result };
  const all = linesOf(result);
  const stale = new Set(all.filter((line) => !isStillThere(history.text, line)));
  const shown = all.slice(0, shownLines);
  const more = all.slice(shownLines).map(({ line }) => line);
  paper.show(history, shown.filter((line) => !stale.has(line)).map(numbered));
  return outcome(
    {
      success: true,
      key,
      query,
      resultCount: result.length,
      rev: history.revision,
      lines: shown.map((line) => (stale.has(line) ? { ...line, isStale: true } : line)),
      ...(more.length > 0 ? { moreLines: more } : {}),
      ...(stale.size > 0
        ? { note: "The paper has changed at the stale lines: search again before you edit." }
        : {}),
    },
    { type: "search.retrieved", data: { key, query, lineCount: all.length } },
  );
}

/** Whether the paper still has at its number what was found there. */
function isStillThere(text: Text, { line, content, isPart }: SearchLine): boolean {
  if (line > text.lines) return false;
  const whole = lineContent(text, line - 1);
  return isPart ? whole.includes(content.replace(/^…|…$/g, "")) : whole === content;
}

function noSearch(): Fault {
  return new Fault(
    "no_match",
    "No active search result to keep. Call search_paper() first.",
    "Search for something that is in the paper, then keep it.",
  );
}

function tooMany(): Fault {
  return new Fault(
    "not_allowed",
    `${maxKept} searches are kept already.`,
    "Clear one with clear_kept_search() first; get_kept_searches() lists them.",
  );
}

function notFound(key: string, keys: readonly string[]): Fault {
  const there = keys.length === 0 ? "None is kept; search again." : `Kept are: ${keys.join(", ")}.`;
  return new Fault("no_match", `Search key '${key}' not found`, there);
}
