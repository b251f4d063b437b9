// A path from the model as something that can be edited: a text file as it is now, or a place where a new one may come.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ToolContext } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { LineEdit } from "@stet/text/edits";
import type { Location } from "@stet/workspace/files/containment";
import type { CodeContext } from "../code-context.ts";
import type { FileStep, OpenFile } from "../code-files.ts";
import { seenAlike } from "../read/suffix-match.ts";
import { rootPath } from "../root-path.ts";
import { generatedFault } from "./generated-file.ts";

export type EditTarget =
  | { readonly kind: "file"; readonly path: string; readonly file: OpenFile }
  /** `known` is what was there before someone took the file away. */
  | { readonly kind: "missing"; readonly path: string; readonly known: OpenFile | undefined };

type Ground = Pick<CodeContext, "workspace" | "files">;

/** Where a path leads. A name that is there but for what cannot be seen is the one that read has found, too. */
function locateAlike(workspace: Ground["workspace"], path: string): Location | Fault {
  const given = rootPath(workspace, path);
  const location = workspace.documents.locate(given);
  if (isFault(location) || location.exists) return location;
  const folder = dirname(location.absolute);
  const names = attempt("listed", folder, () => readdirSync(folder));
  const wanted = seenAlike(basename(location.absolute));
  const alike = isFault(names) ? [] : names.filter((name) => seenAlike(name) === wanted);
  const [only] = alike;
  if (only === undefined || alike.length > 1) return location;
  return workspace.documents.locate(join(dirname(location.path), only));
}

/** Where a path leads; refused where it leads out, or to what is not a file. */
export function locateForEdit({ workspace }: Pick<Ground, "workspace">, path: string): string | Fault {
  const location = locateAlike(workspace, path);
  return isFault(location) ? location : location.path;
}

/** Asks whether one file may be edited. */
export async function permitEdit(
  context: Pick<CodeContext, "workspace" | "permit">,
  path: string,
  call: ToolContext,
): Promise<Fault | undefined> {
  const located = locateForEdit(context, path);
  if (isFault(located)) return located;
  return context.permit({ tool: "edit", targets: [{ kind: "path", path: located, access: "write" }] }, call);
}

export function openForEdit(context: Ground, path: string): EditTarget | Fault {
  const location = locateAlike(context.workspace, path);
  if (isFault(location)) return location;
  const file = context.files.open(location.path);
  if (!location.exists)
    return { kind: "missing", path: location.path, known: isFault(file) ? undefined : file };
  if (isFault(file)) return file;
  return generatedFault(file.path, file.history.text) ?? { kind: "file", path: file.path, file };
}

/** The step that makes a file which is not there. */
export function newFileStep(target: EditTarget & { readonly kind: "missing" }, content: string): FileStep {
  const { path, known } = target;
  if (known === undefined || known.history.text.length === 0) return { kind: "create", path, content };
  // Its history goes on: what it was can still be seen and brought back.
  const edits: LineEdit[] = [{ op: "set", content }];
  return { kind: "edit", file: known, revision: known.history.revision, edits, rewrite: true };
}

/** Makes all changes or none. What would make a new file comes last: it leaves no trace when another step is refused. */
export async function applyInOrder(
  files: Pick<CodeContext["files"], "apply">,
  steps: readonly FileStep[],
): ReturnType<CodeContext["files"]["apply"]> {
  const order = [...steps.keys()].sort((one, other) => rank(steps[one]) - rank(steps[other]));
  const results = await files.apply(order.flatMap((index) => steps[index] ?? []));
  if (isFault(results)) return results;
  return steps
    .keys()
    .toArray()
    .flatMap((index) => results[order.indexOf(index)] ?? []);
}

function rank(step: FileStep | undefined): number {
  return step?.kind === "create" || step?.kind === "copy" ? 1 : 0;
}
