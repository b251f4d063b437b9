// Documents of a workspace: which file is which document, its newest state, and edits to it.
//
// A document that was only read exists in memory; its history in the ledger begins with its first change. Its path is
// the file's real place below the root, so that two links to one file are one document.

import { relative, sep } from "node:path";
import type { ChangeSet, Text } from "@codemirror/state";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { type Document, decodeDocument, type Format } from "@stet/text/document";
import { changesSince, type Maker } from "@stet/text/history";
import { type EditRequest, revise } from "@stet/text/revise";
import { type Location, type PathSource, type Root, resolveInside } from "../files/containment.ts";
import { readBytes } from "../files/files.ts";
import { lockedByTurn } from "../ledger/edit-lock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { DiskComparison, isOnlyHere } from "./disk-comparison.ts";
import { type DocumentState, emptyState, stateFromDisk } from "./document-state.ts";
import { hasFile, isGone } from "./file-state.ts";

export interface DocumentRow {
  readonly id: number;
  /** Null for a document that was never saved. */
  readonly path: string | null;
  readonly title: string;
}

export interface DocumentChange {
  /** The revision that the change was made on. */
  readonly revision: number;
  readonly change: ChangeSet;
  readonly origin: Origin;
  readonly by?: Maker | undefined;
}

export class Documents {
  readonly disk: DiskComparison;
  readonly #root: Root;
  readonly #ledger: Ledger;
  /** States of documents that have no entries yet. */
  readonly #unchanged = new Map<number, DocumentState>();

