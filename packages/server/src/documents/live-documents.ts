// Documents as several windows edit them at once.
//
// A window sends a change with the revision that it was made on. It is mapped over everything since and can never conflict;
// the answer holds everyone's changes since that revision, its own as it became, and from those the window gets to the same
// text. A change that is sent again with the same id is made once.

import { ChangeSet, type Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { maxHistoryLength } from "@stet/protocol/limits";
import { checkContent } from "@stet/text/document";
import { type Change, changesSince, textAt } from "@stet/text/history";
import type { DocumentState } from "@stet/workspace/document-state";
import type { DocumentChange } from "@stet/workspace/documents";
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

/** Changes whose id is remembered, and documents whose makers are. */
const maxRemembered = 10_000;
const maxDocuments = 1000;

export class LiveDocuments {
  private readonly workspace: Workspace;
  private readonly made = new Set<string>();
  /** Which window made a revision, by document. */
  private readonly makers = new Map<number, Map<number, string>>();

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** A document's newest state; a file that nobody has changed since the start is read again. */
  state(document: number): DocumentState | Fault {
    const state = this.workspace.documents.state(document);
    const path = this.workspace.documents.row(document)?.path;
    return isFault(state) && path ? this.workspace.documents.open(path) : state;
  }

  change(document: number, { revision, change: json, client, change_id }: SentChange): ChangesReply | Fault {
    const name = change_id === undefined ? undefined : `${document} ${client} ${change_id}`;
    if (name !== undefined && this.made.has(name)) return this.since(document, revision);
    const change = changeFrom(json);
    if (isFault(change)) return change;
    const opened = this.state(document);
    if (isFault(opened)) return opened;
    const seen = textAt(opened.history, revision);
    if (isFault(seen)) return seen;
    if (seen.length === change.length && splitsCharacter(seen, change))
      return invalidChange("It takes half of a character away.");
    const changed = this.make(document, client, { revision, change, origin: "user" });
    if (isFault(changed)) return changed;
    if (name !== undefined) this.remember(name);
    return this.since(document, revision);
  }

  /** The maker is known before anyone hears of the revision; what other processes did meanwhile is never taken for it. */
  private make(document: number, client: string, request: DocumentChange): DocumentState | Fault {
    const { ledger, documents } = this.workspace;
    let made: number | undefined;
    const changed = ledger.write(() => {
      const before = documents.state(document);
      const after = documents.change(document, request);
      if (isFault(before) || isFault(after) || after.history.revision === before.history.revision)
        return after;
      made = after.history.revision;
      this.attribute(document, made, client);
      return after;
    });
    if (isFault(changed) && made !== undefined) this.makers.get(document)?.delete(made);
    return changed;
  }

  private remember(name: string): void {
    this.made.add(name);
    const [oldest] = this.made;
    if (this.made.size > maxRemembered && oldest !== undefined) this.made.delete(oldest);
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
        client: this.makerOf(document, made.revision),
        change: made.change.toJSON(),
      })),
    };
  }

  private attribute(document: number, revision: number, client: string): void {
    const makers = this.makers.get(document) ?? new Map<number, string>();
    this.makers.delete(document);
    this.makers.set(document, makers.set(revision, client));
    const [oldest] = makers.keys();
    if (makers.size > 2 * maxHistoryLength && oldest !== undefined) makers.delete(oldest);
    const [leastRecent] = this.makers.keys();
    if (this.makers.size > maxDocuments && leastRecent !== undefined) this.makers.delete(leastRecent);
  }

  /** The window that made a revision; null where none did. */
  makerOf(document: number, revision: number): string | null {
    return this.makers.get(document)?.get(revision) ?? null;
  }
}

/** Lines of what is inserted hold no line breaks: a text that says otherwise would not be the one that is on disk. */
function changeFrom(json: unknown): ChangeSet | Fault {
  let change: ChangeSet;
  try {
    // It counts lengths together without looking at their signs.
    if (!Array.isArray(json) || !json.every(hasLength)) return invalidChange("It is not a change set.");
    change = ChangeSet.fromJSON(json);
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
