// The ledger: every document's entries in the order in which they happened, and the states that follow from them.
//
// States are cached and can always be folded again from the newest snapshot. Before it is used, the cache catches up
// with what other processes have written. A write is one transaction; the cache changes only after its commit.

import { type Fault, isFault } from "@stet/protocol/fault";
import { FaultError, faultOf } from "@stet/protocol/fault-error";
import { damaged } from "@stet/storage/mark";
import { isSameFormat } from "@stet/text/document";
import { hasOpenPieces } from "@stet/text/pending";
import { applyEntry, type DocumentState, type Entry, type EntryBody } from "../documents/document-state.ts";
import { decodeState, encodeState } from "../documents/snapshot.ts";
import { Database, type Row, type Step } from "./database.ts";
import { DiskReserve } from "./disk-reserve.ts";
import type { Mirror } from "./mirror.ts";

/** A snapshot is taken after so many entries, or when they hold more characters than the document, at least this many. */
const snapshotEvery = 400;
const snapshotMinLength = 1_000_000;
/** How much text the cache may hold, in characters, beyond the document used last. */
const cacheLength = 200_000_000;

/** `isOwn`: whether this process made the entry. */
export type EntryListener = (entry: Entry, isOwn: boolean) => void;

export interface WriteOptions {
  /** Synced before it returns. */
  readonly durable?: boolean;
  readonly settles?: boolean;
}

interface Cached {
  state: DocumentState;
  /** Entries and their characters since the newest snapshot. */
  entries: number;
  length: number;
}

/** The ledger for other packages, which ask it by named methods: rows and SQL stay in this one. */
export type LedgerView = Omit<Ledger, "database">;

export class Ledger {
  readonly database: Database;
  readonly reserve: DiskReserve;
  #cache = new Map<number, Cached>();
  /** The characters of all texts in the cache. */
  #cachedLength = 0;
  /** The cache as a running transaction sees it. */
  #draft: Map<number, Cached> | undefined;
  #made: Entry[] = [];
  #seenEntry: number;
  #seenVersion: number;
  readonly #listeners = new Set<EntryListener>();
  readonly #resetListeners = new Set<() => void>();

  private constructor(database: Database) {
    this.database = database;
    this.reserve = new DiskReserve(database.path);
    this.#seenVersion = database.dataVersion();
    this.#seenEntry = this.newestEntry();
  }

  static open(path: string, step?: Step, busyTimeout?: number, mirror?: Mirror): Ledger | Fault {
    const database = Database.open(path, step, busyTimeout, mirror);
    if (isFault(database)) return database;
    try {
      return new Ledger(database);
    } catch (error) {
      const carried = faultOf(error);
      if (carried === undefined) throw error;
      database.close();
      return carried;
    }
  }

  /** The id of the last entry, of any document. */
  newestEntry(): number {
    return Number(this.database.get("SELECT max(id) AS id FROM entries")?.id ?? 0);
  }

  /** Grows by one whenever another process has committed. */
  dataVersion(): number {
    return this.database.dataVersion();
  }

  /** Why nothing that is written would be kept: its file is gone from its path. */
  missing(): Fault | undefined {
    return this.database.missing();
  }

  /** Resolves when all that was committed is safe, also where it is mirrored; a fault where it was refused there. */
  settled(): Promise<undefined | Fault> {
    return this.database.settled();
  }

  /** Of its file, in bytes. */
  size(): number {
    return this.database.size();
  }

  /** Whether one of the newest entries of a document is the change that a client made under an id. */
  hasChange(document: number, client: string, changeId: string, maxEntries: number): boolean {
    const found = this.database.get(
      `SELECT 1 FROM (SELECT kind, data FROM entries WHERE document = ? ORDER BY id DESC LIMIT ?)
       WHERE kind = 'change' AND json_extract(data, '$.by.client') = ? AND json_extract(data, '$.by.changeId') = ?`,
      document,
      maxEntries,
      client,
      changeId,
    );
    return found !== undefined;
  }

  /** Whether another program has changed the document's file after an entry. */
  changedOnDisk(document: number, since: number): boolean {
    const sql = "SELECT 1 FROM entries WHERE document = ? AND id > ? AND kind IN ('disk', 'reload') LIMIT 1";
    return this.database.get(sql, document, since) !== undefined;
  }

  close(): void {
    this.#listeners.clear();
    this.#resetListeners.clear();
    this.#forgetAll();
    this.database.close();
  }

