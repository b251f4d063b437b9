// What the ledger knows of the turns of jobs.

import { isFault } from "@stet/protocol/fault";
import type { Workspace } from "@stet/workspace/workspace";
import { proposalOf } from "./diff-bundle.ts";
import type { JobProgress } from "./job-progress.ts";

export function ledgerTurns(workspace: Workspace): ConstructorParameters<typeof JobProgress>[1] {
  return {
    isCommitted(turn) {
      const checkpoint = workspace.checkpoints.read(turn);
      // One that is open has changed files already; other turns are not in the ledger before they are committed.
      return !isFault(checkpoint) && checkpoint.status !== "discarded";
    },
    proposal: (turn, edits) => proposalOf(workspace, turn, edits),
  };
}
