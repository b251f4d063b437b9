// What is open, and what a turn did, as unified diffs, file by file.

import { Text } from "@codemirror/state";
import type { Api } from "@stet/client/direct";
import type { Checkpoint, RollbackPatch } from "@stet/client/rollback";
import type { FileReview } from "@stet/protocol/api/review";
import { type Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import { nameOf } from "../../hunk-lines.ts";

export type DiffApi = Api<"getDocument" | "diff3">;

export async function openPatches(
  api: DiffApi,
  files: readonly FileReview[],
): Promise<RollbackPatch[] | Fault> {
  const patches: RollbackPatch[] = [];
  for (const file of files) {
    const { document } = file;
    const reply = await api.call("getDocument", { params: { document } });
    if (isFault(reply)) return reply;
    patches.push({ document, name: nameOf(file), patch: openPatch(file, reply.text) });
  }
  return patches;
}

/** The text before is the text now with every hunk taken back. */
function openPatch(file: FileReview, text: string): string {
  const now = text.split("\n");
  const before: string[] = [];
  const splices: { at: number; removed: number; lines: string[] }[] = [];
  let at = 0;
  for (const { new_start: start, removed, added } of file.hunks) {
    for (; at < start - 1; at += 1) before.push(now[at] ?? "");
    splices.push({ at: before.length, removed: removed.length, lines: added });
    for (const line of removed) before.push(line);
    at += added.length;
  }
  for (; at < now.length; at += 1) before.push(now[at] ?? "");
  const textOf = (lines: readonly string[]) => Text.of(lines.length === 0 ? [""] : [...lines]);
  return formatUnified({ path: nameOf(file), before: textOf(before), after: textOf(now), splices });
}

export async function turnPatches(
  api: DiffApi,
  { checkpoint_id, affected_files: files }: Checkpoint,
): Promise<RollbackPatch[] | Fault> {
  const patches: RollbackPatch[] = [];
  for (const { document, file_path: path } of files) {
    // A document without a file is not found by a path; what the turn did in it is not shown.
    if (path === null) continue;
    const sides = await api.call("diff3", { params: { checkpoint_id }, query: { file_path: path } });
    if (isFault(sides)) return sides;
    const textOf = (content: string) => Text.of(content.split("\n"));
    const [before, after] = [textOf(sides.checkpoint_base), textOf(sides.agent_proposed)];
    const patch = formatUnified({ path, before, after, splices: diffTexts(before, after) });
    if (patch !== "") patches.push({ document, name: path, patch });
  }
  return patches;
}
