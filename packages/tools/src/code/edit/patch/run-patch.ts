// The tool of both patch modes: what a call writes is read as sections, planned whole, carried out as one, and told.

import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type * as z from "zod";
import { editWords } from "../../../call-words.ts";
import type { PermissionTarget } from "../../../permission/permission-rule.ts";
import type { CodeContext } from "../../code-context.ts";
import { editOutcome } from "../edit-outcome.ts";
import { previewEdit } from "../edit-preview.ts";
import { applyInOrder, locateForEdit } from "../open-for-edit.ts";
import type { PartialJson } from "../partial-json.ts";
import type { PatchSection } from "./envelope.ts";
import { type PatchRules, planPatch, previewSteps } from "./plan-patch.ts";

export interface PatchMode<Input> {
  readonly description: string;
  readonly schema: z.ZodType<Input>;
  readonly rules: PatchRules;
  sectionsOf(input: Input): PatchSection[] | Fault;
  /** The sections that are complete, of arguments that still grow; undefined where there is none. */
  sectionsSoFar(partial: PartialJson): PatchSection[] | Fault | undefined;
}

export function patchTool<Input extends object>(
  context: CodeContext,
  { description, schema, rules, sectionsOf, sectionsSoFar }: PatchMode<Input>,
): Tool {
  return defineTool({
    name: "edit",
    description,
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    async authorise(input, call) {
      const sections = sectionsOf(input);
      const targets = isFault(sections) ? sections : patchTargets(context, sections);
      return isFault(targets) ? targets : context.permit({ tool: "edit", targets }, call);
    },
    async execute(input) {
      const sections = sectionsOf(input);
      return isFault(sections) ? sections : runPatch(context, sections, rules);
    },
    preview: (partial) =>
      previewEdit(context, partial, (_, value) => {
        const sections = sectionsSoFar(value);
        return sections === undefined || isFault(sections) || sections.length === 0
          ? undefined
          : previewSteps(context, sections, rules);
      }),
  });
}

/** What a patch would write to; refused where that is not inside the root. */
function patchTargets(context: CodeContext, sections: readonly PatchSection[]): PermissionTarget[] | Fault {
  const paths = new Set<string>();
  for (const section of sections) {
    const named = section.op === "update" ? [section.path, section.moveTo] : [section.path];
    for (const path of named) {
      if (path === undefined) continue;
      const located = locateForEdit(context, path);
      if (isFault(located)) return located;
      paths.add(located);
    }
  }
  return [...paths].map((path) => ({ kind: "path", path, access: "write" }));
}

async function runPatch(
  context: CodeContext,
  sections: readonly PatchSection[],
  rules: PatchRules,
): Promise<ToolOutcome | Fault> {
  const planned = planPatch(context, sections, rules);
  if (isFault(planned)) return planned;
  const { steps, movedFrom, warnings } = planned;
  const results = await applyInOrder(context.files, steps);
  if (isFault(results)) return results;
  // A file that moved is told once, where it is now.
  const moved = new Set([...movedFrom.values()].map(({ document }) => document));
  const told = results.flatMap((result, index) => {
    const step = steps[index];
    if (step === undefined || (result.op === "delete" && moved.has(result.document))) return [];
    return [{ ...result, movedFrom: movedFrom.get(step) }];
  });
  return editOutcome(context, told, warnings);
}
