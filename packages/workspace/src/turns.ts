// Turns: an agent's edits to many documents, committed as one or not at all.
//
// A turn works on its own copy of each document. What the person does meanwhile reaches the copy, mapped over what the
// turn has staged, so the agent always sees both. Staging touches neither the ledger nor the documents; a discarded turn
// leaves no trace, and a failed step leaves the turn as it was before that step.
//
// Where files must be on disk while the turn goes on (write policy "immediate"), `publish` commits what is staged so far
// and keeps the turn open. Discarding then rejects what was published, which keeps whatever the person wrote.

import { ChangeSet } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { type TurnId, uniqueSuffix } from "@stet/protocol/ids";
import { advance, changesSince, type History, startHistory, textAt } from "@stet/text/history";
import type { IntegrityReport } from "@stet/text/integrity";
import { isOpen } from "@stet/text/pending";
import type { ReplaceRequest } from "@stet/text/replace-all";
import {
  type EditReport,
  type EditRequest,
  integrityOfNewest,
  type Revised,
  revise,
} from "@stet/text/revise";
import { recordCheckpoint } from "./checkpoint-record.ts";
import type { Location } from "./containment.ts";
import type { Documents } from "./documents.ts";
import type { Hold } from "./holders.ts";
import type { Ledger } from "./ledger.ts";
import { recordTurn } from "./turn-record.ts";

export interface TurnOptions {
  readonly session?: string;
  readonly summary?: string;
  /** Whether the person decides on all of its changes at once. */
  readonly isWhole?: boolean;
  /** Whether its edits are on disk at once, before anyone has decided on them. */
  readonly isImmediate?: boolean;
  /** Keeps everyone else from editing until the turn ends. */
  readonly lock?: Hold;
}

/** A document as the turn sees it. */
interface Copy {
  readonly history: History;
  /** The document's revision that the copy has caught up with. */
  readonly followed: number;
  /** From the document's text at that revision to the copy's text; undefined where nothing is staged. */
  readonly staged: ChangeSet | undefined;
  /** How many edits that took. */
  readonly steps: number;
}

export type TurnEdit = Omit<EditRequest, "origin" | "turn">;

export type TurnReplacement = Omit<ReplaceRequest, "origin" | "turn">;

/** What was staged, and proof that the rest of the document is as it was. */
export interface StagedReport extends EditReport {
  readonly integrity: IntegrityReport;
}

export interface ReplacementReport extends StagedReport {
  readonly matchesFound: number;
  readonly replacementsMade: number;
}

export interface CommittedTurn {
  readonly id: TurnId;
  /** Ids of the documents that the turn changed. */
  readonly documents: readonly number[];
}

/** What a turn has staged, as data: it can go on from there in another process. */
export interface SuspendedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly staged: readonly {
    readonly document: number;
    /** The document's revision that the change is made on. */
    readonly revision: number;
    readonly change: unknown;
    readonly steps: number;
  }[];
  readonly created: readonly { readonly path: string | null; readonly title: string }[];
}

export class Turn {
  readonly id: TurnId;
  private readonly ledger: Ledger;
  private readonly documents: Documents;
  private readonly options: TurnOptions;
  private startedAt = Date.now();
  private copies = new Map<number, Copy>();
  private readonly published = new Set<number>();
  /** Documents that exist only because of this turn. */
  private readonly created = new Set<number>();
  private isClosed = false;

  constructor(ledger: Ledger, documents: Documents, options: TurnOptions = {}, id?: TurnId) {
    this.id = id ?? `turn_${uniqueSuffix()}`;
    this.ledger = ledger;
    this.documents = documents;
    this.options = options;
  }

  suspend(): SuspendedTurn {
    const staged = [...this.copies].flatMap(([document, { staged: change, followed: revision, steps }]) => {
      return change === undefined ? [] : [{ document, revision, change: change.toJSON(), steps }];
    });
    const created = [...this.created].flatMap((id) => {
      const row = this.documents.row(id);
      return row === undefined ? [] : [{ path: row.path, title: row.title }];
    });
    return { id: this.id, startedAt: this.startedAt, staged, created };
  }

