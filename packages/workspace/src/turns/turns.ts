// Turns: an agent's edits to many documents, committed as one or not at all.
//
// A turn works on its own copy of each document. What the person does meanwhile reaches the copy, mapped over what the
// turn has staged, so the agent always sees both. Staging touches neither the ledger nor the documents; a discarded turn
// leaves no trace, and a failed step leaves the turn as it was before that step.
//
// The edits of an immediate turn are on disk while it goes on: `publish` commits what is staged so far and keeps the turn
// open, and their files hold what is there from then on (see `Workspace.writeTurn`). Discarding rejects what was
// published, which keeps whatever the person wrote.

import { ChangeSet } from "@codemirror/state";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { type TurnId, uniqueSuffix } from "@stet/protocol/ids";
import type { Format } from "@stet/text/document";
import { advance, type History, startHistory, textAt } from "@stet/text/history";
import type { ReplaceRequest } from "@stet/text/replace-all";
import { type EditRequest, revise } from "@stet/text/revise";
import { absorbAll, type FoundChange } from "../command-effects/absorb.ts";
import { isTypedIn } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { hasFile } from "../documents/file-state.ts";
import type { Location } from "../files/containment.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { keepEmptyTabs } from "../tabs/created-tabs.ts";
import { withoutMarks } from "./redaction-marks.ts";
import type { TurnConflict } from "./settle-copy.ts";
import type { Entered } from "./take-back.ts";
import { TurnCopies } from "./turn-copies.ts";
import { isRemoved, type SuspendedTurn, withRevised } from "./turn-copy.ts";
import type { CommittedTurn, PublishedTurn, StagedTurnOptions } from "./turn-options.ts";
import { enterCopy, rejectPublished, takeBackEntered } from "./turn-publish.ts";
import { recordTurn } from "./turn-record.ts";
import {
  fileExists,
  type ReplacementReport,
  reportOf,
  type StagedReport,
  unchangedReport,
} from "./turn-report.ts";

export type TurnEdit = Omit<EditRequest, "origin" | "turn">;
export type TurnReplacement = Omit<ReplaceRequest, "origin" | "turn">;

export class Turn {
  readonly id: TurnId;
  readonly #ledger: Ledger;
  readonly #documents: Documents;
  readonly options: StagedTurnOptions;
  #startedAt = Date.now();
  readonly #copies: TurnCopies;
  readonly #published = new Set<number>();
  #isClosed = false;

  constructor(ledger: Ledger, documents: Documents, options: StagedTurnOptions = {}, id?: TurnId) {
    this.id = id ?? `turn_${uniqueSuffix()}`;
    this.#ledger = ledger;
    this.#documents = documents;
    this.#copies = new TurnCopies(documents, options.isHeld);
    this.options = options;
  }

  /** Whether it has neither been committed nor discarded. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Whether its edits are on disk at once. */
  get isImmediate(): boolean {
    return this.options.isImmediate ?? false;
  }

  get stagedLength(): number {
    return this.#copies.stagedLength;
  }

  /** Ids of the documents that were committed while the turn goes on. */
  get publishedDocuments(): number[] {
    return [...this.#published];
  }

  suspend(): SuspendedTurn {
    const staged = [...this.#copies.all].flatMap(([document, copy]) => {
      const { staged: change, followed: revision, steps, file } = copy;
      return change === undefined ? [] : [{ document, revision, change: change.toJSON(), steps, file }];
    });
    const created = [...this.#copies.created].flatMap((id) => {
      const row = this.#documents.row(id);
      return row === undefined ? [] : [{ path: row.path, title: row.title }];
    });
    return { id: this.id, startedAt: this.#startedAt, staged, published: [...this.#published], created };
  }

  /** Takes up what was suspended; a fault where a document has moved on too far since. */
  resume({ startedAt, staged, published, created }: SuspendedTurn): undefined | Fault {
    this.#startedAt = startedAt;
    for (const document of published ?? []) this.#published.add(document);
    for (const { path, title } of created) {
      const state = this.#documents.create(path, title);
      if (isFault(state)) return state;
      this.#copies.created.add(state.id);
    }
    for (const { document, revision, change: json, steps, file } of staged) {
      const state = this.#documents.state(document);
      if (isFault(state)) return state;
      const before = textAt(state.history, revision);
      if (isFault(before)) return before;
      const change = ChangeSet.fromJSON(json);
      const history = advance(startHistory(before, revision), change, { origin: "agent", turn: this.id });
      this.#copies.set(document, { history, followed: revision, staged: change, steps, file });
      const copy = this.#isClosed ? this.#closed() : this.#copies.newest(document);
      if (isFault(copy)) return copy;
    }
    return undefined;
  }

  /** The document as the agent sees it now. */
  read(document: number): History | Fault {
    const copy = this.#isClosed ? this.#closed() : this.#copies.readable(document);
    return isFault(copy) ? copy : copy.history;
  }

