// Which turns of a conversation can be undone, and which undo can be undone, from the checkpoints alone: so it is the same in
// every front end, and after a restart.
//
//   a turn of the agent            can be undone; what was undone before it can no longer be brought back by a redo
//   a rollback of a turn           the turn is undone, and with a whole rollback every later one of the same documents
//   a rollback of a rollback       the redo: what that one undid stands again

import type { Checkpoint } from "@stet/client/rollback";

export interface TurnHistory {
  /** The newest first. */
  readonly undoable: readonly Checkpoint[];
  /** The rollback that a redo takes back. */
  readonly redoable: Checkpoint | undefined;
}

/** `checkpoints` of the folder, the newest first. */
export function turnHistory(checkpoints: readonly Checkpoint[], session: string): TurnHistory {
  const turns: Checkpoint[] = [];
  /** Rollbacks that stand, the newest last, with the turns that each undid. */
  const undone: { readonly rollback: Checkpoint; readonly turns: ReadonlySet<string> }[] = [];
  /** How many of them are older than the newest turn. */
  let settled = 0;
  for (const checkpoint of checkpoints.toReversed()) {
    if (checkpoint.kind === "agent") {
      if (checkpoint.session_id !== session) continue;
      turns.push(checkpoint);
      settled = undone.length;
      continue;
    }
    const { rollback_of: target } = checkpoint;
    if (target === undefined) continue;
    const redone = undone.findIndex(({ rollback }) => rollback.turn === target.turn);
    if (redone >= 0) {
      undone.splice(redone, 1);
      settled = Math.min(settled, undone.length);
      continue;
    }
    const first = turns.findIndex(({ turn }) => turn === target.turn);
    if (first < 0) continue;
    const documents = new Set(checkpoint.affected_files.map(({ document }) => document));
    const isTaken = (turn: Checkpoint) =>
      turn.turn === target.turn ||
      (target.is_whole && turn.affected_files.every(({ document }) => documents.has(document)));
    undone.push({
      rollback: checkpoint,
      turns: new Set(
        turns
          .slice(first)
          .filter(isTaken)
          .map(({ turn }) => turn),
      ),
    });
  }
  const gone = new Set(undone.flatMap(({ turns: known }) => [...known]));
  return {
    undoable: turns.filter(({ turn }) => !gone.has(turn)).reverse(),
    redoable: undone.length > settled ? undone.at(-1)?.rollback : undefined,
  };
}
