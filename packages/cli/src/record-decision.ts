// Decisions as part of the conversation they belong to: a session that is taken back later can offer to take them back, too.

import { realpathSync } from "node:fs";
import { isFault } from "@stet/protocol/fault";
import type { FileReview } from "@stet/workspace/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { sessionStore } from "./open-session.ts";

export interface Decided {
  readonly verdict: "accepted" | "rejected";
  readonly hunks: readonly string[];
}

/** `before` is what was open when the decision was made. A session that cannot be found keeps nothing from being decided. */
export function recordDecision(
  workspace: Workspace,
  before: readonly FileReview[],
  { verdict, hunks }: Decided,
  context: CommandContext,
): void {
  const decided = new Set(hunks);
  const byTurn = new Map<string, string[]>();
  for (const hunk of before.flatMap((file) => file.hunks)) {
    if (!decided.has(hunk.id)) continue;
    for (const turn of hunk.turns) byTurn.set(turn, [...(byTurn.get(turn) ?? []), hunk.id]);
  }
  const store = sessionStore(context);
  for (const [turnId, ids] of byTurn) {
    const checkpoint = workspace.checkpoints.read(turnId);
    if (isFault(checkpoint) || checkpoint.session === null) continue;
    const found = store.find(checkpoint.session, realpathSync(context.folder));
    const session = isFault(found) ? found : store.open(found.info.path);
    if (!isFault(session)) session.append({ type: "decision", turnId, verdict, hunks: ids });
  }
}