  constructor(root: Root, ledger: Ledger) {
    this.#root = root;
    this.#ledger = ledger;
    this.disk = new DiskComparison(root, ledger, this);
    ledger.listen((entry) => {
      if (entry.body.kind === "start") this.#unchanged.delete(entry.document);
    });
    ledger.onReset(() => this.#unchanged.clear());
  }

  /** Resolves a path to where the document is kept under. The path of a document was found once, whoever names it. */
  locate(path: string, source?: PathSource): Location | Fault {
    const isFound = source === "found" || (/[\t\n]/.test(path) && this.rowAt(path) !== undefined);
    const location = resolveInside(this.#root, path, isFound ? "found" : "asked");
    if (isFault(location)) return location;
    return { ...location, path: relative(this.#root.path, location.absolute).split(sep).join("/") };
  }

  row(id: number): DocumentRow | undefined {
    const row = this.#ledger.database.get("SELECT id, path, title FROM documents WHERE id = ?", id);
    return row === undefined ? undefined : documentRow(row);
  }

  rowAt(path: string): DocumentRow | undefined {
    const row = this.#ledger.database.get("SELECT id, path, title FROM documents WHERE path = ?", path);
    return row === undefined ? undefined : documentRow(row);
  }

  /** Documents of a file, or of everything below a folder. */
  under(path: string): DocumentRow[] {
    const sql = `SELECT id, path, title FROM documents
      WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/' ORDER BY path`;
    return this.#ledger.database.all(sql, path).map(documentRow);
  }

  /** Where a document with a path is on disk, checked anew. */
  locationOf(id: number): Location | Fault {
    const path = this.row(id)?.path;
    if (path === undefined) return unknownDocument(id);
    if (path !== null) return this.locate(path, "found");
    return new Fault("file_not_found", "This document has no file yet.", "Save it under a path first.", {
      document: id,
    });
  }

  /** Opens a text file: reads it, or takes the state that is known, with what happened to the file since. */
  open(path: string): DocumentState | Fault {
    const location = this.locate(path);
    if (isFault(location)) return location;
    const known = this.rowAt(location.path);
    if (known !== undefined && !isFault(this.state(known.id))) return this.current(known.id);
    return this.#read(location, known);
  }

  /**
   * The newest state of an opened document, with what happened to its file since. Whoever shows or edits a document begins
   * here. Where the file cannot be taken over, text that is only here is still seen, and `disk.compare` says why.
   */
  current(id: number): DocumentState | Fault {
    const compared = this.disk.compare(id);
    if (isFault(compared)) return compared;
    const state = this.state(id);
    if (compared === undefined || isFault(state) || isOnlyHere(state)) return state;
    return compared.fault;
  }

  /** Opens a text file as it was until just now, null where there was none; what is known of it already goes first. */
  openAs(path: string, content: (Document & { readonly hash: string }) | null): DocumentState | Fault {
    const known = this.rowAt(path);
    const state = known === undefined ? undefined : this.state(known.id);
    if (state !== undefined && !isFault(state)) return state;
    if (content === null) return this.create(path);
    const id = known?.id ?? this.register(path);
    return isFault(id) ? id : this.#begin(id, content, content.hash);
  }

  /** The text of a file, as it is known or else as it is on disk, without making it a document. */
  peek(path: string): Text | Fault {
    const location = this.locate(path);
    if (isFault(location)) return location;
    const known = this.rowAt(location.path);
    if (known !== undefined && this.#ledger.state(known.id) !== undefined) {
      const state = this.current(known.id);
      return isFault(state) ? state : isGone(state) ? goneFromDisk(location.path) : state.pending.current;
    }
    const content = readBytes(this.#root, location);
    if (isFault(content)) return content;
    const document = decodeDocument(content.bytes);
    return isFault(document) ? document : document.text;
  }

  #read(location: Location, known: DocumentRow | undefined): DocumentState | Fault {
    const content = readBytes(this.#root, location);
    if (isFault(content)) return content;
    const document = decodeDocument(content.bytes);
    if (isFault(document)) {
      return new Fault(
        document.error,
        `${location.path} cannot be opened. ${document.message}`,
        document.suggestion,
        {
          ...document.details,
          path: location.path,
        },
      );
    }
    const id = known?.id ?? this.register(location.path);
    if (isFault(id)) return id;
    return this.#begin(id, document, content.hash);
  }

  #begin(id: number, document: Document, hash: string): DocumentState | Fault {
    const revision = this.#ledger.write(() => this.#readRevision(id, hash));
    if (isFault(revision)) return revision;
    const state = stateFromDisk(id, document, hash, revision);
    this.#unchanged.set(id, state);
    return state;
  }

  /**
   * The revision of a file that was read but never changed here. Every content has one of its own, also across
   * processes: an edit made on what one of them read can never meet what another one read.
   */
  #readRevision(id: number, hash: string): number {
    const { database } = this.#ledger;
    const row = database.get("SELECT read_hash, read_revision FROM documents WHERE id = ?", id);
    const revision = Number(row?.read_revision ?? 0);
    if (row?.read_hash === hash) return revision;
    database.run(
      "UPDATE documents SET read_hash = ?, read_revision = ? WHERE id = ?",
      hash,
      revision + 1,
      id,
    );
    return revision + 1;
  }

  /** Gives a document its row; a file that is opened for the first time has none. */
  register(path: string | null, title?: string): number | Fault {
    const name = title ?? path?.split("/").at(-1) ?? "untitled";
    return this.#ledger.write(() => {
      const existing = path === null ? undefined : this.rowAt(path);
      if (existing !== undefined) return existing.id;
      const sql = "INSERT INTO documents (path, title, created_at) VALUES (?, ?, ?)";
      return this.#ledger.database.run(sql, path, name, Date.now());
    });
  }

  /** A document without a file, at a path where none exists or with a title only. */
  create(path: string | null, title?: string, format?: Format): DocumentState | Fault {
    const id = this.register(path, title);
    if (isFault(id)) return id;
    const state = this.#ledger.state(id) ?? emptyState(id, format);
    if (state.entry === 0) this.#unchanged.set(id, state);
    return state;
  }

  /** The newest state of an opened document as the ledger knows it: for what happens in a transaction. */
  state(id: number): DocumentState | Fault {
    const state = this.#ledger.state(id);
    if (state !== undefined) return state;
    const unchanged = this.#unchanged.get(id);
    return unchanged === undefined || this.#isOutdated(unchanged) ? this.#readAgain(id) : unchanged;
  }

  /** Whether another process has read the file since, and found something else. */
  #isOutdated({ id, savedHash }: DocumentState): boolean {
    if (savedHash === null) return false;
    const row = this.#ledger.database.get("SELECT read_hash FROM documents WHERE id = ?", id);
    return row?.read_hash !== savedHash;
  }

