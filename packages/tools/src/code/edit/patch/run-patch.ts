// Carrying out a patch, as one, and telling of it.

import type { ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { countLines } from "@stet/text/lines";
import { formatUnified } from "@stet/text/unified";
import type { PermissionTarget } from "../../../permission/permission-rule.ts";
import type { CodeContext } from "../../code-context.ts";
import type { FileResult, OpenFile } from "../../code-files.ts";
import { shownLine } from "../../display.ts";
import { compactDiff, detailsOf, type EditDetails, editOutcome } from "../edit-outcome.ts";
import { applyInOrder, locateForEdit } from "../open-for-edit.ts";
import type { PatchSection } from "./envelope.ts";
import { type PatchRules, type PlannedPatch, planPatch } from "./plan-patch.ts";

/** What a patch would write to; refused where that is not inside the root. */
export function patchTargets(
  context: CodeContext,
  sections: readonly PatchSection[],
): PermissionTarget[] | Fault {
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

export async function runPatch(
  context: CodeContext,
  sections: readonly PatchSection[],
  rules: PatchRules,
): Promise<ToolOutcome | Fault> {
  const planned = planPatch(context, sections, rules);
  if (isFault(planned)) return planned;
  const results = await applyInOrder(context.files, planned.steps);
  return isFault(results) ? results : outcomeOf(context, planned, results);
}

interface FileReport {
  readonly result: FileResult;
  /** The file that it was before it moved. */
  readonly from: OpenFile | undefined;
}

/** One for each file: updates that follow each other are one, and a file that moved is told once. */
function told({ steps, movedFrom }: PlannedPatch, results: readonly FileResult[]): FileReport[] {
  const list: FileReport[] = [];
  const moved = new Set([...movedFrom.values()].map((file) => file.document));
  for (const [index, result] of results.entries()) {
    const step = steps[index];
    if (step === undefined || (result.op === "delete" && moved.has(result.document))) continue;
    const known = list.findIndex((each) => each.result.document === result.document);
    const earlier = list[known];
    if (earlier === undefined) list.push({ result, from: movedFrom.get(step) });
    else list[known] = { ...earlier, result: { ...result, was: earlier.result.was } };
  }
  return list;
}

function outcomeOf(context: CodeContext, planned: PlannedPatch, results: readonly FileResult[]): ToolOutcome {
  const parts: string[] = [];
  const details: EditDetails[] = [];
  for (const { result, from } of told(planned, results)) {
    if (from === undefined) {
      const { content } = editOutcome(context, [result]);
      if (typeof content === "string") parts.push(content);
      details.push(detailsOf(result));
    } else {
      parts.push(moveText(context, result, from));
      details.push(movedDetails(result, from));
    }
  }
  if (planned.warnings.length > 0) parts.push(`Warnings:\n${planned.warnings.join("\n")}`);
  const [only] = details;
  return {
    content: parts.join("\n\n"),
    details: details.length === 1 && only !== undefined ? only : { perFileResults: details },
  };
}

function moveText({ display, sight }: CodeContext, result: FileResult, from: OpenFile): string {
  const { path, history } = result;
  sight.wroteAll(result);
  const before = from.history.text;
  const splices = diffTexts(before, history.text);
  const head = `Moved ${from.path} to ${path} (${countLines(history.text)} lines)`;
  if (splices.length === 0) return head;
  const lines = compactDiff(before, history.text, splices, (line) => shownLine(display, history.text, line));
  return `${head}:\n${lines.join("\n")}`;
}

function movedDetails({ path, history }: FileResult, from: OpenFile): EditDetails {
  const before = from.history.text;
  const splices = diffTexts(before, history.text);
  const diff = formatUnified({ path, oldPath: from.path, before, after: history.text, splices });
  const first = splices[0];
  return { path, op: "update", diff, firstChangedLine: first === undefined ? undefined : first.at + 1 };
}
