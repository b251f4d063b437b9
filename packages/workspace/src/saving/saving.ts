// Saving documents to their files, and noticing what happened to the files in between.
//
// A save is one group: all of its files are written or none (see journal.ts). The ledger knows of it before the disk does,
// so that a crash in between is settled when the workspace is opened again. What is written is what is decided (base), or,
// where a turn's edits are on disk at once, what is there (current): see file-state.ts.

import { lstatSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CheckpointId } from "@stet/protocol/ids";
import { tellIfFault } from "@stet/storage/notices";
import { diffTexts } from "@stet/text/diff";
import { decodeDocument, encodeDocument } from "@stet/text/document";
import { changeOf } from "@stet/text/lines";
import { checkpointIdOf } from "../checkpoints/checkpoints.ts";
import { type DiskChoice, recordDiskChoice } from "../documents/disk-choice.ts";
import { intentName, outcomeOf, type WrittenFile } from "../documents/disk-comparison.ts";
import type { DocumentState } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { keepDespiteDisk, reloadFromDisk, settleWithDisk } from "../documents/external.ts";
import { fileText, isUnwritten, type Side } from "../documents/file-state.ts";
import type { Location, Root } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import type { Step } from "../ledger/database.ts";
import { type Hold, hold } from "../ledger/holders.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { saveGroup } from "./journal.ts";
import type { GroupWrite } from "./journal-plan.ts";
import type { RecoveryReport } from "./journal-recovery.ts";

export interface SavedDocument {
  readonly document: number;
  readonly path: string;
  /** Null where the file was removed. */
  readonly hash: string | null;
}

export interface Resolved {
  readonly state: DocumentState;
  /** A rollback to it brings back what was dropped; null where nothing was. */
  readonly checkpoint: CheckpointId | null;
}

export interface SavingOptions {
  readonly root: Root;
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly journalFolder: string;
  readonly step?: Step | undefined;
}

interface Captured {
  readonly state: DocumentState;
  readonly location: Location;
  readonly write: GroupWrite;
  /** What is known of the file afterwards. */
  readonly outcome: WrittenFile;
}

/** How long to wait for another process that is saving, in milliseconds. */
const patience = 3000;

export class Saving {
  readonly #options: SavingOptions;
  /** The save that was asked for last. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SavingOptions) {
    this.#options = options;
  }

  isDirty(state: DocumentState): boolean {
    return isUnwritten(state);
  }

  /** Takes over what happened to a document's file. Returns whether anything did. */
  refresh(document: number): boolean | Fault {
    return this.#options.documents.disk.refresh(document);
  }

  /**
   * Settles a conflict with the disk: take the file, or keep the document and replace the file when saved; or the document
   * is what the person has put together of both. What is dropped by that is kept as a checkpoint.
   */
  resolve(document: number, choice: DiskChoice): Resolved | Fault {
    const { ledger, documents } = this.#options;
    return ledger.write(() => {
      const state = documents.state(document);
      if (isFault(state)) return state;
      const found = documents.disk.find(document);
      if (isFault(found)) return found;
      const { content, location } = found;
      if (choice === "reload" && content === null) return gone(location.path);
      const keep = choice === "settled" ? settleWithDisk : keepDespiteDisk;
      const body =
        choice === "reload" && content !== null ? reloadFromDisk(state, content) : keep(state, content);
      if (isFault(body)) return body;
      const after = ledger.append(state, body);
      const isText = content !== null && !isFault(decodeDocument(content.bytes));
      const turn = isText ? recordDiskChoice(ledger, choice, state, after) : null;
      return { state: after, checkpoint: turn === null ? null : checkpointIdOf(turn) };
    });
  }

