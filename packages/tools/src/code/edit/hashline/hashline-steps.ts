// Sections of an input as the steps that change their files: everything is checked before anything changes.

import { type Fault, isFault } from "@stet/protocol/fault";
import { contentOf } from "../../../locate/followed-edits.ts";
import type { CodeContext } from "../../code-context.ts";
import type { FileStep } from "../../code-files.ts";
import { noChange, notFound } from "../edit-faults.ts";
import { type EditTarget, locateForEdit, newFileStep, openForEdit } from "../open-for-edit.ts";
import type { HashlineOp, HashlineSection } from "./hashline-parse.ts";
import { withoutPrefixes } from "./payload.ts";
import { planOps } from "./plan-ops.ts";

export interface HashlineSteps {
  readonly steps: readonly FileStep[];
  readonly warnings: readonly string[];
}

/** The path of each section, from the root, each once and in order. */
export function sectionPaths(
  context: Pick<CodeContext, "workspace">,
  sections: readonly HashlineSection[],
): string[] | Fault {
  const paths = new Set<string>();
  for (const section of sections) {
    const path = sectionPath(context, section);
    if (isFault(path)) return path;
    paths.add(path);
  }
  return [...paths];
}

/** A header may carry the tag that its file was shown with; a file whose very name ends so comes first. */
function sectionPath(context: Pick<CodeContext, "workspace">, { path }: HashlineSection): string | Fault {
  const bare = path.replace(/#[0-9A-Za-z]{2,16}$/, "");
  const whole = context.workspace.documents.locate(path);
  return locateForEdit(context, bare !== "" && (isFault(whole) || !whole.exists) ? bare : path);
}

/** Sections of the same file are one: all their ops refer to the file as it was before any of them. */
export function hashlineSteps(
  context: CodeContext,
  sections: readonly HashlineSection[],
): HashlineSteps | Fault {
  const opsByPath = new Map<string, HashlineOp[]>();
  for (const section of sections) {
    const path = sectionPath(context, section);
    if (isFault(path)) return path;
    opsByPath.set(path, [...(opsByPath.get(path) ?? []), ...section.ops]);
  }
  const steps: FileStep[] = [];
  const warnings: string[] = [];
  for (const [path, ops] of opsByPath) {
    const target = openForEdit(context, path);
    if (isFault(target)) return target;
    const step = stepOf(context, target, ops, warnings);
    if (isFault(step)) return step;
    steps.push(step);
  }
  return { steps, warnings };
}

function stepOf(
  context: CodeContext,
  target: EditTarget,
  ops: readonly HashlineOp[],
  warnings: string[],
): FileStep | Fault {
  if (target.kind === "missing") {
    const content = newContent(ops, warnings);
    return content === undefined
      ? notFound(target.path, "To make a new file, use »BOF with its lines below it.")
      : newFileStep(target, content);
  }
  const { file } = target;
  const { revision, text } = file.history;
  const content = text.length === 0 ? newContent(ops, warnings) : undefined;
  if (content !== undefined) {
    if (content === "") return noChange(file.path);
    return { kind: "edit", file, revision, edits: [{ op: "append", content }] };
  }
  const planned = planOps(context, file, ops);
  if (isFault(planned)) return planned;
  warnings.push(...planned.warnings.map((warning) => `${file.path}, ${warning}`));
  // Both ends of every range are named by the model, so however much goes, it says so.
  return { kind: "edit", file, revision, edits: planned.edits, rewrite: true };
}

/** What ops at the ends make of nothing; undefined where one of them names a line. */
function newContent(ops: readonly HashlineOp[], warnings: string[]): string | undefined {
  let [start, end] = ["", ""];
  for (const op of ops) {
    if (op.kind === "range" || typeof op.place !== "string") return undefined;
    const bare = withoutPrefixes(op.payload, [], op.line);
    warnings.push(...bare.warnings);
    if (op.place === "BOF") start += contentOf(bare.payload);
    else end += contentOf(bare.payload);
  }
  return start + end;
}
