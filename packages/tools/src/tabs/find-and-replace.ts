// Find and replace over a document. Nothing found is no fault: nothing changes, and a note says what would be found.

import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { FindOptions, ReplacePlan } from "@stet/text/find";
import type { TurnTab } from "@stet/workspace/tabs/tabs";
import * as z from "zod";
import { previewWords, quoted } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { allowedTime, countedFromZero, guarded } from "../regex-guard.ts";
import { confirmHint, removeUnseen, unseenLoss } from "../sight/unseen-text.ts";
import { noMatchNote } from "./no-match-note.ts";
import { maxPreviews, plannedForPreviews, previewsOf } from "./replace-preview.ts";
import { checkLines, type SeenTab, tabAt, tabId, tabIn, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

const schema = z.object({
  version,
  find: z.string().min(1).describe("The text or regular expression to find"),
  replace: z.string().describe("What to put in its place"),
  is_regex: z.boolean().optional().describe("find is a regular expression; false unless given"),
  case_sensitive: z.boolean().optional().describe("Match case; true unless given"),
  whole_word: z.boolean().optional().describe("Match whole words only; false unless given"),
  max_replacements: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Replace at most so many, from the start"),
  tab_id: tabId,
  preview: z.boolean().optional().describe("Only show what would be replaced; false unless given"),
  scope: z
    .object({ start_line: z.number().int(), end_line: z.number().int() })
    .optional()
    .describe("Only these lines, from 0, both included"),
  remove_unseen: removeUnseen,
});

type Request = z.infer<typeof schema>;

export function findAndReplace(context: TabsContext): Tool {
  return defineTool({
    name: "find_and_replace",
    description: prompt(import.meta.url, "find_and_replace"),
    traits: ["edits", "exclusive"],
    words: ({ find, replace, preview }) =>
      previewWords(`Replace ${quoted(find)} with ${quoted(replace)}`, preview),
    schema,
    async execute(request) {
      const tab = tabAt(context, request.tab_id, request.version);
      if (isFault(tab)) return tab;
      const refusal = request.scope && checkLines(tab, request.scope.start_line, request.scope.end_line);
      if (refusal !== undefined) return refusal;
      const plan = await planFor(tab, request);
      if (isFault(plan)) return plan.error === "no_match" ? nothingFound(tab, plan, request) : plan;
      const made = request.preview ? tab.info.version : await carryOut(context, tab, request);
      if (isFault(made)) return made;
      const replaced = Math.min(plan.matchesFound, request.max_replacements ?? plan.matchesFound);
      const told = {
        tab_id: tab.info.tab_id,
        version: made,
        status: request.preview ? "preview" : "success",
        matches_found: plan.matchesFound,
        replacements_made: request.preview ? 0 : replaced,
      };
      const preview = previewsOf(tab.history.text, plan.replacements);
      const truncated = replaced > maxPreviews ? { preview_truncated: true } : {};
      return { content: { ...told, preview, ...truncated }, details: told };
    },
  });
}

/** All matches counted, and as many replacements planned as are shown. A costly expression ends here, before any edit. */
async function planFor({ history: { text } }: TurnTab, request: Request): Promise<ReplacePlan | Fault> {
  const { find, replace } = request;
  const most = Math.min(request.max_replacements ?? plannedForPreviews, plannedForPreviews);
  const options = { ...optionsOf(request), max: most };
  const { planReplace } = await import("@stet/text/find");
  if (!request.is_regex) return planReplace(text, find, replace, options);
  return countedFromZero(
    guarded(find, allowedTime(text.length), () => planReplace(text, find, replace, options)),
  );
}

function optionsOf({ is_regex, case_sensitive, whole_word, max_replacements, scope }: Request): FindOptions {
  return {
    isRegex: is_regex ?? false,
    caseSensitive: case_sensitive ?? true,
    wholeWord: whole_word ?? false,
    ...(max_replacements === undefined ? {} : { max: max_replacements }),
    ...(scope === undefined ? {} : { scope: { fromLine: scope.start_line + 1, toLine: scope.end_line + 1 } }),
  };
}

/** Returns the new version. */
async function carryOut(context: TabsContext, tab: SeenTab, request: Request): Promise<string | Fault> {
  const { turn, sight } = context;
  const { document, history } = tab;
  const unknown = request.remove_unseen === true ? [] : sight.unknown(tab);
  const report = await turn.step(async () => {
    const staged = await turn.replaceAll(document, {
      revision: history.revision,
      policy: { kind: "strict" },
      find: request.find,
      replacement: request.replace,
      options: optionsOf(request),
      rewrite: unknown.length === 0,
    });
    const after = isFault(staged) ? staged : turn.read(document);
    if (isFault(after)) return after;
    const change = after.changes.at(-1);
    const loss = request.is_regex === true && change !== undefined ? unseenLoss(change, unknown) : 0;
    return loss === 0 ? staged : removesUnseen(loss);
  });
  if (isFault(report)) return report.error === "large_deletion" ? removesMuch(report) : report;
  const now = tabIn(context, tab.info.tab_id);
  if (isFault(now)) return now;
  sight.changed(now);
  return now.info.version;
}

function nothingFound(
  { info }: TurnTab,
  fault: Fault,
  { preview = false }: Request,
): { content: Record<string, unknown>; details: unknown } {
  const told = {
    tab_id: info.tab_id,
    version: info.version,
    status: preview ? "preview" : "success",
    matches_found: 0,
    replacements_made: 0,
  };
  return { content: { ...told, preview: [], note: noMatchNote(fault) }, details: told };
}

function removesMuch(fault: Fault): Fault {
  return new Fault(
    "large_deletion",
    `${fault.message} Not all of them were read in this turn. Nothing was changed.`,
    `Look at what goes with preview, and replace in parts with scope, or read the whole document first; ${confirmHint}.`,
    fault.details,
  );
}

/** An expression says what a text looks like, not what it is. */
function removesUnseen(characters: number): Fault {
  return new Fault(
    "partly_read",
    `The expression would take away ${characters} characters in lines that were not shown to you. Nothing was changed.`,
    `Look at what goes with preview, or read these lines; ${confirmHint}.`,
    { characters },
  );
}
