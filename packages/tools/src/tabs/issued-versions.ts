// Which revision a version stood for that a model was given in an earlier turn: a conversation goes on over several turns, and
// with a match text such a version still says where lines were.
//
// Only versions of what is in the ledger are kept. What a turn has staged may be discarded, and its revision then names
// another text.

import type { TurnTab } from "@stet/workspace/tabs/tabs";
import type { Workspace } from "@stet/workspace/workspace";

/** The oldest are forgotten beyond so many a workspace. */
const maxKept = 5000;

const issued = new WeakMap<Workspace, Map<string, number>>();

export function keepIssued(workspace: Workspace, { info, history }: TurnTab): void {
  const kept = issued.get(workspace) ?? new Map<string, number>();
  issued.set(workspace, kept);
  const key = `${info.tab_id} ${info.version}`;
  kept.delete(key);
  kept.set(key, history.revision);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

export function issuedRevision(workspace: Workspace, tab: string, version: string): number | undefined {
  return issued.get(workspace)?.get(`${tab} ${version}`);
}
