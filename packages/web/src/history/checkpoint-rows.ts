// The list of checkpoints as rows: a checkpoint, and below an open one what can be done with it, its files and its hunks.
//
// A row is the same value again as long as it stands for the same thing, so that a list that is loaded anew keeps the
// focus and the place where it was.

import type { Checkpoint, CheckpointFile } from "./checkpoint-words.ts";

export type CheckpointHunk = CheckpointFile["hunks"][number];

export type CheckpointRow =
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly kind: "actions"; readonly checkpoint: Checkpoint }
  | { readonly kind: "file"; readonly checkpoint: Checkpoint; readonly file: CheckpointFile }
  | {
      readonly kind: "hunk";
      readonly checkpoint: Checkpoint;
      readonly file: CheckpointFile;
      readonly hunk: CheckpointHunk;
    };

export class CheckpointRows {
  #known = new Map<string, CheckpointRow>();

  of(checkpoints: readonly Checkpoint[], open: ReadonlySet<string>): CheckpointRow[] {
    const kept = new Map<string, CheckpointRow>();
    const rows: CheckpointRow[] = [];
    const add = (key: string, row: CheckpointRow) => {
      const former = this.#known.get(key);
      const same = former !== undefined && isSame(former, row) ? former : row;
      kept.set(key, same);
      rows.push(same);
    };
    for (const checkpoint of checkpoints) {
      const { checkpoint_id: id } = checkpoint;
      add(id, { kind: "checkpoint", checkpoint });
      if (!open.has(id)) continue;
      add(`${id}:actions`, { kind: "actions", checkpoint });
      for (const file of checkpoint.affected_files) {
        add(`${id}:${file.document}`, { kind: "file", checkpoint, file });
        for (const hunk of file.hunks) add(`${id}:${hunk.hunk_id}`, { kind: "hunk", checkpoint, file, hunk });
      }
    }
    this.#known = kept;
    return rows;
  }
}

function isSame(one: CheckpointRow, other: CheckpointRow): boolean {
  if (one.checkpoint !== other.checkpoint || one.kind !== other.kind) return false;
  if (one.kind === "file" && other.kind === "file") return one.file === other.file;
  if (one.kind === "hunk" && other.kind === "hunk") return one.file === other.file && one.hunk === other.hunk;
  return true;
}

export type Ticked = "none" | "some" | "all";

/** Those that a rollback could still take back: what was rejected is as it was already. */
export function revertible({ hunks }: CheckpointFile): string[] {
  return hunks.flatMap(({ hunk_id, verdict }) => (verdict === "rejected" ? [] : [hunk_id]));
}

/** How many of a file's hunks are among the chosen ones. */
export function tickedOf(file: CheckpointFile, chosen: ReadonlySet<string>): Ticked {
  const hunks = revertible(file);
  const count = hunks.filter((id) => chosen.has(id)).length;
  if (count === 0) return "none";
  return count === hunks.length ? "all" : "some";
}

/** The chosen hunks of one checkpoint, in the order of the text. */
export function chosenOf({ affected_files }: Checkpoint, chosen: ReadonlySet<string>): string[] {
  return affected_files.flatMap((file) => revertible(file).filter((id) => chosen.has(id)));
}

export function withAll(
  chosen: ReadonlySet<string>,
  hunks: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  return isChosen ? chosen.union(new Set(hunks)) : chosen.difference(new Set(hunks));
}
