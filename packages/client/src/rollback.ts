// Going back, in three parts: what would happen (nothing is changed yet), doing it, and undoing it.
//
// Several turns are taken back from the newest to the oldest. Going back to before a turn does not depend on what came
// later, so a document ends as it was before the oldest turn that touched it, and that turn's preview is the exact one.

import type { checkpoint } from "@stet/protocol/api/review";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import type * as z from "zod";
import type { Api } from "./direct.ts";

export interface Rollback {
  readonly checkpoint: string;
  /** Only these hunks; all of the turn where it is left out. */
  readonly hunks?: readonly string[];
}

export interface RollbackPatch {
  readonly document: number;
  readonly name: string;
  /** A unified diff of what would change. */
  readonly patch: string;
}

export interface RollbackPlan {
  /** What changes, file by file. */
  readonly patches: readonly RollbackPatch[];
  /** What stays although it was to go back, in words. */
  readonly conflicts: readonly string[];
}

export type Checkpoint = z.infer<typeof checkpoint>;
type Caller = Api<"rollback" | "getCheckpoint">;
type Answer = Reply<Routes["rollback"]>;

/** `rollbacks` from the newest to the oldest. */
export async function planRollback(
  client: Caller,
  rollbacks: readonly Rollback[],
): Promise<RollbackPlan | Fault> {
  const patches = new Map<number, Answer["patches"][number]>();
  const conflicts: string[] = [];
  for (const rollback of rollbacks) {
    const answer = await send(client, rollback, true);
    if (isFault(answer)) return answer;
    // An older turn's way back is the one that counts, also where it changes nothing.
    for (const document of answer.documents) patches.delete(document);
    for (const patch of answer.patches) patches.set(patch.document, patch);
    if (answer.conflicts.length === 0) continue;
    const checkpoint = await client.call("getCheckpoint", { params: { checkpoint_id: rollback.checkpoint } });
    conflicts.push(...conflictWords(answer.conflicts, isFault(checkpoint) ? undefined : checkpoint));
  }
  const shown = [...patches.values()].map(({ document, file_path, patch }) => {
    return { document, name: file_path ?? nameIn(patch), patch };
  });
  return { patches: shown, conflicts };
}

/** The checkpoints that undo it, in the order in which to use them. Where one part fails, the others are taken back. */
export async function makeRollback(
  client: Caller,
  rollbacks: readonly Rollback[],
): Promise<readonly string[] | Fault> {
  const undo: string[] = [];
  for (const rollback of rollbacks) {
    const answer = await send(client, rollback, false);
    if (isFault(answer)) {
      // The first refusal says what is wrong; each part that was made is a checkpoint of its own.
      ignoreFault(await undoRollback(client, undo));
      return answer;
    }
    if (answer.checkpoint_id !== null) undo.unshift(answer.checkpoint_id);
  }
  return undo;
}

export async function undoRollback(client: Caller, undo: readonly string[]): Promise<Fault | undefined> {
  for (const checkpoint of undo) {
    const answer = await send(client, { checkpoint }, false);
    if (isFault(answer)) return answer;
  }
  return undefined;
}

function send(client: Caller, { checkpoint, hunks }: Rollback, isDryRun: boolean): Promise<Answer | Fault> {
  const mode = hunks === undefined ? "hard_all" : "scoped_selected";
  return client.call("rollback", {
    params: { checkpoint_id: checkpoint },
    body: { mode, hunk_ids: [...(hunks ?? [])], dry_run: isDryRun },
  });
}

/** A document without a file has its title in the patch. */
function nameIn(patch: string): string {
  return /^\+\+\+ b\/(.*)$/m.exec(patch)?.[1] ?? "Untitled";
}

export function conflictWords(hunks: readonly string[], checkpoint: Checkpoint | undefined): string[] {
  return hunks.map((id) => {
    for (const file of checkpoint?.affected_files ?? []) {
      const hunk = file.hunks.find((candidate) => candidate.hunk_id === id);
      if (hunk === undefined) continue;
      return `The change at line ${lineOfReverse(hunk.reverse_patch)} of ${file.file_path ?? "a document without a file"} was changed again since, so it stays as it is.`;
    }
    return "One change was changed again since, so it stays as it is.";
  });
}

/** Where the text has the change that a hunk without a file header takes back; an empty side names the line before it. */
function lineOfReverse(reversePatch: string): number {
  const [, start = "1", count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(reversePatch) ?? [];
  return Number(start) + (Number(count) === 0 ? 1 : 0);
}
