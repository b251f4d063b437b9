import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import * as z from "zod";
import { lineWords } from "../call-words.ts";
import { loadTokenCounter } from "../count-tokens.ts";
import { prompt } from "../prompt.ts";
import { outOfRange, tabId, tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";
import { estimateTokens, type Window, windowOf } from "./window.ts";

export function readDocument(context: TabsContext): Tool {
  const { sight, tokenBudget } = context;
  return defineTool({
    name: "read_document",
    description: prompt(import.meta.url, "read_document"),
    traits: ["reads"],
    words: ({ start_line, end_line }) => `Read the document${lineWords(start_line, end_line, 1)}`,
    schema: z.object({
      tab_id: tabId,
      start_line: z.number().int().optional().describe("First line, from 0; 0 unless given"),
      end_line: z
        .number()
        .int()
        .optional()
        .describe("Last line, inclusive; unless given, as many as fit one answer"),
    }),
    async execute({ tab_id, start_line = 0, end_line }) {
      const tab = tabIn(context, tab_id);
      if (isFault(tab)) return tab;
      const { info, history } = tab;
      const { text } = history;
      const total = countLines(text);
      const isEmptyRead = total === 0 && start_line === 0 && (end_line ?? 0) >= 0;
      const isInRange =
        start_line >= 0 && start_line < total && (end_line === undefined || end_line >= start_line);
      if (!isEmptyRead && !isInRange) return outOfRange(start_line, end_line ?? start_line, total);
      const common = { tab_id: info.tab_id, version: info.version };
      if (isEmptyRead) {
        const nothing = {
          lines: { start: 0, end: -1, total: 0 },
          tokens: { returned: 0, total_estimate: 0 },
        };
        return {
          content: { ...common, content: "", ...nothing, has_more: false },
          details: { ...common, total },
        };
      }
      const count = await loadTokenCounter();
      const last = Math.min(end_line ?? total - 1, total - 1);
      const shown = windowOf(text, start_line, last, tokenBudget.initialRead, count);
      if (shown.cut === undefined) sight.show(tab, start_line + 1, shown.end + 1);
      const lines = { start: start_line, end: shown.end, total };
      const isWhole = lines.start === 0 && lines.end === total - 1 && shown.cut === undefined;
      const tokens = {
        returned: shown.tokens,
        total_estimate: isWhole ? shown.tokens : estimateTokens(text, count),
      };
      const has_more = shown.end < total - 1;
      const content = {
        ...common,
        content: shown.content,
        lines,
        tokens,
        has_more,
        ...(has_more ? { continuation_hint: continuation(tab_id, shown.end + 1) } : {}),
        ...noteOf(shown),
      };
      return { content, details: { ...common, lines, tokens } };
    },
  });
}

function continuation(tabId: string | undefined, next: number): string {
  const tab = tabId === undefined ? "" : `tab_id="${tabId}", `;
  return `Call read_document with ${tab}start_line=${next} to continue`;
}

function noteOf({ cut, end }: Window): { note: string } | undefined {
  if (cut === undefined) return undefined;
  return {
    note:
      `Line ${end} has ${cut.length} characters, more than one answer can hold; only the first ${cut.shown} are shown. ` +
      'To see other parts of it, call search_document with match_type "exact" or "regex": it shows what stands around ' +
      "each match. To change it, use find_and_replace.",
  };
}
