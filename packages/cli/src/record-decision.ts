// Decisions that are made in the terminal, written to the sessions that their hunks came from.

import { isFault } from "@stet/protocol/fault";
import type { DecisionReport } from "@stet/workspace/review/review";
import { type ToldVerdict, tellDecision } from "@stet/workspace/review/tell-decision";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { sessionStore } from "./open-session.ts";

/** A session that cannot be found keeps nothing from being decided. */
export function recordDecision(
  workspace: Workspace,
  report: DecisionReport,
  verdict: ToldVerdict,
  context: CommandContext,
): Promise<void> {
  const store = sessionStore(context);
  return tellDecision(workspace.review, report, verdict, (id, turnId, told, hunks) => {
    const found = store.find(id, context.root);
    const session = isFault(found) ? found : store.open(found.info.path);
    if (!isFault(session)) session.append({ type: "decision", turnId, verdict: told, hunks });
  });
}