  #readAgain(id: number): DocumentState | Fault {
    // A new document that nothing was written into yet has neither entries nor a file to read.
    if (this.row(id)?.path === null) return emptyState(id);
    const wasOpen = this.#unchanged.has(id);
    const location = wasOpen ? this.locationOf(id) : unknownDocument(id);
    return isFault(location) ? location : this.#read(location, this.row(id));
  }

  /** Paths of documents that someone looks at or has to decide on. */
  pathsInUse(): string[] {
    const rows = this.#ledger.database.all(
      `SELECT path FROM documents WHERE path IS NOT NULL
         AND id IN (SELECT document FROM tabs UNION SELECT document FROM open_reviews)`,
    );
    return rows.map((row) => String(row.path));
  }

  /** Documents that are open in tabs, the one in front first. */
  inTabs(): number[] {
    const sql = "SELECT document FROM tabs GROUP BY document ORDER BY max(is_active) DESC, min(position)";
    return this.#ledger.database.all(sql).map((row) => Number(row.document));
  }

  /** Whether its file was ever read or saved. */
  hadFile(id: number): boolean {
    const sql = `SELECT 1 FROM documents WHERE id = ?1 AND (read_hash IS NOT NULL
      OR EXISTS (SELECT 1 FROM entries WHERE document = ?1 AND kind = 'saved'))`;
    return this.#ledger.database.get(sql, id) !== undefined;
  }

  /** Documents whose current text is not what is on disk. */
  unsavedIds(): number[] {
    const rows = this.#ledger.database.all("SELECT document FROM unsaved ORDER BY document");
    return rows
      .map((row) => Number(row.document))
      .filter((id) => {
        const state = this.state(id);
        if (isFault(state) || (state.saved === null && !hasFile(state, "current"))) return false;
        return (
          state.saved === null || !hasFile(state, "current") || !state.saved.text.eq(state.pending.current)
        );
      });
  }

  /** Those of them that have a file; another one is saved by naming one. */
  unsavedFiles(): number[] {
    return this.unsavedIds().filter((id) => this.row(id)?.path != null);
  }

  /** Forgets what was only read, so that opening reads again. */
  forget(id: number): void {
    this.#unchanged.delete(id);
  }

  /** Removes a document that nothing ever happened to. */
  discard(id: number): void {
    this.forget(id);
    const { database } = this.#ledger;
    const hasEntries = "EXISTS (SELECT 1 FROM entries WHERE document = ?1)";
    const removed = this.#ledger.write(() => {
      database.run(`DELETE FROM tabs WHERE document = ?1 AND turn IS NOT NULL AND NOT ${hasEntries}`, id);
      const isShown = "EXISTS (SELECT 1 FROM tabs WHERE document = ?1)";
      return database.run(`DELETE FROM documents WHERE id = ?1 AND NOT ${hasEntries} AND NOT ${isShown}`, id);
    });
    // A row without entries is taken up by the next document of its path.
    ignoreFault(removed);
  }

  /**
   * Why nothing may come to a path at which nothing is; undefined where it may. `comes` tells at which paths below there
   * will be something then: an open document that has one of these, and no file yet, would be taken for that file's.
   */
  claimOn(path: string, comes: (below: string) => boolean = () => true): Fault | undefined {
    const rows = this.under(path);
    const used = new Set(rows.length === 0 ? [] : this.pathsInUse());
    const claimed = rows.find((row) => row.path !== null && used.has(row.path) && comes(row.path));
    return claimed === undefined ? undefined : pathInUse(claimed.path ?? path);
  }

  /** A document whose file was taken away, or whose path another file gets: its text and history stay in the ledger. */
  detach(id: number): void {
    this.#ledger.database.run("UPDATE documents SET path = NULL WHERE id = ?", id);
  }

  move(id: number, path: string): void {
    const title = path.split("/").at(-1) ?? path;
    this.#ledger.database.run("UPDATE documents SET path = ?, title = ? WHERE id = ?", path, title, id);
  }

  /** Why nobody types in a document: it stands for a mode, a link or the like, and only decisions change it. */
  #nodeRefusal(id: number): Fault | undefined {
    if (this.#ledger.database.get("SELECT 1 FROM nodes WHERE document = ?", id) === undefined)
      return undefined;
    const message = "This line stands for what a command did to a file, a folder or a link. It is no text.";
    return new Fault("not_allowed", message, "Accept it or reject it. Nothing was changed.", {
      document: id,
    });
  }

  #edited(
    id: number,
    origin: Origin,
    action: (state: DocumentState) => DocumentState | Fault,
  ): DocumentState | Fault {
    return this.#ledger.write(() => {
      const locked = origin === "user" ? (lockedByTurn(this.#ledger) ?? this.#nodeRefusal(id)) : undefined;
      const state = locked ?? this.state(id);
      return isFault(state) ? state : action(state);
    });
  }

  /** A change by characters, made on any revision that is still known: mapped over everything since, never refused for it. */
  change(id: number, request: DocumentChange): DocumentState | Fault {
    return this.#edited(id, request.origin, (state) => {
      const since = changesSince(state.history, request.revision);
      if (isFault(since)) return since;
      let { change } = request;
      const seenLength = (since[0]?.before ?? state.history.text).length;
      if (change.length !== seenLength) return wrongLength(request.revision, change.length, seenLength);
      for (const made of since) change = change.map(made.change);
      if (change.empty) return state;
      const { origin, by } = request;
      return this.#ledger.append(state, { kind: "change", origin, by, change: change.toJSON() });
    });
  }

  /** Line edits outside a turn, such as a person's through the API. */
  edit(id: number, request: EditRequest): DocumentState | Fault {
    return this.#edited(id, request.origin, (state) => {
      const revised = revise(state.history, request);
      if (isFault(revised)) return revised;
      const { origin, turn } = request;
      return this.#ledger.append(state, { kind: "change", origin, turn, change: revised.change.toJSON() });
    });
  }
}

