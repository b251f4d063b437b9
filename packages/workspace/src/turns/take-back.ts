// Taking back what was entered for a document because the disk could not follow.
//
// A change: the document becomes what it was before, its text, what is pending, how its file follows. What others did to
// its text meanwhile is done again on top. Where they have decided on something meanwhile, or have written in the very lines,
// the text alone is taken back, as a change, by whole lines: what they decided stays, and the lines that they wrote in stay
// as they are, open. Mapped by characters, such lines would become a mixture that nobody wrote.
//
// A decision is undone and an undone one decided again, so that neither counts as the latest one, nor is reported to a model.

import type { ChangeSet } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { type Change, changesSince } from "@stet/text/history";
import { changeOf } from "@stet/text/lines";
import { mergeTexts } from "@stet/text/merge";
import { undoable } from "@stet/text/pending";
import { storePieces } from "@stet/text/stored-pieces";
import type { DocumentState, EntryBody } from "../documents/document-state.ts";
import { hasFile } from "../documents/file-state.ts";
import { entryOf, type Ledger } from "../ledger/ledger.ts";
import { decidedHunks } from "../review/decision-record.ts";

/** A document before and right after what is to be taken back. */
export interface Entered {
  readonly before: DocumentState;
  readonly after: DocumentState;
}

/** Only in a transaction. Returns the state that follows. */
export function takeBack(ledger: Ledger, { before, after }: Entered, turn?: string): DocumentState {
  const now = ledger.state(after.id) ?? after;
  const since = changesSince(now.history, after.history.revision);
  const later: readonly Change[] = isFault(since) ? [] : since;
  let isApart = !isFault(since);
  let back = changeOf(after.pending.current, diffTexts(after.pending.current, before.pending.current));
  const again: EntryBody[] = [];
  for (const { change, origin, turn: by } of later) {
    isApart &&= !touches(change, back);
    again.push({ kind: "change", origin, turn: by, change: change.map(back, true).toJSON() });
    back = back.map(change);
  }
  if (!isApart || hasDecided(ledger, after)) {
    const { current } = now.pending;
    const { text } = mergeTexts(after.pending.current, current, before.pending.current);
    const change = changeOf(current, diffTexts(current, text));
    return ledger.append(now, {
      kind: "change",
      origin: "agent",
      turn,
      change: change.toJSON(),
      exists: hasFile(before, "current"),
    });
  }
  const origin = after.history.changes.at(-1)?.origin;
  let state = ledger.append(now, { ...restoreEntry(now, before, before.file.isThrough), origin });
  for (const body of again) state = ledger.append(state, body);
  return state;
}

/** Whether a change is in what another one replaces, or right beside it. */
function touches(change: ChangeSet, other: ChangeSet): boolean {
  let isTouched = false;
  other.iterChangedRanges((from, to) => {
    isTouched ||= change.touchesRange(from, to) !== false;
  });
  return isTouched;
}

/** Takes back decisions, and everything else that was entered with them. Only in a transaction. */
export function takeBackDecision(ledger: Ledger, { before, after }: Entered): void {
  const sql = "SELECT * FROM entries WHERE document = ? AND id > ? AND id <= ? ORDER BY id DESC";
  const bodies = ledger.database
    .all(sql, after.id, before.entry, after.entry)
    .map((row) => entryOf(row).body);
  const inverses = bodies.map((body) => inverseOf(body, before));
  if (inverses.includes(undefined)) {
    takeBack(ledger, { before, after });
    return;
  }
  let state = ledger.state(after.id) ?? after;
  for (const inverse of inverses) if (inverse !== undefined) state = ledger.append(state, inverse(state));
}

/** What takes a decision back; undefined for an entry that is none. */
function inverseOf(
  body: EntryBody,
  before: DocumentState,
): ((state: DocumentState) => EntryBody) | undefined {
  if (body.kind === "decision") {
    const { verdict, hunks } = body;
    return () => ({ kind: "undo", verdict, hunks: hunks.map(({ id }) => id) });
  }
  if (body.kind !== "undo") return undefined;
  const { verdict } = body;
  const undone = new Map<number, ReadonlySet<string>>();
  for (const piece of before.pending.pieces)
    if (body.hunks.includes(piece.id)) undone.set(piece.id, new Set(undoable(piece)?.turns));
  return (state) => ({ kind: "decision", verdict, hunks: decidedHunks(state, undone, verdict) });
}

/** The entry that makes a document what it was once; `isThrough` where its file is to follow at once. */
export function restoreEntry(
  now: DocumentState,
  target: DocumentState,
  isThrough: boolean,
  turn?: string,
): Extract<EntryBody, { kind: "restore" }> {
  const { current } = now.pending;
  const { decided, current: shown } = target.versions;
  const { side, existence } = target.file;
  return {
    kind: "restore",
    change: changeOf(current, diffTexts(current, target.pending.current)).toJSON(),
    pieces: storePieces(target.pending),
    turn,
    versions: { decided, current: shown },
    file: { side, isThrough, existence, format: target.format },
    to: { entry: target.entry, from: target.pending.nextId, until: now.pending.nextId },
  };
}

/** Whether anything but the text was changed since. */
function hasDecided({ database }: Ledger, { id, entry }: DocumentState): boolean {
  const rows = database.all("SELECT * FROM entries WHERE document = ? AND id > ?", id, entry);
  return rows.some((row) => !["change", "disk", "saved"].includes(entryOf(row).body.kind));
}
