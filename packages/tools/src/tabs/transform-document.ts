import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { TurnTab } from "@stet/workspace/tabs/tabs";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { paramsSchema, transformations } from "../long-documents/transform-kinds.ts";
import { prompt } from "../prompt.ts";
import { tabAt, tabId, tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

/** The model is told so many issues; people see all of them. */
const maxTold = 50;

export function transformDocument(context: TabsContext): Tool {
  return defineTool({
    name: "transform_document",
    description: prompt(import.meta.url, "transform_document"),
    traits: ["edits", "exclusive"],
    words: ({ transformation }) => `Transform the document: ${cut(transformation).replaceAll("_", " ")}`,
    schema: z.object({
      tab_id: tabId,
      transformation: z.enum(transformations).describe("What to do"),
      params: paramsSchema.optional().describe("What the transformation needs"),
      custom_prompt: z.string().optional().describe('Instructions; needed for "custom"'),
      output_mode: z
        .enum(["new_tab", "in_place"])
        .optional()
        .describe("Where the result goes; a new tab unless given"),
      version: z
        .string()
        .optional()
        .describe('For "in_place": the version that the last read or edit of this tab returned'),
    }),
    async execute({ tab_id, transformation, params, custom_prompt, output_mode, version }, call) {
      const isInPlace = output_mode === "in_place";
      if (isInPlace && version === undefined) return versionNeeded();
      const source = version === undefined ? tabIn(context, tab_id) : tabAt(context, tab_id, version);
      if (isFault(source)) return source;
      const { title, file_type: fileType } = source.info;
      const { transform } = await import("../long-documents/transform.ts");
      const { inWorkshop } = await import("../long-documents/workshop-for.ts");
      const document = { title, text: source.history.text, fileType };
      const request = { transformation, params, customPrompt: custom_prompt };
      const transformed = await inWorkshop(context, call, (workshop) =>
        transform(workshop, document, request),
      );
      if (isFault(transformed)) return transformed;
      const { edits, changesMade, summary, issues } = transformed;
      const placed = isInPlace
        ? await editInPlace(context, source, edits, transformation !== "character_rename")
        : await writeNewTab(context, source, edits, transformation);
      if (isFault(placed)) return placed;
      const told = { status: "complete", ...placed, changes_made: changesMade, summary };
      const more = issues.length > maxTold ? { issues_total: issues.length } : {};
      const shown = issues.length === 0 ? {} : { issues: issues.slice(0, maxTold), ...more };
      return { content: { ...told, ...shown }, details: { ...told, issues } };
    },
  });
}

async function editInPlace(
  context: TabsContext,
  { info, document, history }: TurnTab,
  edits: readonly LineEdit[],
  rewrite: boolean,
): Promise<{ result_tab_id: string; version: string } | Fault> {
  // The work takes a while: what happened elsewhere in the document meanwhile stays, and the same lines are a conflict.
  const request = { revision: history.revision, policy: { kind: "rebase" }, edits, rewrite } as const;
  const report = await context.turn.step(() => context.turn.edit(document, request));
  if (isFault(report)) return report;
  const now = tabIn(context, info.tab_id);
  return isFault(now) ? now : { result_tab_id: now.info.tab_id, version: now.info.version };
}

async function writeNewTab(
  context: TabsContext,
  { history, info: source }: TurnTab,
  edits: readonly LineEdit[],
  done: string,
): Promise<{ result_tab_id: string } | Fault> {
  const [{ planEdits }, { changeOf }, { newResultTab }] = await Promise.all([
    import("@stet/text/edits"),
    import("@stet/text/lines"),
    import("../long-documents/result-tab.ts"),
  ]);
  const planned = planEdits(history.text, edits);
  if (isFault(planned)) return planned;
  const content = changeOf(history.text, planned).apply(history.text).toString();
  const result_tab_id = await newResultTab(context, { source, done, content });
  return isFault(result_tab_id) ? result_tab_id : { result_tab_id };
}

function versionNeeded(): Fault {
  return new Fault(
    "invalid_arguments",
    'output_mode "in_place" needs the version of the document that is to be changed.',
    "Call read_document to get the version, then call again with it; or leave output_mode out to get a new tab.",
    { missing: "version" },
  );
}