  /** Begins anew with what is in the file: its content was replaced by that of another copy. */
  reset(): void {
    this.#forgetAll();
    this.#seenVersion = this.database.dataVersion();
    this.#seenEntry = this.newestEntry();
    for (const listener of this.#resetListeners) listener();
  }

  /** Called when nothing that was derived from entries can be relied on any more. */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /** Called for every entry, also those of other processes as they are noticed. */
  listen(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a transaction is running. */
  get isWriting(): boolean {
    return this.#draft !== undefined;
  }

  /**
   * Runs a transaction. Entries made in it are announced after it is committed. One that settles what was begun before may
   * use the room that is reserved for that where the disk is full; its action is then run a second time.
   */
  write<T>(action: () => T | Fault, options: WriteOptions = {}): T | Fault {
    if (this.#draft !== undefined) return action();
    const result = this.#writeOnce(action, options);
    const isFull = isFault(result) && result.error === "disk_full";
    return isFull && options.settles === true && this.reserve.release()
      ? this.#writeOnce(action, options)
      : result;
  }

  #writeOnce<T>(action: () => T | Fault, options: WriteOptions): T | Fault {
    const draft = new Map<number, Cached>();
    const result = this.database.transaction(() => {
      this.catchUp();
      this.#draft = draft;
      return action();
    }, options);
    const made = this.#made;
    this.#draft = undefined;
    this.#made = [];
    if (isFault(result)) return result;
    for (const [document, cached] of draft) this.#remember(document, cached);
    for (const entry of made) this.#announce(entry, true);
    return result;
  }

  #announce(entry: Entry, isOwn: boolean): void {
    this.#seenEntry = Math.max(this.#seenEntry, entry.id);
    for (const listener of this.#listeners) listener(entry, isOwn);
  }

  /** Folds what other processes have written since the last look. */
  catchUp(): void {
    const version = this.database.dataVersion();
    if (version === this.#seenVersion) return;
    const other = this.database.otherVersion();
    if (other !== undefined) throw new FaultError(other);
    this.#seenVersion = version;
    const rows = this.database.all("SELECT * FROM entries WHERE id > ? ORDER BY id", this.#seenEntry);
    for (const row of rows) {
      const entry = entryOf(row);
      const cached = this.#cache.get(entry.document);
      if (entry.body.kind === "start") this.#forget(entry.document);
      else if (cached !== undefined && entry.id > cached.state.entry) {
        this.#remember(entry.document, fold(cached, entry, String(row.data).length));
      }
      this.#announce(entry, false);
    }
  }

  /** The newest state of a document that has entries; undefined where it has none. */
  state(document: number): DocumentState | undefined {
    if (this.#draft === undefined) this.catchUp();
    const cached = this.#draft?.get(document) ?? this.#cache.get(document);
    if (cached !== undefined) return cached.state;
    const loaded = this.#loadSound(document, Number.MAX_SAFE_INTEGER);
    if (loaded !== undefined) this.#remember(document, loaded);
    return loaded?.state;
  }

  /** A document's state right after an entry, or undefined where that was collected. */
  stateAt(document: number, entry: number): DocumentState | undefined {
    return this.#loadSound(document, entry)?.state;
  }

  /** What is kept of a document may be damaged in ways that SQLite does not see: it does not unpack, parse or fold. */
  #loadSound(document: number, upTo: number): Cached | undefined {
    try {
      return this.#load(document, upTo);
    } catch (error) {
      if (error instanceof FaultError) throw error;
      const { path } = this.database;
      const what = this.database.get("SELECT path, title FROM documents WHERE id = ?", document);
      const name = String(what?.path ?? what?.title ?? document);
      const how = `is damaged: what it keeps of ${name} cannot be read`;
      throw new FaultError(damaged({ path, what: "The ledger", error: "ledger_damaged" }, how), error);
    }
  }

  #load(document: number, upTo: number): Cached | undefined {
    const snapshot = this.database.get(
      "SELECT entry, data FROM snapshots WHERE document = ? AND entry <= ? ORDER BY entry DESC LIMIT 1",
      document,
      upTo,
    );
    if (snapshot === undefined || !(snapshot.data instanceof Uint8Array)) return undefined;
    const start = Number(snapshot.entry);
    let cached: Cached = { state: decodeState(document, start, snapshot.data), entries: 0, length: 0 };
    const rows = this.database.all(
      "SELECT * FROM entries WHERE document = ? AND id > ? AND id <= ? ORDER BY id",
      document,
      start,
      upTo,
    );
    for (const row of rows) cached = fold(cached, entryOf(row), String(row.data).length);
    return cached;
  }

  #remember(document: number, cached: Cached): void {
    this.#forget(document);
    this.#cache.set(document, cached);
    this.#cachedLength += cached.state.history.text.length;
    for (const oldest of this.#cache.keys()) {
      if (this.#cachedLength <= cacheLength || oldest === document) break;
      this.#forget(oldest);
    }
  }

  #forget(document: number): void {
    this.#cachedLength -= this.#cache.get(document)?.state.history.text.length ?? 0;
    this.#cache.delete(document);
  }

  #forgetAll(): void {
    this.#cache.clear();
    this.#cachedLength = 0;
  }

  /** Adds an entry to a document and returns the state that follows. Only in a transaction. */
  append(state: DocumentState, body: EntryBody): DocumentState {
    const draft = this.#draft;
    if (draft === undefined) throw new Error("an entry can only be added in a transaction");
    const before = state.entry === 0 ? this.#start(state, draft) : state;
    const known = draft.get(before.id) ?? this.#cache.get(before.id);
    const { entry, length } = this.#insert(before.id, body);
    const counted = { state: before, entries: known?.entries ?? 0, length: known?.length ?? 0 };
    const cached = fold(counted, entry, length);
    const isLong = cached.length > Math.max(snapshotMinLength, cached.state.history.text.length);
    if (cached.entries >= snapshotEvery || isLong) this.#takeSnapshot(cached);
    this.#markReview(before, cached.state);
    draft.set(before.id, cached);
    return cached.state;
  }

  #start(state: DocumentState, draft: Map<number, Cached>): DocumentState {
    const { entry } = this.#insert(state.id, { kind: "start" });
    const cached = { state: { ...state, entry: entry.id }, entries: 0, length: 0 };
    this.#takeSnapshot(cached);
    draft.set(state.id, cached);
    return cached.state;
  }

