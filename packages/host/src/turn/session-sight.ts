// What the model was shown of the files, kept in the session's file: a later turn, also of another process, goes on with it.
// It is the newest such entry on the path to the leaf, so a conversation that goes back knows what was shown until there.

import { ignoreFault, isFault } from "@stet/protocol/fault";
import type { Session } from "@stet/session/session-tree";
import { Sight } from "@stet/tools/sight/sight";

const entryType = "sight";

/** More entries of extensions are not looked through. */
const maxLooked = 200;

export function sightOf(session: Session): Sight {
  return new Sight(() => savedIn(session));
}

/** Written only where something was shown since. A session that cannot be written to shows the lines again later. */
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
