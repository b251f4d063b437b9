// A conversation as a person reads it, from its root to its leaf, a page at a time. Only the entries of the page are read.

import type { Operations } from "@stet/protocol/api/operation";
import type { SessionMessage } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { EntrySlot } from "@stet/session/entry-index";
import type { Session } from "@stet/session/session-tree";
import { isVisibleType, siblingCounter } from "@stet/session/visible-tree";
import type { Host } from "../host.ts";
import { entryView } from "./entry-view.ts";

export function messageOperations({ sessions }: Host) {
  return {
    async sessionMessages({ params, query }) {
      const session = await sessions.find(params.session_id);
      return isFault(session) ? session : pageOf(session, query.before, query.limit);
    },
  } satisfies Partial<Operations>;
}

interface Page {
  readonly messages: SessionMessage[];
  readonly has_more: boolean;
}

function pageOf(session: Session, before: string | undefined, limit: number): Page | Fault {
  const slots = slotsBefore(session, before);
  if (isFault(slots)) return slots;
  const siblings = siblingCounter(session.log.index);
  let messages: SessionMessage[] = [];
  let end = slots.length;
  // One more than wanted shows whether there is more; invisible entries are made up for.
  while (end > 0 && messages.length <= limit) {
    const start = Math.max(0, end - (limit + 1 - messages.length));
    messages = [...shownOf(session, slots.slice(start, end), siblings), ...messages];
    end = start;
  }
  return { messages: messages.slice(-limit), has_more: messages.length > limit };
}

function slotsBefore(session: Session, before: string | undefined): readonly EntrySlot[] | Fault {
  const isCandidate = (slot: EntrySlot) => isVisibleType(slot) || slot.head.type === "custom_message";
  if (before === undefined) return session.pathSlots().filter(isCandidate);
  const known = session.entry(before);
  return isFault(known) ? known : session.pathSlots(before).slice(0, -1).filter(isCandidate);
}

function shownOf(
  session: Session,
  slots: readonly EntrySlot[],
  siblings: (slot: EntrySlot) => number,
): SessionMessage[] {
  return session.log.read(slots).flatMap((entry, position) => {
    const slot = slots[position];
    const shown = isFault(entry) ? undefined : entryView(entry);
    if (shown === undefined || slot === undefined) return [];
    const label = session.label(slot.head.id);
    return { ...shown, ...(label === undefined ? {} : { label }), siblings: siblings(slot) };
  });
}