function documentRow(row: Readonly<Record<string, unknown>>): DocumentRow {
  return { id: Number(row.id), path: row.path === null ? null : String(row.path), title: String(row.title) };
}

/** For a file that another program has removed: what stood in it is no reason to write it again. */
export function goneFromDisk(path: string): Fault {
  return new Fault(
    "file_not_found",
    `${path} was deleted on disk, by a person or another program. Nothing was changed.`,
    "Ask the person whether it is to come back. They save its text where it is still open; to begin anew, create the file.",
    { path, deleted: true },
  );
}

export function unknownDocument(id: number): Fault {
  return new Fault("file_not_found", `There is no open document ${id}.`, "Open the file first.", {
    document: id,
  });
}

function pathInUse(path: string): Fault {
  return new Fault(
    "file_exists",
    `${path} is not on disk, but an open document has this path. Nothing was changed.`,
    "Save that document, or decide on it and close its tab, and try again; or choose another path.",
    { path },
  );
}

function wrongLength(revision: number, length: number, expected: number): Fault {
  return new Fault(
    "version_mismatch",
    `The change was not made on revision ${revision}: it expects ${length} characters, and there were ${expected}.`,
    "Read the document again and send the change with the revision that it was made on.",
    { your_version: String(revision), length, expected },
  );
}