  /** Takes up what was suspended; a fault where a document has moved on too far since. */
  resume({ startedAt, staged, created }: SuspendedTurn): undefined | Fault {
    this.startedAt = startedAt;
    for (const { path, title } of created) {
      const state = this.documents.create(path, title);
      if (isFault(state)) return state;
      this.created.add(state.id);
    }
    for (const { document, revision, change: json, steps } of staged) {
      const state = this.documents.state(document);
      if (isFault(state)) return state;
      const before = textAt(state.history, revision);
      if (isFault(before)) return before;
      const change = ChangeSet.fromJSON(json);
      const history = advance(startHistory(before, revision), change, { origin: "agent", turn: this.id });
      this.copies.set(document, { history, followed: revision, staged: change, steps });
      const copy = this.copy(document);
      if (isFault(copy)) return copy;
    }
    return undefined;
  }

  /** The document as the agent sees it now. */
  read(document: number): History | Fault {
    const copy = this.copy(document);
    return isFault(copy) ? copy : copy.history;
  }

  /** Names what is staged: it changes with every edit of the turn, and with every change of its documents. */
  state(): string {
    return [...this.copies].map(([document, copy]) => `${document}:${copy.history.revision}`).join(" ");
  }

  /** Documents whose text, as the turn sees it, may not be what is on disk. */
  unsaved(): { document: number; path: string; history: History }[] {
    const ids = new Set([...this.copies.keys(), ...this.documents.unsavedIds()]);
    return [...ids].flatMap((document) => {
      const path = this.documents.row(document)?.path;
      const history = this.read(document);
      return path === null || path === undefined || isFault(history) ? [] : [{ document, path, history }];
    });
  }

  /** How many edits are staged for a document. */
  stagedSteps(document: number): number {
    return this.copies.get(document)?.steps ?? 0;
  }

  /**
   * Stages a new document; it is written when it is accepted and saved. Without a path it has a title only. Returns the
   * new document's id.
   */
  create(path: string | null, content: string, title?: string): number | Fault {
    if (this.isClosed) return this.closed();
    const location = path === null ? null : this.documents.locate(path);
    if (isFault(location)) return location;
    if (location !== null && this.isTaken(location)) return fileExists(location.path);
    const state = this.documents.create(location?.path ?? null, title);
    if (isFault(state)) return state;
    this.created.add(state.id);
    const edits = [{ op: "set", content } as const];
    const { revision } = state.history;
    const staged =
      content === "" ? undefined : this.edit(state.id, { revision, policy: { kind: "rebase" }, edits });
    return isFault(staged) ? staged : state.id;
  }

  private isTaken(location: Location): boolean {
    if (location.exists) return true;
    const existing = this.documents.rowAt(location.path);
    const known = existing === undefined ? undefined : this.read(existing.id);
    return known !== undefined && !isFault(known) && known.text.length > 0;
  }

  /** Stages line edits. Everything is checked before anything changes. */
  edit(document: number, request: TurnEdit): StagedReport | Fault {
    const copy = this.copy(document);
    if (isFault(copy)) return copy;
    const revised = revise(copy.history, { ...request, origin: "agent", turn: this.id });
    if (isFault(revised)) return revised;
    this.stage(document, copy, revised);
    return reportOf(revised);
  }

  /** Stages a find and replace over one document. */
  async replaceAll(document: number, request: TurnReplacement): Promise<ReplacementReport | Fault> {
    const { replaceAll } = await import("@stet/text/replace-all");
    const copy = this.copy(document);
    if (isFault(copy)) return copy;
    const replaced = replaceAll(copy.history, { ...request, origin: "agent", turn: this.id });
    if (isFault(replaced)) return replaced;
    this.stage(document, copy, replaced);
    const { matchesFound, replacementsMade } = replaced;
    return { ...reportOf(replaced), matchesFound, replacementsMade };
  }

  private stage(document: number, copy: Copy, { history, change }: Revised): void {
    const staged = copy.staged === undefined ? change : copy.staged.compose(change);
    this.copies.set(document, { ...copy, history, staged, steps: copy.steps + 1 });
  }

  /** Stages the removal of a document's file. */
  remove(document: number): StagedReport | Fault {
    const history = this.read(document);
    if (isFault(history)) return history;
    const { revision } = history;
    return this.edit(document, {
      revision,
      policy: { kind: "rebase" },
      edits: [{ op: "clear" }],
      rewrite: true,
    });
  }

  /** Runs one step; when it ends in a fault or an exception, whatever it staged is gone. */
  async step<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault> {
    const before = new Map(this.copies);
    let result: T | Fault | undefined;
    try {
      result = await action();
      return result;
    } finally {
      if (result === undefined || isFault(result)) this.copies = before;
    }
  }

