// Decisions that a command makes, written to the sessions of this person.

import { Decisions } from "@stet/host/review/decisions";
import { isFault } from "@stet/protocol/fault";
import type { Session } from "@stet/session/session-tree";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { sessionStore } from "./open-session.ts";

/** `open`: the session that the command works in, which may not be kept at all. */
export function decisionsOf(workspace: Workspace, context: CommandContext, open?: Session): Decisions {
  const store = sessionStore(context);
  return new Decisions(workspace, (id) => {
    if (open?.header.id === id) return open;
    const found = store.find(id, context.root);
    return isFault(found) ? found : store.open(found.info.path);
  });
}

/** Writes what was decided, and tells of files that come back by it. */
export async function saveDecided(
  decisions: Decisions,
  { terminal }: CommandContext,
  documents: readonly number[],
) {
  const saved = await decisions.save(documents);
  for (const { path, isBack } of isFault(saved) ? [] : saved)
    if (isBack) terminal.note(`${path} had been deleted on disk. It is there again.\n`);
  return saved;
}
