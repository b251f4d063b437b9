// The edit mode apply_patch: one patch over any number of files, in the envelope that models of that family know.

import { defineTool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeTool } from "../../code-context.ts";
import { previewEdit, type StepsSoFar } from "../edit-preview.ts";
import { fieldOf } from "../partial-json.ts";
import { parseEnvelope } from "./envelope.ts";
import { type PatchRules, previewSteps } from "./plan-patch.ts";
import { patchTargets, runPatch } from "./run-patch.ts";

/** Every line that such a patch writes is a whole line, also the last one of a file. */
const rules: PatchRules = { overwrites: true };

const schema = z.object({
  input: z.string().describe("The patch, from *** Begin Patch to *** End Patch"),
});

export const applyPatch: CodeTool = (context) =>
  defineTool({
    name: "edit",
    description: prompt(import.meta.url, "apply_patch"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    async authorise({ input }, call) {
      const sections = parseEnvelope(input);
      if (isFault(sections)) return sections;
      const targets = patchTargets(context, sections);
      return isFault(targets) ? targets : context.permit({ tool: "edit", targets }, call);
    },
    async execute({ input }) {
      const sections = parseEnvelope(input);
      return isFault(sections) ? sections : runPatch(context, sections, rules);
    },
    preview: (partial) => previewEdit(context, partial, stepsSoFar),
  });

/** The files that are complete: the one that is still being written may end in the middle of a hunk. */
const stepsSoFar: StepsSoFar = (context, partial) => {
  const input = fieldOf(partial, "input");
  if (input?.kind !== "string") return undefined;
  const headers = [...input.text.matchAll(/^\*\*\* (?:Add|Update|Delete) File:/gm)];
  const complete = input.isWhole ? input.text : input.text.slice(0, headers.at(-1)?.index ?? 0);
  const sections = parseEnvelope(complete);
  return isFault(sections) ? undefined : previewSteps(context, sections, rules);
};
