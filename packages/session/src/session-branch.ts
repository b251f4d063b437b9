// The entries of a new session that begins like another one.
//
// Entries keep their ids. Labels are left out where they were said and said anew at the end, for the entries that
// are there; what followed a label, or an entry that cannot be read, follows what came before it.

import { type Fault, isFault } from "@stet/protocol/fault";
import { newEntryId, type SessionEntry } from "./entry.ts";
import type { Session } from "./session-tree.ts";

export function entriesForBranch(session: Session, entryId: string | null): readonly SessionEntry[] | Fault {
  const target = entryId === null ? undefined : session.entry(entryId);
  if (isFault(target)) return target;
  const copied: SessionEntry[] = [];
  let parentId: string | null = null;
  for (const entry of session.path(entryId)) {
    if (isFault(entry) || entry.type === "label") continue;
    copied.push({ ...entry, parentId });
    parentId = entry.id;
  }
  const ids = new Set(copied.map((entry) => entry.id));
  const labels: SessionEntry[] = [];
  const timestamp = new Date().toISOString();
  for (const { id: targetId } of copied) {
    const label = session.label(targetId);
    if (label === undefined) continue;
    const id: string = newEntryId((taken) => ids.has(taken));
    ids.add(id);
    labels.push({ type: "label", id, parentId, timestamp, targetId, label });
    parentId = id;
  }
  return [...copied, ...labels];
}
