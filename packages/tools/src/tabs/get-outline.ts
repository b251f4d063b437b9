import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import type { OutlineItem } from "@stet/text/outline/outline";
import * as z from "zod";
import { maxAnswerBytes } from "../answer-size.ts";
import { prompt } from "../prompt.ts";
import { tabId, tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export function getOutline(context: TabsContext): Tool {
  return defineTool({
    name: "get_outline",
    description: prompt(import.meta.url, "get_outline"),
    traits: ["reads"],
    words: () => "Look at the outline",
    schema: z.object({
      tab_id: tabId,
      max_depth: z.number().int().positive().optional().describe("Deepest level to list; 3 unless given"),
      detect_chapters: z.boolean().optional().describe("In plain text, look for chapters; true unless given"),
    }),
    async execute({ tab_id, max_depth = 3, detect_chapters = true }) {
      const tab = tabIn(context, tab_id);
      if (isFault(tab)) return tab;
      const { tab_id: id, version, file_type } = tab.info;
      const { outlineOf } = await import("@stet/text/outline/outline");
      const found = await outlineOf(tab.history.text, file_type, {
        maxDepth: max_depth,
        detectChapters: detect_chapters,
      });
      const { outline, isCut } = fitting(found.outline);
      const note = isCut ? { note: joined(found.note, leftOut(tab.info.line_count)) } : {};
      return {
        content: { tab_id: id, version, file_type, ...found, outline, ...note },
        details: { tab_id: id, version, detection_method: found.detection_method, is_cut: isCut },
      };
    },
  });
}

/** An outline is for finding one's way: where it is too long, the deepest levels go first, then what is last. */
function fitting(outline: readonly OutlineItem[]): { outline: readonly OutlineItem[]; isCut: boolean } {
  if (size(outline) <= maxAnswerBytes) return { outline, isCut: false };
  let pruned = outline;
  for (let depth = depthOf(outline) - 1; depth >= 1; depth -= 1) {
    pruned = pruned.map((item) => upTo(item, depth));
    if (size(pruned) <= maxAnswerBytes) return { outline: pruned, isCut: true };
  }
  const kept: OutlineItem[] = [];
  let bytes = 0;
  for (const item of pruned) {
    bytes += size(item) + 1;
    if (bytes > maxAnswerBytes) break;
    kept.push(item);
  }
  return { outline: kept, isCut: true };
}

function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function depthOf(items: readonly OutlineItem[]): number {
  return items.reduce((most, item) => Math.max(most, 1 + depthOf(item.children ?? [])), 0);
}

/** The item with so many levels, its own among them. */
function upTo(item: OutlineItem, depth: number): OutlineItem {
  const { children, ...rest } = item;
  if (children === undefined || depth <= 1) return rest;
  return { ...rest, children: children.map((child) => upTo(child, depth - 1)) };
}

function joined(...notes: readonly (string | undefined)[]): string {
  return notes.filter((note) => note !== undefined).join(" ");
}

function leftOut(lines: number): string {
  return (
    `The outline of these ${lines} lines is too long for one answer, so deeper levels or the last sections are left out. ` +
    "Use search_document or read_document to go on from a section."
  );
}
