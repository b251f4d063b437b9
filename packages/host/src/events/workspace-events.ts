// What happens to the workspace, as events: derived from the ledger's entries and from what is compared before and after.
//
// Every revision of a document has one event, in order, whatever its origin: a window, an agent, the disk, another process. A
// change that is too long to repeat, or too old to be known, is left out of its event; a reader that needs it requests it.

import type { ChangeSet } from "@codemirror/state";
import type { PendingStepView } from "@stet/protocol/api/review";
import type { EventData, EventType } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { tellCarriedFault } from "@stet/storage/notices";
import { changesSince } from "@stet/text/history";
import {
  type DocumentState,
  type Entry,
  type EntryBody,
  openHunkCount,
} from "@stet/workspace/documents/document-state";
import type { Workspace } from "@stet/workspace/workspace";
import type { JobRecord } from "../store/store.ts";
import type { EventLog } from "./event-log.ts";

/** About as many characters of a change are part of its event. */
export const maxToldChange = 16_384;
/** Debounce of events about other files, in milliseconds, however many come and go. */
const filesWindow = 250;
/** How many documents' last events are cached. */
const maxFollowed = 10_000;

interface SentState {
  revision: number;
  openHunks: number;
  hasFile: boolean;
}

export class WorkspaceEvents {
  readonly #workspace: Workspace;
  readonly #log: EventLog;
  readonly #clientOf: (document: number, revision: number) => string | null;
  readonly #told = new Map<number, SentState>();
  readonly #subagents = new Map<string, Map<string, number>>();
  #active = 0;
  #tabs: string;
  #lock = "null";
  #seenVersion: number;
  readonly #tells: (isOwn: boolean) => boolean;
  readonly #onTabs: () => void;
  #isQuiet = false;
  readonly #unlisten: readonly (() => void)[];
  #files: NodeJS.Timeout | undefined;
  /** The job whose turn holds all documents. */
  lockedBy: string | null = null;

