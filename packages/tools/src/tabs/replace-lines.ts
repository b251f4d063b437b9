import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import { linesOf } from "@stet/text/lines";
import * as z from "zod";
import { lineWords, previewWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { removeUnseen } from "../sight/unseen-text.ts";
import { editLines } from "./edit-lines.ts";
import { dryRun, tabId, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export function replaceLines(context: TabsContext): Tool {
  return defineTool({
    name: "replace_lines",
    description: prompt(import.meta.url, "replace_lines"),
    traits: ["edits", "exclusive"],
    words: ({ start_line, end_line, dry_run }) =>
      previewWords(`Replace${lineWords(start_line, end_line, 1).slice(1)}`, dry_run),
    schema: z.object({
      version,
      start_line: z.number().int().describe("First line to replace, from 0"),
      end_line: z.number().int().describe("Last line to replace, inclusive"),
      content: z.string().describe("The new lines; empty to delete the range"),
      tab_id: tabId,
      dry_run: dryRun,
      remove_unseen: removeUnseen,
      match_text: z
        .string()
        .optional()
        .describe("Text at the start of the range; finds it again where lines have shifted"),
    }),
    async execute({ start_line, end_line, content, ...request }) {
      const edit = { op: "replace", start: start_line, end: end_line, content } as const;
      const edited = await editLines(context, request, edit);
      if (isFault(edited)) return edited;
      const { tab_id, version, status, start, end, isMoved, before, after } = edited;
      const range = end_line - start_line + 1;
      const lines_affected = affected(range, linesOf(content).length, after - before);
      const moved = isMoved ? { adjusted_range: { start_line: start, end_line: end } } : {};
      const told = { tab_id, version, status, lines_affected, ...moved };
      return { content: told, details: told };
    },
  });
}

/** An empty line that comes to stand at the very end is the final line break, and no longer counts. */
function affected(
  removed: number,
  added: number,
  net: number,
): { removed: number; added: number; net_change: number } {
  const uncounted = added - removed - net;
  const gone = Math.min(added, Math.max(0, uncounted));
  return { removed: removed + uncounted - gone, added: added - gone, net_change: net };
}
