// How the changes of a turn begin and end in the ledger.

import type { Fault } from "@stet/protocol/fault";
import { beginTurnFor } from "@stet/tools/open-toolset";
import type { SuspendedTurn } from "@stet/workspace/turns/turn-copy";
import type { CommittedTurn } from "@stet/workspace/turns/turn-options";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { Settings } from "../settings/configuration.ts";

export interface TurnChanges {
  begin(summary: string, suspended: SuspendedTurn | undefined): Turn | Fault;
  /** Ends a turn that came to its end. */
  commit(turn: Turn): Promise<CommittedTurn | Fault>;
  /** Ends a turn that did not come to its end. Returns what stays of it. */
  abandon(turn: Turn): CommittedTurn | Fault | undefined;
}

/** As the toolset's policy says. */
export function ownChanges(
  workspace: Workspace,
  { toolset }: Pick<Settings, "toolset">,
  session: string,
): TurnChanges {
  return {
    begin: (summary, suspended) => beginTurnFor(toolset, workspace, { session, summary }, suspended),
    commit: (turn) => workspace.commitTurn(turn),
    abandon: (turn) => (turn.isImmediate ? turn.conclude() : turn.discard()),
  };
}

/** What was staged and cannot be committed any more, because someone changed the same lines; the model can do it again. */
export function lostEdits(turn: Turn): string | undefined {
  const conflicts = turn.dropConflicting();
  if (conflicts.length === 0) return undefined;
  return conflicts.map(({ message, suggestion }) => `${message} ${suggestion}`).join("\n");
}

/** Paths of the documents of a turn, as far as they have one. */
export function pathsOf(workspace: Workspace, documents: readonly number[]): string[] {
  return documents.flatMap((document) => workspace.documents.row(document)?.path ?? []);
}
