// Compares a document's file with what the document knows of it, before anyone looks at the document or edits it.
//
//   same        nothing happens. A file with the stamp (device, inode, size, times) that it had when it was last read is
//               not read again, unless it was written so shortly before that a second write may have left the same stamp
//   changed     the difference becomes a change of origin "disk" (see external.ts), so that edits are rebased over it
//   gone        the text stays here, and the document is known to have no file
//   conflict    the file cannot be taken over: it changed lines that have unsaved or undecided changes here, or is no text
//               any more, or cannot be read. The document stays as it is, and whoever would edit it is refused
//
// Inside a transaction nothing is compared: whoever began it has looked before.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { TurnId } from "@stet/protocol/ids";
import { encodeDocument } from "@stet/text/document";
import { hasOpenPieces } from "@stet/text/pending";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import { absorbFound } from "../command-effects/absorb.ts";
import type { AtWork } from "../command-effects/at-work.ts";
import { changedAt, statsOf } from "../command-effects/folder-tree.ts";
import type { Location, Root } from "../files/containment.ts";
import { type FileContent, readBytes } from "../files/files.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { recordTurn } from "../turns/turn-record.ts";
import type { DocumentState } from "./document-state.ts";
import type { Documents } from "./documents.ts";
import { absorbDisk } from "./external.ts";
import { isUnwritten } from "./file-state.ts";

/** Why what is on disk could not be taken over. */
export interface DiskConflict {
  readonly fault: Fault;
}

/** A turn that has changed a file by a command; what is in doubt has a turn of its own. */
export interface TurnBehind {
  readonly id: TurnId;
  readonly owner: AtWork;
  readonly isInDoubt: boolean;
}

interface Compared {
  readonly stamp: string | null;
  /** Of the file's bytes; null where there is none. */
  readonly hash: string | null;
  /** The newest entry that the document had, and what came of it, where that was a conflict. */
  readonly conflict: { readonly entry: number; readonly fault: Fault } | undefined;
}

export class DiskComparison {
  readonly #root: Root;
  readonly #ledger: Ledger;
  readonly #documents: Documents;
  /** Which turn has changed a file at a time, by a command of its own; undefined where none did. */
  turnBehind: (path: string, at: number, isGone: boolean) => TurnBehind | undefined = () => undefined;
  /** What each document's file was when it was last read in this process. */
  readonly #compared = new Map<number, Compared>();

  constructor(root: Root, ledger: Ledger, documents: Documents) {
    this.#root = root;
    this.#ledger = ledger;
    this.#documents = documents;
  }

