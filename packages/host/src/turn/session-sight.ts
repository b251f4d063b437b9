// The session's sight (which lines of the files the model has seen), stored as an entry: a later turn, also of another process,
// goes on with it. The newest such entry on the path to the leaf counts, so a branch has the sight of its own past.

import { ignoreFault, isFault } from "@stet/protocol/fault";
import type { Session } from "@stet/session/session-tree";
import { Sight } from "@stet/tools/sight/sight";

const entryType = "sight";

/** More entries of extensions are not looked through. */
const maxLooked = 200;

export function sightOf(session: Session): Sight {
  return new Sight(() => savedIn(session));
}

/** Written only where the sight changed. A session that cannot be written to makes the model read the lines again later. */
export function keepSight(session: Session, sight: Sight): void {
  const saved = sight.save();
  if (saved === undefined || JSON.stringify(saved) === JSON.stringify(savedIn(session))) return;
  ignoreFault(session.append({ type: "custom", customType: entryType, data: saved }));
}

function savedIn(session: Session): unknown {
  const slots = session.pathSlots().filter((slot) => slot.head.type === "custom");
  for (const entry of session.log.read(slots.slice(-maxLooked)).toReversed()) {
    if (!isFault(entry) && entry.type === "custom" && entry.customType === entryType) return entry.data;
  }
  return undefined;
}
