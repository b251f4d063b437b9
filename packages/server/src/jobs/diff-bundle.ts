// What a job proposed, as patches by file and hunk, each open or decided.

import type { DiffBundle } from "@stet/protocol/api/agent";
import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import type { HunkLines } from "./proposed-edits.ts";

interface PatchLines {
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Which edits are part of a hunk. */
export type EditsInHunk = (path: string, hunk: HunkLines) => string[];

/** Undefined where the turn is not known any more. */
export function diffBundle(
  workspace: Workspace,
  job: string,
  turn: string,
  editsIn: EditsInHunk = () => [],
): DiffBundle | undefined {
  const checkpoint = workspace.checkpoints.read(turn);
  if (isFault(checkpoint)) return undefined;
  const files = checkpoint.files.map((file) => {
    const path = file.path ?? workspace.documents.row(file.document)?.title ?? "";
    const open = new Map(workspace.review.file(file.document)?.hunks.map((hunk) => [hunk.id, hunk]));
    const state = workspace.documents.state(file.document);
    const kinds = new Map(
      isFault(state)
        ? []
        : state.pending.pieces.map((piece) => [`h_${file.document}_${piece.id}`, piece.kind]),
    );
    const hunks = file.hunks.map((hunk) => {
      // An open hunk is told as it is now: the person may have changed it.
      const now = open.get(hunk.id);
      const lines = now ?? hunk;
      const kind = kinds.get(hunk.id);
      return {
        hunk_id: hunk.id,
        patch: patchOf(lines),
        accepted: now !== undefined || kind === undefined ? null : kind === "accepted",
        edit_ids: editsIn(path, lines),
        ...(now?.oversized ? { oversized_hunk: true } : {}),
      };
    });
    return { file_path: path, base_file_hash: file.baseHash || null, hunks };
  });
  return { job_id: job, files };
}

export function patchOf({ oldStart, newStart, removed, added }: PatchLines): string {
  const head = `@@ -${range(oldStart, removed.length)} +${range(newStart, added.length)} @@`;
  return [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n");
}

/** The way back. */
export function reversePatchOf({ oldStart, newStart, removed, added }: PatchLines): string {
  return patchOf({ oldStart: newStart, newStart: oldStart, removed: added, added: removed });
}

/** An empty side names the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? start - 1 : start},${count}`;
}
