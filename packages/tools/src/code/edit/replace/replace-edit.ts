// Edits by quoting: a text that stands at one place of the file becomes another one.

import { defineTool } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { refusalOf } from "../../../locate/miss.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeContext, CodeTool } from "../../code-context.ts";
import type { FileResult, FileStep } from "../../code-files.ts";
import { conflictShown } from "../conflict-shown.ts";
import { notFound } from "../edit-faults.ts";
import { editOutcome } from "../edit-outcome.ts";
import { previewEdit, type StepsSoFar } from "../edit-preview.ts";
import { newFileStep, openForEdit, permitEdit } from "../open-for-edit.ts";
import { fieldOf, type PartialJson, wholeText } from "../partial-json.ts";
import { planReplacements, type TextEdit } from "./replace-steps.ts";

const schema = z.object({
  path: z.string().min(1).describe("The file"),
  edits: z
    .array(
      z.object({
        old_text: z.string().describe("Text as it stands in the file; empty only for a new file"),
        new_text: z.string().describe("What stands there instead"),
        all: z.boolean().optional().describe("Replace every place"),
      }),
    )
    .min(1),
});

export const replaceEdit: CodeTool = (context) =>
  defineTool({
    name: "edit",
    description: prompt(import.meta.url, "replace_edit"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    authorise: ({ path }, call) => permitEdit(context, path, call),
    async execute({ path, edits }) {
      const steps = stepsOf(context, path, edits);
      const results = isFault(steps) ? steps : await context.files.apply(steps);
      return isFault(results) ? conflictShown(context, results, path) : editOutcome(context, asOne(results));
    },
    preview: (partial) => previewEdit(context, partial, stepsSoFar),
  });

function stepsOf(
  context: CodeContext,
  path: string,
  edits: readonly TextEdit[],
): readonly FileStep[] | Fault {
  const target = openForEdit(context, path);
  if (isFault(target)) return target;
  const [only] = edits;
  const content = edits.length === 1 && only?.old_text === "" ? only.new_text : undefined;
  if (target.kind === "missing") {
    if (content !== undefined && content !== "") return [newFileStep(target, content)];
    return notFound(target.path, "To make a new file, give one edit with an empty old_text.");
  }
  const { file } = target;
  const { revision, text } = file.history;
  if (content !== undefined && content !== "" && text.length === 0)
    return [{ kind: "edit", file, revision, edits: [{ op: "set", content }] }];
  const planned = planReplacements(
    {
      path: file.path,
      history: file.history,
      meant: context.sight.quotable(file),
      isTolerant: context.settings.fuzzyReplace,
      refuse: refusalOf(context, file),
    },
    edits,
  );
  if (isFault(planned)) return planned;
  // All that goes is quoted by the model, so however much it is, it says so.
  return planned.map((step) => ({ kind: "edit", file, rewrite: true, ...step }) as const);
}

/** Two steps of one file are told as one. */
function asOne(results: readonly FileResult[]): FileResult[] {
  const [first] = results;
  const last = results.at(-1);
  return first === undefined || last === undefined ? [] : [{ ...last, was: first.was }];
}

/** Edits whose old text is whole; the new text may still grow. */
const stepsSoFar: StepsSoFar = (context, partial) => {
  const path = wholeText(fieldOf(partial, "path"));
  const edits = fieldOf(partial, "edits");
  if (path === undefined || edits?.kind !== "array") return undefined;
  const whole = edits.items.flatMap((item) => editSoFar(item));
  if (whole.length === 0) return undefined;
  const steps = stepsOf(context, path, whole);
  return isFault(steps) ? undefined : steps;
};

function editSoFar(item: PartialJson): TextEdit[] {
  const old = wholeText(fieldOf(item, "old_text"));
  const fresh = fieldOf(item, "new_text");
  const all = fieldOf(item, "all");
  if (old === undefined || fresh?.kind !== "string") return [];
  const text = fresh.isWhole ? fresh.text : wholeLines(fresh.text, old.endsWith("\n"));
  if (text === "" && !fresh.isWhole) return [];
  return [{ old_text: old, new_text: text, all: all?.kind === "plain" && all.value === true }];
}

/** Without the line that is cut off: it would look like a change of its own. */
function wholeLines(text: string, hasEnd: boolean): string {
  const end = text.lastIndexOf("\n");
  return text.slice(0, Math.max(0, hasEnd ? end + 1 : end));
}