  constructor(
    workspace: Workspace,
    log: EventLog,
    clientOf: (document: number, revision: number) => string | null,
    tells: (isOwn: boolean) => boolean,
    onTabs: () => void = () => {},
  ) {
    this.#tells = tells;
    this.#onTabs = onTabs;
    this.#workspace = workspace;
    this.#log = log;
    this.#clientOf = clientOf;
    this.#tabs = this.#workspace.tabs.fingerprint();
    this.#seenVersion = workspace.ledger.dataVersion();
    this.#unlisten = [
      workspace.ledger.listen((entry, isOwn) => {
        this.#quietly(isOwn, () => this.#tellEntry(entry));
      }),
      workspace.files.listen(() => this.tellFiles()),
    ];
  }

  stop(): void {
    for (const unlisten of this.#unlisten) unlisten();
    clearTimeout(this.#files);
  }

  /** What somebody else tells of is only kept up with. */
  #quietly(isOwn: boolean, action: () => void): void {
    this.#isQuiet = !this.#tells(isOwn);
    action();
    this.#isQuiet = false;
  }

  tell<Type extends EventType>(type: Type, data: EventData<Type>): void {
    if (this.#isQuiet) return;
    // A reader notices an event that cannot be written: revisions and states say what is missing.
    void this.#log.append(type, data).catch(tellCarriedFault);
  }

  /** The same for what is only of interest now: it is not stored. */
  pass<Type extends EventType>(type: Type, data: EventData<Type>): void {
    if (!this.#isQuiet) void this.#log.delta(newEvent(type, data)).catch(tellCarriedFault);
  }

  /** There may be other files than before. */
  tellFiles(): void {
    if (this.#isQuiet) return;
    this.#files ??= setTimeout(() => {
      this.#files = undefined;
      this.tell("files.changed", {});
    }, filesWindow).unref();
  }

  /** A file was changed where it meets what is open. */
  tellConflict({ message, suggestion, details }: Fault): void {
    const path = typeof details.path === "string" ? details.path : null;
    const document = path === null ? undefined : this.#workspace.documents.rowAt(path)?.id;
    this.tell("disk.conflict", { document: document ?? null, path, message, suggestion });
  }

  #tellEntry(entry: Entry): void {
    const state = this.#workspace.ledger.state(entry.document);
    if (state === undefined) return;
    const sent = this.#told.get(entry.document) ?? this.#startOf(entry);
    this.#told.delete(entry.document);
    this.#told.set(entry.document, sent);
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxFollowed && oldest !== undefined) this.#told.delete(oldest);
    // What makes a document begin follows in the same breath.
    if (entry.body.kind === "start") return;
    const isSent = this.#tellChanges(state, sent, entry);
    this.#tellReview(state, sent, entry, isSent);
    if (entry.body.kind === "saved") this.#tellSaved(state, sent);
    sent.hasFile = state.savedHash !== null;
  }

  #tellSaved({ id }: DocumentState, { hasFile }: SentState): void {
    this.tell("document.saved", { document: id, path: this.#workspace.documents.row(id)?.path ?? null });
    if (!hasFile) this.tellFiles();
  }

  /** What was known of a document before the first entry that we hear of. */
  #startOf({ id, document }: Entry): SentState {
    const { ledger } = this.#workspace;
    const before = ledger.stateAt(document, id - 1) ?? ledger.stateAt(document, id);
    return {
      revision: before?.history.revision ?? 0,
      openHunks: before === undefined ? 0 : openHunkCount(before),
      hasFile: before !== undefined && before.savedHash !== null,
    };
  }

  /** Whether the event of the change carried the entry's step on the pending changes. */
  #tellChanges(state: DocumentState, sent: SentState, entry: Entry): boolean {
    const { id, history } = state;
    if (history.revision === sent.revision) return false;
    const since = changesSince(history, sent.revision);
    const path = this.#workspace.documents.row(id)?.path ?? null;
    sent.revision = history.revision;
    if (isFault(since)) {
      const { revision } = history;
      const unknown = { origin: "user", client: null, change: null } as const;
      this.tell("document.changed", { document: id, path, revision, ...unknown, ...pendingOf(state) });
      return true;
    }
    for (const { revision, origin, change } of since) {
      const client = this.#clientOf(id, revision);
      const data = {
        document: id,
        path,
        revision,
        origin,
        client,
        change: isLong(change) ? null : change.toJSON(),
        // Several revisions at once are not the work of this entry alone.
        ...(revision === history.revision ? pendingOf(state, since.length === 1 ? entry : undefined) : {}),
      };
      this.tell("document.changed", data);
    }
    return true;
  }

  /** A person's typing changes a review only where a hunk comes or goes; the windows follow the rest from the change. */
  #tellReview(state: DocumentState, sent: SentState, entry: Entry, isSent: boolean): void {
    const { body } = entry;
    const openHunks = openHunkCount(state);
    const isRebased = body.kind === "disk" && body.pieces !== undefined;
    const isDecision = isRebased || ["decision", "undo", "restore", "reload"].includes(body.kind);
    const isAgents = body.kind === "change" && body.origin === "agent";
    const isSame = openHunks === sent.openHunks;
    sent.openHunks = openHunks;
    if (isDecision || isAgents || !isSame)
      this.tell("review.updated", {
        document: state.id,
        open_hunks: openHunks,
        ...(isSent ? {} : pendingOf(state, entry)),
      });
  }

  /** Its name, its position, its labels or its attachments changed: windows that display it read it again. */
  tellSession(session: string): void {
    this.tell("session.changed", { session_id: session });
  }

  tellJob({ id, session, status }: JobRecord): void {
    this.tell("job.status", { job_id: id, session_id: session, status });
    if (["awaiting_review", "completed", "failed"].includes(status)) this.#forgetSubagents(id);
    this.look();
  }

  tellSubagents(job: string, call: string, active: number): void {
    const calls = this.#subagents.get(job) ?? new Map<string, number>();
    if (active > 0) calls.set(call, active);
    else calls.delete(call);
    this.#subagents.set(job, calls);
    this.#tellActive();
  }

  #forgetSubagents(job: string): void {
    this.#subagents.delete(job);
    this.#tellActive();
  }

  #tellActive(): void {
    let active = 0;
    for (const calls of this.#subagents.values()) for (const count of calls.values()) active += count;
    if (active === this.#active) return;
    this.#active = active;
    this.tell("subagents.active", { active });
  }

  get subagentsActive(): number {
    return this.#active;
  }

  /** Tells what is different about tabs and lock since the last look. */
  look(): void {
    const tabs = this.#workspace.tabs.fingerprint();
    const areOthers = tabs !== this.#tabs;
    this.#tabs = tabs;
    if (areOthers) {
      this.tell("tabs.changed", {});
      this.#onTabs();
    }
    const holder = this.#workspace.lockHolder();
    const lock = JSON.stringify(holder ?? null);
    if (lock !== this.#lock) {
      const locked = holder !== undefined;
      const job_id = locked ? this.lockedBy : null;
      this.tell("lock.changed", { locked, job_id, purpose: holder?.purpose ?? null });
    }
    this.#lock = lock;
  }

  /** Takes over what other processes did. */
  catchUp(): void {
    const { ledger } = this.#workspace;
    const version = ledger.dataVersion();
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    ledger.catchUp();
    this.#quietly(false, () => this.look());
  }
}

/** What an entry did to what is pending, for windows that fold it; without an entry, that it has to be read again. */
function pendingOf(state: DocumentState, entry?: Entry): { readonly pending: PendingStepView } {
  return {
    pending: {
      revision: state.history.revision,
      next_id: state.pending.nextId,
      is_on_disk: state.file.side === "current",
      step: entry === undefined ? null : stepOf(entry.body),
    },
  };
}

function stepOf(body: EntryBody): PendingStepView["step"] {
  switch (body.kind) {
    case "change":
      // Pieces that an agent made have reasons, which only the review tells.
      if (body.origin === "agent") return null;
      return { kind: "change", ...(body.turn === undefined ? {} : { turn: body.turn }) };
    case "disk":
      return body.pieces === undefined ? { kind: "change" } : null;
    case "decision":
      return {
        kind: "decision",
        verdict: body.verdict,
        hunks: body.hunks.map(({ id, turns, isPart }) => ({
          id,
          ...(turns === undefined ? {} : { turns }),
          ...(isPart === undefined ? {} : { isPart }),
        })),
      };
    case "undo":
      return { kind: "undo", verdict: body.verdict, hunks: [...body.hunks] };
    default:
      return null;
  }
}

/** Without making all of it: a change may be a whole book. */
function isLong(change: ChangeSet): boolean {
  let length = 0;
  change.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    length += inserted.length + 20;
  });
  return length > maxToldChange;
}