  private copy(document: number): Copy | Fault {
    if (this.isClosed) return this.closed();
    const state = this.documents.state(document);
    if (isFault(state)) return state;
    const known = this.copies.get(document);
    const copy =
      known === undefined
        ? { history: state.history, followed: state.history.revision, staged: undefined, steps: 0 }
        : this.follow(known, state.history);
    if (!isFault(copy)) this.copies.set(document, copy);
    return copy;
  }

  private closed(): Fault {
    return new Fault("turn_closed", `The turn ${this.id} has ended.`, "Start a new turn.", { turn: this.id });
  }

  /** Takes over what happened to the document since, mapped over what is staged. */
  private follow(copy: Copy, history: History): Copy | Fault {
    const since = changesSince(history, copy.followed);
    if (isFault(since)) return since;
    let followed: Copy = copy;
    for (const made of since) {
      const { staged } = followed;
      const theirs = staged === undefined ? made.change : made.change.map(staged, true);
      followed = {
        history: advance(followed.history, theirs, made),
        followed: made.revision,
        staged: staged?.map(made.change),
        steps: followed.steps,
      };
    }
    return followed;
  }

  /** Commits everything that is staged, as one, with a checkpoint of what was before. */
  commit(): CommittedTurn | Fault {
    const committed = this.publish("committed");
    if (!isFault(committed)) this.close();
    return committed;
  }

  private close(): void {
    this.isClosed = true;
    this.options.lock?.release();
  }

  /** Commits what is staged so far; the turn goes on. */
  publish(status: "open" | "committed" = "open"): CommittedTurn | Fault {
    if (this.isClosed) return this.closed();
    const changed: number[] = [];
    const written = this.ledger.write(
      () => {
        for (const document of this.copies.keys()) {
          const copy = this.copy(document);
          if (isFault(copy)) return copy;
          if (copy.staged === undefined || copy.staged.empty) continue;
          const fault = this.commitDocument(document, copy.staged, copy.steps);
          if (isFault(fault)) return fault;
          changed.push(document);
        }
        if (changed.length > 0 || this.published.size > 0) this.recordTurn(status);
        this.documents.keepEmptyTabs(this.id);
        return changed;
      },
      { durable: true },
    );
    if (isFault(written)) return written;
    for (const document of changed) {
      this.published.add(document);
      this.copies.delete(document);
    }
    return { id: this.id, documents: [...this.published] };
  }

  private commitDocument(document: number, change: ChangeSet, steps: number): Fault | undefined {
    const before = this.documents.state(document);
    if (isFault(before)) return before;
    const after = this.ledger.append(before, {
      kind: "change",
      origin: "agent",
      turn: this.id,
      change: change.toJSON(),
      steps,
    });
    recordCheckpoint(this.ledger, this.id, before, after);
    return undefined;
  }

  private recordTurn(status: "open" | "committed" | "discarded"): void {
    recordTurn(this.ledger, {
      id: this.id,
      kind: "agent",
      status,
      startedAt: this.startedAt,
      ...this.options,
    });
  }

  /** Drops what is staged, and rejects what was published. */
  discard(): undefined | Fault {
    if (this.isClosed) return undefined;
    if (this.published.size > 0) {
      const written = this.ledger.write(() => {
        for (const document of this.published) {
          const state = this.documents.state(document);
          if (isFault(state)) return state;
          const own = state.pending.pieces.filter((piece) => isOpen(piece) && piece.turns.includes(this.id));
          const hunks = own.map((piece) => ({ id: piece.id }));
          if (hunks.length > 0)
            this.ledger.append(state, { kind: "decision", verdict: "rejected", hunks, turn: this.id });
        }
        this.recordTurn("discarded");
        return true;
      });
      if (isFault(written)) return written;
    }
    this.close();
    this.copies.clear();
    for (const document of this.created) this.documents.discard(document);
    return undefined;
  }
}

function fileExists(path: string): Fault {
  const message = `${path} exists already.`;
  return new Fault("file_exists", message, "Edit that file, or choose another path.", { path });
}

function reportOf({ history, report }: Revised): StagedReport {
  const integrity = integrityOfNewest(history);
  // Either cannot be: a revision has just been made, and a change leaves alone what it does not name.
  if (integrity === undefined || !integrity.restIsIdentical)
    throw new Error("an edit changed text beside its target");
  return { ...report, integrity };
}
