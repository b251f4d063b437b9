// Documents as several windows edit them at once.
//
// A window sends a change with the revision that it was made on. It is mapped over everything since and can never conflict;
// the answer holds everyone's changes since that revision, its own as it became, and from those the window gets to the same
// text. A change that is sent again with the same id is made once, also after a restart: who made a change, and under which
// id, is part of its entry in the ledger, and of the history that is folded from there.

import { ChangeSet, type Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { checkContent } from "@stet/text/document";
import { type Change, changesSince, type Maker, textAt } from "@stet/text/history";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import type { Workspace } from "@stet/workspace/workspace";

export interface SentChange {
  readonly revision: number;
  readonly change: unknown;
  readonly client: string;
  readonly change_id?: string | undefined;
}

type ChangeJson = (number | [number, ...string[]])[];

export interface ChangesReply {
  revision: number;
  changes: { revision: number; origin: Origin; client: string | null; change: ChangeJson }[];
}

/** How far back a change is looked for that is older than what is in memory. */
const maxEntriesSearched = 10_000;

export class LiveDocuments {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** A document's newest state; a file that was not opened since the start is read. */
  state(document: number): DocumentState | Fault {
    const state = this.#workspace.documents.current(document);
    const path = this.#workspace.documents.row(document)?.path;
    return isFault(state) && path ? this.#workspace.documents.open(path) : state;
  }

  change(document: number, { revision, change: json, client, change_id }: SentChange): ChangesReply | Fault {
    const change = changeFrom(json);
    if (isFault(change)) return change;
    const by: Maker = { client, changeId: change_id };
    const { ledger, documents } = this.#workspace;
    // In one transaction, so that two requests with one id cannot both find that it was not made yet.
    const made = ledger.write<DocumentState>(() => {
      const state = this.state(document);
      if (isFault(state) || isMade(state, by)) return state;
      const seen = textAt(state.history, revision);
      if (isFault(seen)) return this.#tooOld(seen, document, by);
      if (seen.length === change.length && splitsCharacter(seen, change))
        return invalidChange("It takes half of a character away.");
      return documents.change(document, { revision, change, origin: "user", by });
    });
    if (isFault(made)) return made;
    const reply = this.since(document, revision);
    return isFault(reply) ? this.#tooOld(reply, document, by) : reply;
  }

  /** Tells whether the change was made before its revision became too old: a window must not make it once more. */
  #tooOld(fault: Fault, document: number, { client, changeId }: Maker): Fault {
    if (fault.error !== "unknown_revision" || changeId === undefined) return fault;
    const wasMade = this.#workspace.ledger.hasChange(document, client, changeId, maxEntriesSearched);
    const details = { ...fault.details, was_made: wasMade };
    return new Fault(fault.error, fault.message, fault.suggestion, details);
  }

  since(document: number, revision: number): ChangesReply | Fault {
    const state = this.state(document);
    if (isFault(state)) return state;
    const changes = changesSince(state.history, revision);
    if (isFault(changes)) return changes;
    return {
      revision: state.history.revision,
      changes: changes.map((made: Change) => ({
        revision: made.revision,
        origin: made.origin,
        client: made.by?.client ?? null,
        change: made.change.toJSON(),
      })),
    };
  }

  /** The window that made a revision; null where none did. */
  makerOf(document: number, revision: number): string | null {
    const changes = this.#workspace.ledger.state(document)?.history.changes ?? [];
    return changes.findLast((made) => made.revision === revision)?.by?.client ?? null;
  }
}

function isMade({ history }: DocumentState, { client, changeId }: Maker): boolean {
  if (changeId === undefined) return false;
  return history.changes.some(({ by }) => by?.changeId === changeId && by.client === client);
}

/** Lines of what is inserted hold no line breaks: a text that says otherwise would not be the one that is on disk. */
function changeFrom(json: unknown): ChangeSet | Fault {
  let change: ChangeSet;
  try {
    // It counts lengths together without looking at their signs.
    if (!Array.isArray(json) || !json.every(hasLength)) return invalidChange("It is not a change set.");
    // A part that is nothing at all cannot be mapped over another change.
    change = ChangeSet.fromJSON(json.filter((part) => !isNothing(part)));
  } catch {
    return invalidChange("It is not a change set.");
  }
  let refusal: Fault | undefined;
  change.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    for (const line of inserted.iterLines()) {
      if (line.includes("\n")) refusal ??= invalidChange("A line of it holds a line break.");
      refusal ??= checkContent(line);
    }
  });
  return refusal ?? change;
}

function isNothing(part: unknown): boolean {
  return part === 0 || (Array.isArray(part) && part.length === 1 && part[0] === 0);
}

function hasLength(part: unknown): boolean {
  const length: unknown = Array.isArray(part) ? part[0] : part;
  return Number.isSafeInteger(length) && Number(length) >= 0;
}

/** Half of a surrogate pair is no text, and could not be saved. */
function splitsCharacter(text: Text, change: ChangeSet): boolean {
  let splits = false;
  change.iterChangedRanges((from, to) => {
    splits ||= isWithinPair(text, from) || isWithinPair(text, to);
  });
  return splits;
}

function isWithinPair(text: Text, at: number): boolean {
  if (at === 0 || at === text.length) return false;
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.sliceString(at - 1, at + 1));
}

function invalidChange(reason: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The change cannot be used. ${reason}`,
    "Send what ChangeSet.toJSON of @codemirror/state gives. Nothing was changed.",
  );
}
