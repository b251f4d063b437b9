import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { lineWords, previewWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { removeUnseen } from "../sight/unseen-text.ts";
import { editLines } from "./edit-lines.ts";
import { dryRun, tabId, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export function deleteLines(context: TabsContext): Tool {
  return defineTool({
    name: "delete_lines",
    description: prompt(import.meta.url, "delete_lines"),
    traits: ["edits", "exclusive"],
    words: ({ start_line, end_line, dry_run }) =>
      previewWords(`Delete${lineWords(start_line, end_line, 1).slice(1)}`, dry_run),
    schema: z.object({
      version,
      start_line: z.number().int().describe("First line to delete, from 0"),
      end_line: z.number().int().describe("Last line to delete, inclusive"),
      tab_id: tabId,
      dry_run: dryRun,
      remove_unseen: removeUnseen,
    }),
    async execute({ start_line, end_line, ...request }) {
      const edited = await editLines(context, request, { op: "delete", start: start_line, end: end_line });
      if (isFault(edited)) return edited;
      const { tab_id, version, status, before, after } = edited;
      const told = { tab_id, version, status, lines_deleted: before - after };
      return { content: told, details: told };
    },
  });
}
