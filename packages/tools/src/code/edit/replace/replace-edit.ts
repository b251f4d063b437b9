// Edits by quoting: a text that stands at one place of the file becomes another one.

import type { Text } from "@codemirror/state";
import { defineTool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { isPlaceholder } from "../../../locate/abbreviated.ts";
import { locateQuotes, type Quote } from "../../../locate/locate-quotes.ts";
import { isMiss, quoted, refusalOf } from "../../../locate/miss.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeContext, CodeTool } from "../../code-context.ts";
import type { FileStep } from "../../code-files.ts";
import { noChange, notFound } from "../edit-faults.ts";
import { editOutcome } from "../edit-outcome.ts";
import { previewEdit, type StepsSoFar } from "../edit-preview.ts";
import { newFileStep, openForEdit, permitEdit } from "../open-for-edit.ts";
import { fieldOf, type PartialJson, wholeText } from "../partial-json.ts";

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

type TextEdit = z.infer<typeof schema>["edits"][number];

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
      return isFault(results) ? results : editOutcome(context, results);
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
  const quotes = quotesOf(file.path, text, edits);
  if (isFault(quotes)) return quotes;
  const isTolerant = context.settings.fuzzyReplace;
  const located = locateQuotes(context.sight, file, { quotes, isTolerant });
  if (isMiss(located)) return refusalOf(context, file)(located);
  if (located.length === 0) return noChange(file.path);
  // All that goes is quoted by the model, so however much it is, it says so.
  return located.map((step) => ({ kind: "edit", file, rewrite: true, ...step }) as const);
}

function quotesOf(path: string, text: Text, edits: readonly TextEdit[]): Quote[] | Fault {
  const hasReturns = /\r(?!\n|$)/.test(text.toString());
  const quotes: Quote[] = [];
  for (const [index, { old_text, new_text, all = false }] of edits.entries()) {
    const name = edits.length === 1 ? "old_text" : `edits[${index}].old_text`;
    const [old, fresh] = [plainBreaks(old_text, hasReturns), plainBreaks(new_text, hasReturns)];
    if (old === "") return emptyOld(path, name, text.lines);
    const placeholder = fresh.split("\n").find(isPlaceholder);
    if (placeholder !== undefined && !old.includes(placeholder.trim())) return leavesOut(name, placeholder);
    quotes.push({ old, fresh, isForAll: all, words: { ...words, name, path } });
  }
  return quotes;
}

/** Line ends never count, except a lone "\r" where the file has such inside of its lines. */
function plainBreaks(text: string, hasReturns: boolean): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", hasReturns ? "\r" : "\n");
}

const words = {
  inFull: "Quote every line in full, without an ellipsis; to change two places, make two edits.",
  asThere:
    "Quote the lines exactly as they stand there, if that is the place; otherwise read the file again.",
  more: "Quote more lines around the place that you mean, or set all: true to change every one of them.",
};

function emptyOld(path: string, name: string, lines: number): Fault {
  return new Fault(
    "content_required",
    `${name} is empty, but ${path} has ${lines} lines. Nothing was changed.`,
    "Quote the text to replace. To insert, quote a line beside the place and repeat it in new_text.",
    { path },
  );
}

function leavesOut(name: string, line: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The new_text for ${name} leaves lines out: ${quoted(line.trim())}. Nothing was changed.`,
    "Write every line in full: what is not in new_text is deleted. Quote less in old_text to write less.",
  );
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
