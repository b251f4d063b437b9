// What an edit would do, while the model still writes it: a unified diff of the part that is there, for people to watch.
//
// A preview never changes anything, never fails and never asks. Where nothing can be shown yet there is none.

import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import type { CodeContext } from "../code-context.ts";
import type { FileStep } from "../code-files.ts";
import { detailsOf } from "./edit-outcome.ts";
import { type PartialJson, readPartialJson } from "./partial-json.ts";

/** The steps that the arguments so far come to; undefined where there are none yet. Each edit mode has its own. */
export type StepsSoFar = (context: CodeContext, partial: PartialJson) => readonly FileStep[] | undefined;

/** A preview is looked at while it grows, so of a long one the end is kept. */
const maxLength = 6000;

/** `partial` is the JSON text of the arguments, as far as it has come. */
export async function previewEdit(
  context: CodeContext,
  partial: string,
  stepsSoFar: StepsSoFar,
): Promise<string | undefined> {
  try {
    const value = await readPartialJson(partial);
    const steps = value === undefined ? undefined : stepsSoFar(context, value);
    if (steps === undefined || steps.length === 0) return undefined;
    const diff = await diffOf(context, steps);
    return diff === "" ? undefined : newestOf(diff);
  } catch {
    // Whatever is wrong with it, the call itself will say so.
    return undefined;
  }
}

async function diffOf({ files }: CodeContext, steps: readonly FileStep[]): Promise<string> {
  const parts: string[] = [];
  for (const step of steps) {
    if (step.kind === "create") {
      parts.push(newFileDiff(step.path, step.content));
      continue;
    }
    const results = await files.tryOut([step]);
    if (!isFault(results)) parts.push(...results.map((result) => detailsOf(result).diff));
  }
  return parts.join("");
}

/** A file that is tried out leaves its name in the ledger, so it is never made. */
function newFileDiff(path: string, content: string): string {
  const after = Text.of(content.split(/\r?\n/));
  return formatUnified({ path, before: Text.empty, after, splices: diffTexts(Text.empty, after) });
}

function newestOf(diff: string): string {
  if (diff.length <= maxLength) return diff;
  const cut = diff.indexOf("\n", diff.length - maxLength);
  return `…${diff.slice(cut)}`;
}
