import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { previewWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { editLines } from "./edit-lines.ts";
import { dryRun, tabId, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export function insertLines(context: TabsContext): Tool {
  return defineTool({
    name: "insert_lines",
    description: prompt(import.meta.url, "insert_lines"),
    traits: ["edits", "exclusive"],
    words: ({ after_line, dry_run }) =>
      previewWords(`Insert lines after line ${Number(after_line) + 1}`, dry_run),
    schema: z.object({
      version,
      after_line: z.number().int().describe("Insert after this line, from 0; -1 is the document's start"),
      content: z.string().describe("The lines to insert"),
      tab_id: tabId,
      dry_run: dryRun,
      match_text: z
        .string()
        .optional()
        .describe("Text of the line to insert after; finds it again where lines have shifted"),
    }),
    async execute({ after_line, content, ...request }) {
      const edited = await editLines(context, request, { op: "insert", after: after_line, content });
      if (isFault(edited)) return edited;
      const { tab_id, version, status, start, before, after } = edited;
      const added = after - before;
      const end = { after_line: start - 1, lines_added: added };
      const inserted_at =
        added > 0
          ? { ...end, new_lines: { start, end: start + added - 1 } }
          : { ...end, new_lines: null, note: "An empty last line is the document's final line break." };
      return {
        content: { tab_id, version, status, inserted_at },
        details: { tab_id, version, status, inserted_at },
      };
    },
  });
}
