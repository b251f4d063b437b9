// Edits by anchors: the lines that the model was shown, wherever they are by now, or a refusal.

import { defineTool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { prompt } from "../../../prompt.ts";
import { removeUnseen } from "../../../sight/unseen-text.ts";
import type { CodeTool } from "../../code-context.ts";
import { editOutcome } from "../edit-outcome.ts";
import { previewEdit, type StepsSoFar } from "../edit-preview.ts";
import { applyInOrder } from "../open-for-edit.ts";
import { fieldOf } from "../partial-json.ts";
import { parseHashline } from "./hashline-parse.ts";
import { hashlineSteps, sectionPaths } from "./hashline-steps.ts";
import { partOfLine } from "./part-of-line.ts";

export const hashlineEdit: CodeTool = (context) =>
  defineTool({
    name: "edit",
    description: prompt(import.meta.url, "hashline_edit"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema: z.object({
      input: z.string().describe("Sections: §PATH, then ops with their lines"),
      remove_unseen: removeUnseen,
    }),
    async authorise({ input }, call) {
      const parsed = parseHashline(input);
      // What cannot be read touches no file; `execute` says what is wrong with it.
      if (isFault(parsed)) return undefined;
      const paths = sectionPaths(context, parsed.sections);
      if (isFault(paths)) return paths;
      const targets = paths.map((path) => ({ kind: "path", path, access: "write" }) as const);
      return context.permit({ tool: "edit", targets }, call);
    },
    async execute({ input, remove_unseen = false }) {
      const parsed = parseHashline(input);
      if (isFault(parsed)) return parsed;
      const planned = hashlineSteps(context, parsed.sections);
      if (isFault(planned)) return planned;
      const unseen = remove_unseen ? undefined : partOfLine(context, planned.steps);
      if (unseen !== undefined) return unseen;
      const results = await applyInOrder(context.files, planned.steps);
      if (isFault(results)) return results;
      return editOutcome(context, results, [...parsed.warnings, ...planned.warnings]);
    },
    preview: (partial) => previewEdit(context, partial, stepsSoFar),
  });

const stepsSoFar: StepsSoFar = (context, partial) => {
  const input = fieldOf(partial, "input");
  if (input?.kind !== "string") return undefined;
  const parsed = parseHashline(input.text, !input.isWhole);
  if (isFault(parsed)) return undefined;
  const planned = hashlineSteps(context, parsed.sections);
  return isFault(planned) ? undefined : planned.steps;
};
