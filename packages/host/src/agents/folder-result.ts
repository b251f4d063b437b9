// What an agent did in a folder of its own, brought back when it has ended. Of one that did not come to its end nothing lands,
// and what it had changed is a patch.

import { isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import { bringBack } from "@stet/workspace/agent-folders/bring-back";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { FinishedTurn } from "../turn/agent-turn.ts";
import { pathsOf } from "../turn/turn-changes.ts";
import type { HeldChanges } from "./child-changes.ts";
import type { ChildEnd } from "./child-result.ts";
import type { ChildWorkplace } from "./isolation.ts";

export interface FolderEnd {
  /** How its turn in the folder ended: a turn and documents of the folder's own workspace. */
  readonly finished: FinishedTurn;
  /** Why it was stopped, where it was. */
  readonly stopped: string | undefined;
  /** Called with the turn that brings it back, before anything of it lands. */
  readonly onTurn: (turn: Turn) => void;
}

/** Of the workspace that it was brought back to, whatever the folder's own turn was. */
export type BroughtEnd = Pick<ChildEnd, "changed" | "turn" | "notes"> & { readonly finished: FinishedTurn };

export async function bringBackFrom(
  { workspace: folder, folder: made }: ChildWorkplace,
  held: HeldChanges,
  workspace: Workspace,
  { finished: there, stopped, onTurn }: FolderEnd,
): Promise<BroughtEnd> {
  const notes = made?.note === undefined ? [] : [`It worked in a copy: ${made.note}`];
  const { outcome, stop } = there;
  const finished: FinishedTurn = { outcome, stop, documents: [] };
  const nothing: BroughtEnd = { finished, changed: [], turn: undefined, notes };
  if (there.turn === undefined) return nothing;
  const turns = [there.turn];
  const isWhole = outcome === "completed" || outcome === "stopped";
  if (!isWhole || stopped !== undefined) {
    held.notePatch(patchOf(folder, turns));
    return nothing;
  }
  const turn = held.begin("what it did in its folder");
  onTurn(turn);
  const brought = await bringBack(workspace, turn, { folder, turns });
  if (isFault(brought)) {
    tellIfFault(held.abandon(turn));
    held.notePatch(patchOf(folder, turns));
    return { ...nothing, notes: [...notes, `What it did could not be brought back: ${brought.message}`] };
  }
  const committed = await held.commit(turn);
  held.noteConflicts(brought.conflicts);
  const all = [...notes, ...brought.left];
  if (isFault(committed)) {
    held.notePatch(patchOf(folder, turns));
    return { ...nothing, notes: [...all, `What it did could not be brought back: ${committed.message}`] };
  }
  const { id, documents } = committed;
  if (documents.length === 0) return { ...nothing, notes: all };
  return {
    finished: { ...finished, turn: id, documents },
    changed: pathsOf(workspace, documents),
    turn: id,
    notes: all,
  };
}

/** The texts that were changed there. */
function patchOf(folder: Workspace, turns: readonly string[]): string {
  const documents = new Set(turns.flatMap((turn) => folder.checkpoints.documentsOf(turn)));
  return [...documents]
    .map((document) => {
      const path = folder.documents.row(document)?.path;
      const state = folder.documents.state(document);
      const [turn = ""] = turns;
      const before = folder.checkpoints.before(turn, document)?.pending.current;
      if (path === null || path === undefined || isFault(state) || before === undefined) return "";
      const after = state.pending.current;
      return formatUnified({ path, before, after, splices: diffTexts(before, after) });
    })
    .join("");
}
