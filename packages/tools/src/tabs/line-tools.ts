// insert_lines, replace_lines and delete_lines. Lines count from 0.

import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { linesOf } from "@stet/text/lines";
import * as z from "zod";
import { lineWords, previewWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { removeUnseen } from "../sight/unseen-text.ts";
import { type EditedLines, editLines } from "./edit-lines.ts";
import { dryRun, tabId, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

const tabFields = { tab_id: tabId, dry_run: dryRun };
const matchText = z.string().optional();
const rangeWords = (verb: string, start: unknown, end: unknown) =>
  `${verb}${lineWords(start, end, 1).slice(1)}`;

/** What is told of an edit beside tab, version and status. */
function outcomeOf(
  edited: EditedLines | Fault,
  more: (edited: EditedLines) => Readonly<Record<string, unknown>>,
): ToolOutcome | Fault {
  if (isFault(edited)) return edited;
  const { tab_id, version, status } = edited;
  const content = { tab_id, version, status, ...more(edited) };
  return { content, details: content };
}

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
      ...tabFields,
      match_text: matchText.describe(
        "Text of the line to insert after; finds it again where lines have shifted",
      ),
    }),
    async execute({ after_line, content, ...request }) {
      const edited = await editLines(context, request, { op: "insert", after: after_line + 1, content });
      return outcomeOf(edited, ({ start, before, after }) => {
        const added = after - before;
        const end = { after_line: start - 1, lines_added: added };
        const inserted_at =
          added > 0
            ? { ...end, new_lines: { start, end: start + added - 1 } }
            : { ...end, new_lines: null, note: "An empty last line is the document's final line break." };
        return { inserted_at };
      });
    },
  });
}

export function replaceLines(context: TabsContext): Tool {
  return defineTool({
    name: "replace_lines",
    description: prompt(import.meta.url, "replace_lines"),
    traits: ["edits", "exclusive"],
    words: ({ start_line, end_line, dry_run }) =>
      previewWords(rangeWords("Replace", start_line, end_line), dry_run),
    schema: z.object({
      version,
      start_line: z.number().int().describe("First line to replace, from 0"),
      end_line: z.number().int().describe("Last line to replace, inclusive"),
      content: z.string().describe("The new lines; empty to delete the range"),
      ...tabFields,
      remove_unseen: removeUnseen,
      match_text: matchText.describe(
        "Text at the start of the range; finds it again where lines have shifted",
      ),
    }),
    async execute({ start_line, end_line, content, ...request }) {
      const range = { from: start_line + 1, to: end_line + 1 };
      const edited = await editLines(context, request, { op: "replace", ...range, content });
      return outcomeOf(edited, ({ start, end, isMoved, before, after }) => ({
        lines_affected: affected(end_line - start_line + 1, linesOf(content).length, after - before),
        ...(isMoved ? { adjusted_range: { start_line: start, end_line: end } } : {}),
      }));
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

export function deleteLines(context: TabsContext): Tool {
  return defineTool({
    name: "delete_lines",
    description: prompt(import.meta.url, "delete_lines"),
    traits: ["edits", "exclusive"],
    words: ({ start_line, end_line, dry_run }) =>
      previewWords(rangeWords("Delete", start_line, end_line), dry_run),
    schema: z.object({
      version,
      start_line: z.number().int().describe("First line to delete, from 0"),
      end_line: z.number().int().describe("Last line to delete, inclusive"),
      ...tabFields,
      remove_unseen: removeUnseen,
    }),
    async execute({ start_line, end_line, ...request }) {
      const range = { from: start_line + 1, to: end_line + 1 };
      const edited = await editLines(context, request, { op: "delete", ...range });
      return outcomeOf(edited, ({ before, after }) => ({ lines_deleted: before - after }));
    },
  });
}