  /** The same for whoever lists many documents: a conflict is told by the next call that reads or edits this one. */
  peek(document: number): History | Fault {
    const copy = this.#isClosed ? this.#closed() : this.#copies.newest(document);
    return isFault(copy) ? copy : (this.#copies.gone(document, copy) ?? copy.history);
  }

  /** Drops staged edits that cannot be committed any more, so that they can be made again, and tells why. */
  dropConflicting(): Fault[] {
    return this.#isClosed ? [] : this.#copies.dropConflicting();
  }

  /** Of a held turn that ends: what of it does not fit any more. The rest can be committed. */
  settle(): TurnConflict[] {
    return this.#isClosed ? [] : this.#copies.settle();
  }

  /** Names what is staged: it changes with every edit of the turn, and with every change of its documents. */
  state(): string {
    return [...this.histories()].map(([document, { revision }]) => `${document}:${revision}`).join(" ");
  }

  /** The documents that the turn has looked at, as it saw them last. */
  histories(): Map<number, History> {
    return new Map([...this.#copies.all].map(([document, { history }]) => [document, history]));
  }

  /** Documents whose text, as the turn sees it, may not be what is on disk. */
  unsaved(): { document: number; path: string; history: History }[] {
    const ids = new Set([...this.#copies.staged(), ...this.#documents.unsavedIds()]);
    return [...ids].flatMap((document) => {
      const path = this.#documents.row(document)?.path;
      const history = this.peek(document);
      return path === null || path === undefined || isFault(history) ? [] : [{ document, path, history }];
    });
  }

  /** How many edits are staged for a document. */
  stagedSteps(document: number): number {
    return this.#copies.all.get(document)?.steps ?? 0;
  }

  /** Whether there is a file, or will be one, as the turn sees it. */
  hasFile(document: number): boolean | Fault {
    const copy = this.#isClosed ? this.#closed() : this.#copies.newest(document);
    const state = this.#documents.state(document);
    if (isFault(copy)) return copy;
    if (isFault(state)) return state;
    // A file that vanished from disk leaves its text here.
    if (copy.staged === undefined && state.saved === null) return false;
    if (copy.history.text.length > 0) return true;
    return copy.file === undefined ? hasFile(state, "current") : copy.file.kind === "made";
  }

  /**
   * Stages a new document; it is written when it is accepted and saved, or at once in an immediate turn. Without a path it
   * has a title only. Returns the new document's id.
   */
  create(path: string | null, content: string, title?: string, format?: Format): number | Fault {
    if (this.#isClosed) return this.#closed();
    const location = path === null ? null : this.#documents.locate(path);
    if (isFault(location)) return location;
    if (location !== null && this.#isTaken(location)) return fileExists(location.path);
    // Where a file is in its place, the turn has staged its removal: the two are one change of the same document.
    const state = location?.exists
      ? this.#documents.open(location.path)
      : this.#documents.create(location?.path ?? null, title, format);
    if (isFault(state)) return state;
    if (!location?.exists) this.#copies.created.add(state.id);
    const history = this.read(state.id);
    if (isFault(history)) return history;
    const edits = [{ op: "set", content } as const];
    const { revision } = history;
    const staged =
      content === "" ? undefined : this.edit(state.id, { revision, policy: { kind: "rebase" }, edits });
    if (isFault(staged)) return staged;
    // In an empty document there is nothing to decide on, so without a path nothing would become of it.
    if (location !== null && this.isImmediate) this.#copies.stageFile(state.id, { kind: "made", format });
    return state.id;
  }

  #isTaken(location: Location): boolean {
    const existing = this.#documents.rowAt(location.path);
    const copy = existing === undefined ? undefined : this.#copies.all.get(existing.id);
    if (location.exists) return copy === undefined || !isRemoved(copy);
    const state = existing === undefined ? undefined : this.#documents.state(existing.id);
    if (state === undefined || isFault(state)) return false;
    if (this.isImmediate && state.saved === null && !isTypedIn(state) && !this.stagedSteps(state.id))
      return false;
    const known = this.read(state.id);
    return !isFault(known) && known.text.length > 0;
  }

  /** Stages line edits. Everything is checked before anything changes. */
  edit(document: number, request: TurnEdit): StagedReport | Fault {
    const copy = this.#isClosed ? this.#closed() : this.#copies.editable(document);
    if (isFault(copy)) return copy;
    const revised = withoutMarks(revise(copy.history, { ...request, origin: "agent", turn: this.id }));
    if (isFault(revised)) return revised;
    this.#copies.set(document, withRevised(copy, revised));
    return reportOf(revised);
  }

  /** Stages a find and replace over one document. */
  async replaceAll(document: number, request: TurnReplacement): Promise<ReplacementReport | Fault> {
    const { replaceAll } = await import("@stet/text/replace-all");
    const copy = this.#isClosed ? this.#closed() : this.#copies.editable(document);
    if (isFault(copy)) return copy;
    const replaced = withoutMarks(replaceAll(copy.history, { ...request, origin: "agent", turn: this.id }));
    if (isFault(replaced)) return replaced;
    this.#copies.set(document, withRevised(copy, replaced));
    const { matchesFound, replacementsMade } = replaced;
    return { ...reportOf(replaced), matchesFound, replacementsMade };
  }

  /** Stages the removal of a document's file. */
  remove(document: number): StagedReport | Fault {
    const history = this.read(document);
    if (isFault(history)) return history;
    const { revision, text } = history;
    const policy = { kind: "rebase" } as const;
    const report =
      text.length === 0
        ? unchangedReport(history)
        : this.edit(document, { revision, policy, edits: [{ op: "clear" }], rewrite: true });
    if (!isFault(report)) this.#copies.stageFile(document, { kind: "removed" });
    return report;
  }

  /**
   * Makes what a command has done to files on disk a part of the turn; returns the paths that are part of it now. Both are
   * called in the transaction: `changes` tells of the texts, `others` enters everything else and returns its documents.
   * Files with unsaved changes in the same lines stay as they are and are told of in a fault; the others are part of the
   * turn then, too.
   */
  absorb(changes: () => readonly FoundChange[], others = (): readonly number[] => []): Fault | string[] {
    if (this.#isClosed) return this.#closed();
    const parts = { ledger: this.#ledger, documents: this.#documents, turn: this.id };
    const found = absorbAll(parts, changes, () => this.#recordTurn("open"), others);
    if (isFault(found)) return found;
    for (const document of found.documents) this.#published.add(document);
    return found.conflict ?? [...found.paths];
  }

  /** A document that the turn has changed on disk, as another reader of the disk has found already. */
  notePublished(document: number): void {
    this.#published.add(document);
  }

  /** Runs one step; when it ends in a fault or an exception, whatever it staged is gone. */
  step<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault> {
    return this.#copies.step(action);
  }

  #closed(): Fault {
    return new Fault("turn_closed", `The turn ${this.id} has ended.`, "Start a new turn.", { turn: this.id });
  }

  /** Commits everything that is staged, as one, with a checkpoint of what was before. */
  commit(): CommittedTurn | Fault {
    const committed = this.publish("committed");
    if (!isFault(committed)) this.#close();
    return committed;
  }

  /** Ends the turn with what was published; what is only staged is dropped. */
  conclude(): CommittedTurn | Fault {
    this.#copies.clear();
    const committed = this.commit();
    if (!isFault(committed)) this.#discardCreated();
    return committed;
  }

  #close(): void {
    this.#isClosed = true;
    this.options.lock?.release();
  }

  /** Commits what is staged so far; the turn goes on. */
  publish(status: "open" | "committed" = "open"): PublishedTurn | Fault {
    if (this.#isClosed) return this.#closed();
    const entered: Entered[] = [];
    const refusal = this.#copies.refusal();
    if (refusal !== undefined) return refusal;
    const staged = this.#copies.staged();
    // What it finds is in the documents then, which the copies follow below.
    for (const document of staged) ignoreFault(this.#documents.disk.compare(document));
    const written = this.#ledger.write(
      () => {
        for (const document of staged) {
          const state = this.#documents.state(document);
          if (isFault(state)) return state;
          const copy = this.#copies.follow(state);
          if (isFault(copy)) return copy;
          const gone = this.#copies.gone(document, copy);
          if (gone !== undefined) return gone;
          const one = enterCopy(this.#ledger, state, copy, { turn: this.id, isImmediate: this.isImmediate });
          if (one !== undefined) entered.push(one);
        }
        if (entered.length > 0 || this.#published.size > 0) this.#recordTurn(status);
        keepEmptyTabs(this.#ledger, this.id);
        return true;
      },
      { durable: true },
    );
    if (isFault(written)) {
      this.#copies.dropConflicting();
      return written;
    }
    for (const { after } of entered) {
      this.#published.add(after.id);
      this.#copies.forget(after.id);
    }
    return { id: this.id, documents: [...this.#published], entered };
  }

  /** Takes back what was published last: the disk could not follow. What was published before stays. */
  takeBack({ entered }: PublishedTurn, earlier: readonly number[]): undefined | Fault {
    const stays = new Set(earlier);
    const taken = takeBackEntered(this.#ledger, this.id, entered, stays);
    if (isFault(taken)) return taken;
    for (const { after } of entered) {
      if (!stays.has(after.id)) this.#published.delete(after.id);
    }
    return undefined;
  }

  #recordTurn(status: "open" | "committed" | "discarded"): void {
    recordTurn(this.#ledger, {
      id: this.id,
      kind: this.options.isInDoubt ? "during" : "agent",
      status,
      startedAt: this.#startedAt,
      ...this.options,
    });
  }

  /** Drops what is staged, and rejects what was published. */
  discard(): undefined | Fault {
    if (this.#isClosed) return undefined;
    if (this.#published.size > 0) {
      const written = this.#ledger.write(() => {
        for (const document of this.#published) {
          const fault = rejectPublished(this.#ledger, this.#documents, this.id, document);
          if (isFault(fault)) return fault;
        }
        this.#recordTurn("discarded");
        return true;
      });
      if (isFault(written)) return written;
    }
    this.#close();
    this.#copies.clear();
    this.#discardCreated();
    return undefined;
  }

  #discardCreated(): void {
    for (const document of this.#copies.created) this.#documents.discard(document);
  }
}
