import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { analysisTasks } from "../long-documents/analysis-kinds.ts";
import { prompt } from "../prompt.ts";
import { tabId, tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

/** The model is told so many entries of each list; the result's tab has all of them. */
const maxTold = 50;

export function analyzeDocument(context: TabsContext): Tool {
  return defineTool({
    name: "analyze_document",
    description: prompt(import.meta.url, "analyze_document"),
    traits: ["reads", "exclusive"],
    words: ({ task }) => `Analyse the document: ${cut(task)}`,
    schema: z.object({
      tab_id: tabId,
      task: z.enum(analysisTasks).describe("What to analyze"),
      custom_prompt: z.string().optional().describe('What to find out; needed for task "custom"'),
      output_tab: z.string().optional().describe("A tab to write the result over; a new tab unless given"),
    }),
    async execute({ tab_id, task, custom_prompt, output_tab }, call) {
      const source = tabIn(context, tab_id);
      if (isFault(source)) return source;
      const { title, tab_id: sourceId, file_type: fileType } = source.info;
      const output = output_tab === undefined ? undefined : tabIn(context, output_tab);
      if (isFault(output)) return output;
      if (output?.document === source.document) return writesOverSource(sourceId);
      const { analyse } = await import("../long-documents/analyse.ts");
      const { inWorkshop } = await import("../long-documents/workshop-for.ts");
      const { newResultTab, overwriteTab } = await import("../long-documents/result-tab.ts");
      const document = { title, text: source.history.text, fileType };
      const request = { task, customPrompt: custom_prompt };
      const analysis = await inWorkshop(context, call, (workshop) => analyse(workshop, document, request));
      if (isFault(analysis)) return analysis;
      const { summary, details, report } = analysis;
      const result_tab_id =
        output === undefined
          ? await newResultTab(context, {
              source: source.info,
              done: task,
              content: report,
              extension: ".md",
            })
          : await overwriteTab(context, output.info.tab_id, report);
      if (isFault(result_tab_id)) return result_tab_id;
      const told = { status: "complete", result_tab_id, summary, details: shortened(details) };
      return { content: told, details: { ...told, details } };
    },
  });
}

function writesOverSource(tab: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The result would write over ${tab}, the document that it is about.`,
    "Leave output_tab out to get a new tab, or name another tab.",
    { output_tab: tab },
  );
}

function shortened(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const cut = Object.entries(details).filter(([, value]) => Array.isArray(value) && value.length > maxTold);
  const told = Object.entries(details).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, maxTold) : value,
  ]);
  const note = cut.map(([name]) => `The first ${maxTold} ${name}; the result's tab has all.`).join(" ");
  return { ...Object.fromEntries(told), ...(note === "" ? {} : { note }) };
}