  #insert(document: number, body: EntryBody): { entry: Entry; length: number } {
    const at = Date.now();
    const data = JSON.stringify(body);
    const id = this.database.run(
      "INSERT INTO entries (document, kind, origin, turn, data, at) VALUES (?, ?, ?, ?, ?, ?)",
      document,
      body.kind,
      "origin" in body ? (body.origin ?? null) : null,
      "turn" in body ? (body.turn ?? null) : null,
      data,
      at,
    );
    const entry: Entry = { id, document, body, at };
    this.#made.push(entry);
    return { entry, length: data.length };
  }

  #takeSnapshot(cached: Cached): void {
    const { id, entry } = cached.state;
    this.database.run(
      "INSERT OR REPLACE INTO snapshots (document, entry, data) VALUES (?, ?, ?)",
      id,
      entry,
      encodeState(cached.state),
    );
    cached.entries = 0;
    cached.length = 0;
  }

  /** Keeps lists of documents to decide on and to save, so that they can be had without folding all documents. */
  #markReview(before: DocumentState, after: DocumentState): void {
    const isOpen = hasOpenPieces(after.pending);
    if (isOpen !== hasOpenPieces(before.pending)) this.#mark("open_reviews", after.id, isOpen);
    // A document without a file differs from the start, before there was anything to mark.
    const differs = mayDiffer(after);
    if (before.saved === null || differs !== mayDiffer(before)) this.#mark("unsaved", after.id, differs);
  }

  /** Lists a document anew as one to decide on or to save, where the lists may be older than its entries. */
  remark(document: number): void {
    const marked = this.write(() => {
      const state = this.state(document);
      if (state === undefined) return true;
      this.#mark("open_reviews", document, hasOpenPieces(state.pending));
      this.#mark("unsaved", document, mayDiffer(state));
      return true;
    });
    if (isFault(marked)) throw new FaultError(marked);
  }

  #mark(table: "open_reviews" | "unsaved", document: number, isMarked: boolean): void {
    const sql = isMarked
      ? `INSERT OR IGNORE INTO ${table} (document) VALUES (?)`
      : `DELETE FROM ${table} WHERE document = ?`;
    this.database.run(sql, document);
  }
}

/** Whether what is seen may not be what is on disk. Texts that only happen to be equal count as different here. */
function mayDiffer(state: DocumentState): boolean {
  return state.saved?.text !== state.pending.current || !isSameFormat(state.saved.format, state.format);
}

function fold(cached: Cached, entry: Entry, length: number): Cached {
  return {
    state: applyEntry(cached.state, entry),
    entries: cached.entries + 1,
    length: cached.length + length,
  };
}

export function entryOf(row: Row): Entry {
  return {
    id: Number(row.id),
    document: Number(row.document),
    body: JSON.parse(String(row.data)),
    at: Number(row.at),
  };
}
