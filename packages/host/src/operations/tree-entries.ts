// The entries of a session as its tree shows them, by filter and search.
//
// Answers that only call tools are left out but for `all`, unless they broke off or are where the conversation goes on.

import { setImmediate } from "node:timers/promises";
import type { TreeFilter } from "@stet/protocol/api/sessions";
import { deliveryTitle } from "@stet/protocol/delivery-words";
import { isFault } from "@stet/protocol/fault";
import type { SessionEntry } from "@stet/session/entry";
import type { EntrySlot } from "@stet/session/entry-index";
import type { Session } from "@stet/session/session-tree";
import { isVisibleType, visibleLeaf } from "@stet/session/visible-tree";
import { type EntryView, entryView, timeOfEntry } from "./entry-view.ts";

/** What was set or remembered, which only the tree shows. */
interface NoteView {
  readonly kind: "note";
  readonly entry_id: string;
  readonly ts: string;
  readonly text: string;
}

export type TreeEntry = EntryView | NoteView;

const maxNodeText = 500;
/** Entries that are read before others get their time. */
const readAtOnce = 500;

/** The entries that pass the filter and hold all the words, by their position; of long ones only the beginning. */
export async function treeEntries(
  session: Session,
  filter: TreeFilter,
  words: readonly string[],
): Promise<Map<EntrySlot, TreeEntry>> {
  const { log } = session;
  const leaf = visibleLeaf(session);
  const slots = log.index.slots.filter((slot) => mayPass(session, slot, filter));
  const found = new Map<EntrySlot, TreeEntry>();
  for (let start = 0; start < slots.length; start += readAtOnce) {
    const some = slots.slice(start, start + readAtOnce);
    for (const [position, entry] of log.read(some).entries()) {
      const slot = some[position];
      if (slot === undefined || isFault(entry)) continue;
      const view = viewOf(entry, filter);
      if (view === undefined || !passes(view, filter, view.entry_id === leaf)) continue;
      if (!holdsAll(view, session.label(view.entry_id), words)) continue;
      const text = lineOf(view);
      found.set(slot, { ...view, text: text.slice(0, maxNodeText).toWellFormed() });
    }
    await setImmediate();
  }
  return found;
}

/** As far as the head tells: what cannot pass is not read. */
function mayPass(session: Session, slot: EntrySlot, filter: TreeFilter): boolean {
  const { type, role, id } = slot.head;
  if (filter === "all") return true;
  if (filter === "labeled-only") return session.label(id) !== undefined;
  if (type === "custom_message") return true;
  if (filter === "user-only") return type === "message" && role === "user";
  return isVisibleType(slot) && (filter === "default" || role !== "toolResult");
}

function viewOf(entry: SessionEntry, filter: TreeFilter): TreeEntry | undefined {
  const view = entryView(entry);
  if (view !== undefined || (filter !== "all" && filter !== "labeled-only")) return view;
  return { kind: "note", entry_id: entry.id, ts: timeOfEntry(entry), text: noteText(entry) };
}

function noteText(entry: SessionEntry): string {
  switch (entry.type) {
    case "model_change":
      return `model ${entry.model}`;
    case "thinking_level_change":
      return `thinking ${entry.thinkingLevel}`;
    case "mode_change":
      return `permission mode ${entry.mode}`;
    case "label":
      return entry.label === undefined ? "label taken away" : `label ${entry.label}`;
    case "custom":
    case "custom_message":
      return entry.customType;
    default:
      return entry.type.replaceAll("_", " ");
  }
}

function passes(view: TreeEntry, filter: TreeFilter, isLeaf: boolean): boolean {
  if (filter === "user-only" && view.kind !== "user") return false;
  if (filter === "all" || filter === "labeled-only" || view.kind !== "assistant") return true;
  return view.text.trim() !== "" || view.error !== undefined || isLeaf;
}

/** What a line of the tree says of it. */
function lineOf(view: TreeEntry): string {
  if (view.kind === "delivery") return deliveryTitle(view);
  return callText(view) || view.text;
}

/** What an answer without words called. */
function callText(view: TreeEntry): string {
  if (view.kind !== "assistant" || view.text.trim() !== "") return "";
  return (view.calls ?? []).map(({ tool, words }) => words ?? tool).join(", ") || (view.error ?? "");
}

function holdsAll(view: TreeEntry, label: string | undefined, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const calls = view.kind === "assistant" ? (view.calls ?? []) : [];
  const called = calls.flatMap(({ tool, words: said }) => [tool, said ?? ""]);
  const folded = [view.text, label ?? "", view.kind, ...called].join("\n").toLowerCase();
  return words.every((word) => folded.includes(word));
}