  /** Takes over what happened to a document's file. A fault where the ledger could not be written. */
  compare(document: number): undefined | DiskConflict | Fault {
    if (this.#ledger.isWriting) return undefined;
    const path = this.#documents.row(document)?.path ?? null;
    const state = this.#documents.state(document);
    // Without a path there is no file, and a document that nobody has read yet is read as it is on disk.
    if (path === null || isFault(state)) return undefined;
    const before = stampOf(join(this.#root.path, path));
    const last = this.#compared.get(document);
    if (before !== undefined && last?.stamp === before.stamp) {
      if (last.hash === state.savedHash) return undefined;
      if (last.conflict?.entry === state.entry) return last.conflict;
    }
    return this.#read(document, state, before);
  }

  #read(
    document: number,
    state: DocumentState,
    before: { readonly stamp: string; readonly isSettled: boolean } | undefined,
  ): undefined | DiskConflict | Fault {
    const found = this.find(document);
    if (isFault(found)) return { fault: found };
    const hash = found.content?.hash ?? null;
    const stamp = before?.isSettled ? before.stamp : null;
    const conflict = hash === state.savedHash ? undefined : this.#takeOver(document);
    if (isFault(conflict)) return conflict;
    const entry = state.entry;
    this.#compared.set(document, { stamp, hash, conflict: conflict && { entry, fault: conflict.fault } });
    return conflict;
  }

  #takeOver(document: number): undefined | DiskConflict | Fault {
    let conflict: Fault | undefined;
    const written = this.#ledger.write(() => {
      const taken = this.#append(document);
      if (isFault(taken)) conflict = taken;
      return isFault(taken) ? false : taken;
    });
    if (isFault(written)) return written;
    return conflict === undefined ? undefined : { fault: conflict };
  }

  /** The same whatever the stamp, and also in a transaction. Returns whether anything had happened. */
  refresh(document: number): boolean | Fault {
    return this.#ledger.write(() => this.#append(document));
  }

  /**
   * Only in a transaction, in which the file is read. Had it been read before, another process could have written it since
   * and said so in the ledger: the older text would count as what the disk did, and the newer one, the next time, as well.
   */
  #append(document: number): boolean | Fault {
    const state = this.#documents.state(document);
    if (isFault(state)) return state;
    const found = this.#findWithTime(document);
    if (isFault(found)) return found;
    const hash = found.content?.hash ?? null;
    if (hash === state.savedHash || this.isOwn(document, hash)) return false;
    const entered = this.#enterForTurn(state, found);
    if (entered !== undefined) return entered;
    const body = absorbDisk(state, found.content, found.location.path);
    if (body === undefined || isFault(body)) return body ?? false;
    this.#ledger.append(state, body);
    return true;
  }

  /** What a command of a turn did is the turn's, whoever finds it first; undefined where no turn did it. */
  #enterForTurn(
    state: DocumentState,
    { content, location, at }: FoundFile & { readonly at: number },
  ): true | Fault | undefined {
    const { path } = location;
    const behind = this.turnBehind(path, at, content === null);
    const saved = savedBytes(state);
    if (behind === undefined || isFault(saved)) return undefined;
    const { id: turn, owner, isInDoubt } = behind;
    const parts = { ledger: this.#ledger, documents: this.#documents, turn };
    const entered = absorbFound(parts, { path, before: saved, after: content?.bytes ?? null });
    if (entered === undefined || isFault(entered)) return entered;
    recordCheckpoint(this.#ledger, turn, entered.before, entered.after);
    const kind = isInDoubt ? "during" : "agent";
    const summary = isInDoubt ? `During “${owner.summary}”` : owner.summary;
    const session = owner.session === null ? {} : { session: owner.session };
    const status = isInDoubt ? "committed" : "open";
    recordTurn(this.#ledger, { id: turn, kind, status, startedAt: owner.since, summary, ...session });
    return true;
  }

  /** Whether a file is what a save has just written there, of which is not on record yet that it has succeeded. */
  isOwn(document: number, hash: string | null): boolean {
    const row = this.#ledger.database.get("SELECT hash FROM saves WHERE document = ?", document);
    return row !== undefined && outcomeOf(String(row.hash)).hash === hash;
  }

  /** Read until its time is the same before and after: the time of another change would tell of somebody else. */
  #findWithTime(document: number): (FoundFile & { readonly at: number }) | Fault {
    const path = this.#documents.row(document)?.path ?? "";
    for (let attempt = 1; ; attempt += 1) {
      const at = changedAt(this.#root.path, path);
      const found = this.find(document);
      if (isFault(found)) return found;
      if (attempt === maxAttempts || changedAt(this.#root.path, path) === at) return { ...found, at };
    }
  }

  find(document: number): FoundFile | Fault {
    const location = this.#documents.locationOf(document);
    const path = this.#documents.row(document)?.path ?? "";
    const stats = path === "" ? null : statsOf(this.#root.path, path);
    // A file is now where a folder on the way was.
    if (isFault(location) && stats === undefined)
      return { location: { path, absolute: join(this.#root.path, path), exists: false }, content: null };
    if (isFault(location)) return location;
    // A document's path is a real one: where a link leads on from it now, its own file is gone.
    if (!location.exists || location.path !== path) return { location, content: null };
    const content = readBytes(this.#root, location);
    if (isFault(content)) return content.error === "file_not_found" ? { location, content: null } : content;
    return { location, content };
  }
}

/** What is known to be in a document's file; null where there is none. */
export function savedBytes({ saved }: DocumentState): Uint8Array | null | Fault {
  return saved === null ? null : encodeDocument(saved);
}

export interface FoundFile {
  readonly location: Location;
  /** Null where there is no file. */
  readonly content: FileContent | null;
}

/** Whether a document holds text that is not on disk: it can be seen even where its file cannot. */
export function isOnlyHere(state: DocumentState): boolean {
  return isUnwritten(state) || hasOpenPieces(state.pending);
}

/** The hash of what was written; of a file that was removed, its mode. */
export type WrittenFile = { readonly hash: string } | { readonly hash: null; readonly mode: number };

const removalPrefix = "removed ";

/** An outcome as the table of saves keeps it. */
export function intentName(outcome: WrittenFile): string {
  return outcome.hash ?? `${removalPrefix}${outcome.mode}`;
}

export function outcomeOf(name: string): WrittenFile {
  if (!name.startsWith(removalPrefix)) return { hash: name };
  return { hash: null, mode: Number(name.slice(removalPrefix.length)) };
}

const maxAttempts = 4;

/** How long after a write another one may leave the same times, in milliseconds; some file systems count whole seconds. */
const clockTick = 50;
const coarseClockTick = 2000;

/** Undefined where there is no file, or no regular one. */
function stampOf(absolute: string): { readonly stamp: string; readonly isSettled: boolean } | undefined {
  const askedAt = Date.now();
  try {
    const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile()) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    const tick = ctimeNs % 1_000_000_000n === 0n ? coarseClockTick : clockTick;
    const isSettled = askedAt - Number(ctimeNs / 1_000_000n) > tick;
    return { stamp: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`, isSettled };
  } catch {
    // A folder on the way may not be searched any more; reading says what is wrong.
    return undefined;
  }
}