  /** Writes the documents that differ from their files, all of them or none. Saves wait for each other. */
  save(documents: readonly number[]): Promise<SavedDocument[] | Fault> {
    return this.exclusively(() => this.#saveHeld(documents));
  }

  /** Runs an action while nothing is saved, here or in another process: it may move files. */
  exclusively<T>(action: () => Promise<T | Fault>): Promise<T | Fault> {
    const done = this.#last.then(() => this.#heldFor(action));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #heldFor<T>(action: () => Promise<T | Fault>): Promise<T | Fault> {
    const held = await this.#holdSaving();
    if (isFault(held)) return held;
    try {
      return await action();
    } finally {
      held.release();
    }
  }

  /** Another process may be saving; that takes moments. */
  async #holdSaving(): Promise<Hold | Fault> {
    const end = Date.now() + patience;
    for (;;) {
      const held = hold(this.#options.ledger, "save", "saving");
      if (!isFault(held) || held.error !== "workspace_busy" || Date.now() >= end) return held;
      await pause(20);
    }
  }

  /**
   * The journal compares every file that is to be written with what was known, so only the others are read here. Where
   * anything differs, all of it is taken over in one transaction: a conflict in one file leaves all documents as they are.
   */
  async #saveHeld(documents: readonly number[]): Promise<SavedDocument[] | Fault> {
    const captured = this.#capture(documents);
    if (isFault(captured)) return captured;
    if (!captured.hasUnwrittenChanged) {
      const saved = await this.#write(captured.writes);
      if (!isFault(saved) || saved.error !== "external_change") return saved;
    }
    const refreshed = this.#options.ledger.write(() => {
      for (const document of documents) {
        const fault = this.refresh(document);
        if (isFault(fault)) return fault;
      }
      return this.#capture(documents);
    });
    return isFault(refreshed) ? refreshed : this.#write(refreshed.writes);
  }

  async #write(captured: readonly Captured[]): Promise<SavedDocument[] | Fault> {
    const { ledger, journalFolder, root, step } = this.#options;
    if (captured.length === 0) return [];
    const room = ledger.reserve.ensure(0);
    if (isFault(room)) return room;
    const intent = ledger.write(() => this.#recordIntent(captured), { durable: true });
    if (isFault(intent)) return intent;
    // Whoever takes over from us has to know of it before the disk does.
    const refusal = await ledger.database.settled();
    if (isFault(refusal)) return refusal;
    const saved = await saveGroup(
      journalFolder,
      root,
      captured.map(({ write }) => write),
      step === undefined ? {} : { step },
    );
    if (isFault(saved)) {
      tellIfFault(ledger.write(() => this.#forget(captured), { settles: true }));
      return saved;
    }
    const done = captured.map(({ state, location, outcome }) => {
      return { document: state.id, path: location.path, hash: outcome.hash };
    });
    return ledger.write(
      () => {
        for (const { state, outcome } of captured) this.#recordSaved(state, outcome);
        this.#forget(captured);
        return done;
      },
      { durable: true, settles: true },
    );
  }

  /** What is to be written, and whether the file of a document that has nothing to write is not the one that was known. */
  #capture(
    documents: readonly number[],
  ): { writes: readonly Captured[]; hasUnwrittenChanged: boolean } | Fault {
    const writes: Captured[] = [];
    let hasUnwrittenChanged = false;
    for (const document of documents) {
      const state = this.#options.documents.state(document);
      if (isFault(state)) return state;
      if (!this.isDirty(state)) {
        const found = this.#options.documents.disk.find(document);
        if (isFault(found)) return found;
        hasUnwrittenChanged ||= (found.content?.hash ?? null) !== state.savedHash;
        continue;
      }
      const location = this.#options.documents.locationOf(document);
      if (isFault(location)) return location;
      const planned = planWrite(state, location);
      if (isFault(planned)) return planned;
      writes.push({ state, location, ...planned });
    }
    return { writes, hasUnwrittenChanged };
  }

  #recordIntent(captured: readonly Captured[]): true {
    const { database } = this.#options.ledger;
    for (const { state, outcome } of captured) {
      database.run(
        "INSERT OR REPLACE INTO saves (document, side, entry, hash) VALUES (?, ?, ?, ?)",
        state.id,
        state.file.side,
        state.entry,
        intentName(outcome),
      );
    }
    return true;
  }

  #forget(captured: readonly Captured[]): true {
    for (const { state } of captured)
      this.#options.ledger.database.run("DELETE FROM saves WHERE document = ?", state.id);
    return true;
  }

  /** The document may have changed while it was written; then `back` leads to what was. */
  #recordSaved(written: DocumentState, outcome: WrittenFile, side: Side = written.file.side): void {
    const { ledger } = this.#options;
    const now = ledger.state(written.id) ?? written;
    const text = now.pending[side];
    const was = written.pending[side];
    const back = changeOf(text, text === was ? [] : diffTexts(text, was)).toJSON();
    ledger.append(now, { kind: "saved", side, back, format: written.format, ...outcome });
  }

  /** Finishes or takes back what a crash interrupted. Does nothing while another process is saving. */
  async recover(): Promise<RecoveryReport | undefined | Fault> {
    const { ledger, journalFolder, root, step } = this.#options;
    // Nothing is on record, so nothing was interrupted: no lock has to be taken for that.
    const isClean =
      readdirSync(journalFolder).length === 0 && ledger.database.get("SELECT 1 FROM saves") === undefined;
    if (isClean) return undefined;
    const held = hold(ledger, "save", "recovering");
    if (isFault(held)) return held.error === "workspace_busy" ? undefined : held;
    try {
      const { recoverGroups } = await import("./journal-recovery.ts");
      const report = await recoverGroups(journalFolder, root, step === undefined ? {} : { step });
      const settled = ledger.write(() => this.#settleSaves(), { settles: true });
      return isFault(settled) ? settled : report;
    } finally {
      held.release();
    }
  }

  /** A save whose file has the new hash did happen, even if the ledger was never told. */
  #settleSaves(): true {
    const { ledger } = this.#options;
    for (const row of ledger.database.all("SELECT * FROM saves")) {
      const document = Number(row.document);
      const found = this.#options.documents.disk.find(document);
      const written = ledger.stateAt(document, Number(row.entry));
      const outcome = outcomeOf(String(row.hash));
      const isDone = !isFault(found) && (found.content?.hash ?? null) === outcome.hash;
      if (isDone && written !== undefined)
        this.#recordSaved(written, outcome, row.side === "current" ? "current" : "base");
      ledger.database.run("DELETE FROM saves WHERE document = ?", document);
    }
    return true;
  }
}

function planWrite(
  state: DocumentState,
  location: Location,
): { write: GroupWrite; outcome: WrittenFile } | Fault {
  const text = fileText(state);
  const { savedHash: expected, file, format } = state;
  if (text === null) {
    const mode = (lstatSync(location.absolute, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o7777;
    return { write: { location, bytes: null, expected: expected ?? "" }, outcome: { hash: null, mode } };
  }
  const bytes = encodeDocument({ text, format });
  if (isFault(bytes)) return bytes;
  const hash = hashBytes(bytes);
  const mode = expected === null && file.mode !== null ? { mode: file.mode } : {};
  return { write: { location, bytes, hash, expected, ...mode }, outcome: { hash } };
}

function gone(path: string): Fault {
  return new Fault(
    "file_not_found",
    `${path} is no longer on disk, so it cannot be reloaded.`,
    "Keep the text here and save it to bring the file back, or close it.",
    { path },
  );
}
