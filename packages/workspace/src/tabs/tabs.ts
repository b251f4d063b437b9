// Tabs: which documents are open, in which order, and which one is in front.
//
// A tab's id is never used again in the life of the workspace. Its version counts what was decided since the tab was
// opened or reloaded, from 1, so two tabs of one file have versions of their own; a turn sees versions further on, one for
// each of its edits (see versions.ts). A file that is not text has a tab,
// too; it is listed, and refuses to be read or edited. Closing loses nothing: what was not saved is in the ledger.

import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import type { TabId } from "@stet/protocol/ids";
import type { History } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { type DocumentState, openHunkCount } from "../documents/document-state.ts";
import type { DocumentRow, Documents } from "../documents/documents.ts";
import { fileTypeOf } from "../documents/file-type.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Resolved, SavedDocument, Saving } from "../saving/saving.ts";
import type { Turn } from "../turns/turns.ts";
import { asEmptyFile } from "./created-tabs.ts";
import { fileExists, noTab, titleExists, unknownTab } from "./tab-faults.ts";

export interface TabInfo {
  readonly tab_id: TabId;
  readonly title: string;
  readonly path: string | null;
  readonly file_type: string;
  readonly version: string;
  readonly is_active: boolean;
  readonly is_dirty: boolean;
  readonly size_chars: number;
  readonly line_count: number;
}

/** A tab with what the windows show of its document. */
export interface ListedTab {
  readonly info: TabInfo;
  readonly document: number;
  readonly openHunks: number;
}

/** A tab as a turn sees it: with what is staged, and the version that an edit must name. */
export interface TurnTab {
  readonly info: TabInfo;
  readonly document: number;
  readonly history: History;
}

interface TabRow {
  readonly id: TabId;
  readonly document: number;
  readonly firstVersion: number;
  readonly isActive: boolean;
}

export interface NewDocument {
  readonly title: string;
  readonly content?: string;
  /** Where it will be saved; a document may do without until then. */
  readonly path?: string;
}

export class Tabs {
  readonly #ledger: Ledger;
  readonly #documents: Documents;
  readonly #saving: Saving;
  /** The last list, good as long as nothing was written. */
  #listed: { readonly state: string; readonly tabs: readonly ListedTab[] } | undefined;

  constructor(ledger: Ledger, documents: Documents, saving: Saving) {
    this.#ledger = ledger;
    this.#documents = documents;
    this.#saving = saving;
  }

  list(): TabInfo[] {
    return this.listOpen().map(({ info }) => info);
  }

  /** All tabs with their documents, in order. */
  listOpen(): readonly ListedTab[] {
    this.#ledger.catchUp();
    const state = this.#ledger.database.stateName();
    if (this.#listed?.state !== state) {
      const tabs = this.#rows().map((row) => this.#listedOf(row));
      this.#listed = { state: this.#ledger.database.stateName(), tabs };
    }
    return this.#listed.tabs;
  }

  #listedOf(row: TabRow): ListedTab {
    const info = this.#infoOf(row);
    // A document without entries has nothing to decide on.
    const state = this.#ledger.state(row.document);
    return { info, document: row.document, openHunks: state === undefined ? 0 : openHunkCount(state) };
  }

  /** Another one whenever a tab is opened, closed, moved, renamed or brought to the front, by any process. */
  fingerprint(): string {
    return JSON.stringify(this.#rows().map((row) => [row, this.#documents.row(row.document)]));
  }

  active(): TabInfo | undefined {
    return this.list().find((tab) => tab.is_active);
  }

  info(id: string): TabInfo | Fault {
    const row = this.#row(id);
    return isFault(row) ? row : this.#infoOf(row);
  }

  /** The document behind a tab; a fault where the tab is gone or its file is not text. */
  document(id: string): DocumentState | Fault {
    const row = this.#row(id);
    if (isFault(row)) return row;
    const state = this.#documents.current(row.document);
    if (!isFault(state)) return state;
    const path = this.#documents.row(row.document)?.path;
    // Another process, or a former one, opened it without changing it: there is nothing in the ledger yet.
    return path ? this.#documents.open(path) : state;
  }

  /** Opens a file in a new tab, in front. */
  open(path: string): TabInfo | Fault {
    const state = this.#documents.open(path);
    if (isFault(state)) return state.error === "unsupported_file_type" ? this.#openBinary(path) : state;
    return this.#add(state.id, state.versions.decided);
  }

  #openBinary(path: string): TabInfo | Fault {
    const location = this.#documents.locate(path);
    if (isFault(location)) return location;
    const document = this.#documents.register(location.path);
    return isFault(document) ? document : this.#add(document, 1);
  }

  /** A new document in a new tab. Its content is the person's or the caller's, so nothing is pending. */
  create(request: NewDocument): TabInfo | Fault {
    const { title, content = "", path } = request;
    if (this.list().some((tab) => tab.title === title)) return titleExists(title);
    const location = path === undefined ? undefined : this.#documents.locate(path);
    if (isFault(location)) return location;
    if (location?.exists) return fileExists(location.path);
    return this.#ledger.write(() => {
      const state = this.#documents.create(location?.path ?? null, title);
      if (isFault(state)) return state;
      if (content === "") return this.#add(state.id, state.versions.decided);
      const edited = this.#documents.edit(state.id, {
        revision: state.history.revision,
        policy: { kind: "rebase" },
        edits: [{ op: "set" as const, content }],
        origin: "user",
        rewrite: true,
      });
      return isFault(edited) ? edited : this.#add(edited.id, edited.versions.decided);
    });
  }

  /** All tabs as a turn sees them. */
  seenBy(turn: Turn): TabInfo[] {
    this.#ledger.catchUp();
    return this.#rows().map((row) => {
      const seen = this.#view(turn, row, "peek");
      return isFault(seen) ? this.#infoOf(row) : seen.info;
    });
  }

  /** One tab as a turn sees it; the active one where none is named. */
  in(turn: Turn, id?: string): TurnTab | Fault {
    const row = id === undefined ? this.#rows().find((tab) => tab.isActive) : this.#row(id);
    if (row === undefined) return noTab();
    return isFault(row) ? row : this.#view(turn, row);
  }

  #view(turn: Turn, row: TabRow, look: "read" | "peek" = "read"): TurnTab | Fault {
    const state = this.document(row.id);
    if (isFault(state)) return state;
    const history = turn[look](state.id);
    if (isFault(history)) return history;
    const steps = turn.stagedSteps(state.id);
    const number = steps > 0 ? state.versions.issued + steps : state.versions.current;
    const { text } = history;
    const info = {
      ...this.#describe(row, this.#documents.row(row.document)),
      version: versionOf(row, number),
      is_dirty: steps > 0 || this.#saving.isDirty(state),
      size_chars: text.length,
      line_count: countLines(text),
    };
    return { info, document: state.id, history };
  }

  /**
   * Stages a new document and shows it in a tab; both are gone where the turn is discarded or rejected. What the person
   * has in front stays in front.
   */
  createIn(turn: Turn, { title, content = "", path }: NewDocument): TabInfo | Fault {
    const tabs = this.list();
    if (tabs.some((tab) => tab.title === title)) return titleExists(title);
    const location = this.#documents.locate(path ?? title);
    if (isFault(location) && path !== undefined) return location;
    // A title that is no path is a title only, until the person saves the document somewhere.
    const target = isFault(location) ? null : location.path;
    return this.#ledger.write(() => {
      const document = turn.create(target, content, title);
      if (isFault(document)) return document.error === "file_exists" ? titleExists(title) : document;
      const versions = this.#documents.state(document);
      if (isFault(versions)) return versions;
      const firstVersion = versions.versions.issued + turn.stagedSteps(document);
      const tab = this.#insert({ document, firstVersion, isActive: tabs.length === 0, turn: turn.id });
      const seen = this.#view(turn, tab);
      return isFault(seen) ? seen : seen.info;
    });
  }

  #add(document: number, firstVersion: number): TabInfo | Fault {
    const { database } = this.#ledger;
    return this.#ledger.write(() => {
      database.run("UPDATE tabs SET is_active = 0");
      return this.#infoOf(this.#insert({ document, firstVersion, isActive: true }));
    });
  }

  /** Only in a transaction. */
  #insert(tab: Omit<TabRow, "id"> & { turn?: string }): TabRow {
    const { database } = this.#ledger;
    const sql = `INSERT INTO tabs (document, position, first_version, is_active, turn)
      VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM tabs), ?, ?, ?)`;
    const { document, firstVersion, isActive, turn = null } = tab;
    return {
      id: `tab_${database.run(sql, document, firstVersion, isActive ? 1 : 0, turn)}`,
      document,
      firstVersion,
      isActive,
    };
  }

  /** Brings a tab to the front; a file that cannot be read any more, too. */
  activate(id: string): TabInfo | Fault {
    const row = this.#row(id);
    if (isFault(row)) return row;
    ignoreFault(this.#documents.current(row.document));
    const written = this.#ledger.write(() => {
      return this.#ledger.database.run("UPDATE tabs SET is_active = (id = ?)", numberOf(row.id));
    });
    return isFault(written) ? written : this.#infoOf({ ...row, isActive: true });
  }

  /** Puts a tab at a place among the others, from 0; past the end is the end. */
  move(id: string, position: number): TabInfo | Fault {
    const { database } = this.#ledger;
    return this.#ledger.write(() => {
      const row = this.#row(id);
      if (isFault(row)) return row;
      const others = this.#rows().filter((other) => other.id !== row.id);
      const order = [...others.slice(0, position), row, ...others.slice(position)];
      for (const [index, tab] of order.entries()) {
        database.run("UPDATE tabs SET position = ? WHERE id = ?", index + 1, numberOf(tab.id));
      }
      return this.#infoOf(row);
    });
  }

  /** Closes a tab; the one beside it comes to the front. */
  close(id: string): TabInfo | Fault {
    const row = this.#row(id);
    if (isFault(row)) return row;
    const info = this.#infoOf(row);
    const written = this.#ledger.write(() => this.#remove(row));
    if (isFault(written)) return written;
    if (!this.#rows().some((other) => other.document === row.document)) this.#documents.forget(row.document);
    return info;
  }

  /** Closes every tab of a document. Only in a transaction. */
  closeDocument(document: number): void {
    for (const { id } of this.#rows().filter((row) => row.document === document)) {
      // Closing one may have brought the next one to the front.
      const row = this.#row(id);
      if (!isFault(row)) this.#remove(row);
    }
  }

  #remove(row: TabRow): true {
    const { database } = this.#ledger;
    const number = numberOf(row.id);
    const neighbour = database.get(
      `SELECT id FROM tabs WHERE id != ?1
       ORDER BY abs(position - (SELECT position FROM tabs WHERE id = ?1)), position DESC LIMIT 1`,
      number,
    );
    database.run("DELETE FROM tabs WHERE id = ?", number);
    if (row.isActive && neighbour !== undefined) {
      database.run("UPDATE tabs SET is_active = 1 WHERE id = ?", Number(neighbour.id));
    }
    return true;
  }

  /** The file as it is on disk, instead of everything unsaved and undecided. The version starts again at 1. */
  reload(id: string): TabInfo | Fault {
    const row = this.#row(id);
    if (isFault(row)) return row;
    const opened = this.document(id);
    if (isFault(opened)) return opened;
    const reloaded = this.reloadDocument(row.document);
    if (isFault(reloaded)) return reloaded;
    return this.#infoOf({ ...row, firstVersion: reloaded.state.versions.decided });
  }

  /** The same for all tabs of an opened document. */
  reloadDocument(document: number): Resolved | Fault {
    return this.#ledger.write(() => {
      const reloaded = this.#saving.resolve(document, "reload");
      if (isFault(reloaded)) return reloaded;
      const sql = "UPDATE tabs SET first_version = ? WHERE document = ?";
      this.#ledger.database.run(sql, reloaded.state.versions.decided, document);
      return reloaded;
    });
  }

  async save(id: string): Promise<SavedDocument[] | Fault> {
    const state = this.document(id);
    if (isFault(state)) return state;
    const hasPath = (this.#documents.row(state.id)?.path ?? null) !== null;
    const made = hasPath ? asEmptyFile(this.#ledger, state) : state;
    return isFault(made) ? made : this.#saving.save([made.id]);
  }

  /** Saves under another path. The tab keeps its id and version; a file that is there already is not replaced. */
  async saveAs(id: string, path: string): Promise<SavedDocument[] | Fault> {
    const state = this.document(id);
    if (isFault(state)) return state;
    const location = this.#documents.locate(path);
    if (isFault(location)) return location;
    const other = this.#documents.rowAt(location.path);
    if (location.exists || (other !== undefined && other.id !== state.id)) return fileExists(location.path);
    const moved = this.#ledger.write(() => {
      this.#documents.move(state.id, location.path);
      // Nothing is there as yet, so everything is to be written.
      const nothing = { kind: "disk", saved: null, hash: null, format: state.format } as const;
      return this.#ledger.append(state, { ...nothing, change: emptyChange(state) });
    });
    return isFault(moved) ? moved : this.#saving.save([state.id]);
  }

  #rows(): TabRow[] {
    return this.#ledger.database.all("SELECT * FROM tabs ORDER BY position").map((row) => ({
      id: `tab_${Number(row.id)}`,
      document: Number(row.document),
      firstVersion: Number(row.first_version),
      isActive: row.is_active === 1,
    }));
  }

  #row(id: string): TabRow | Fault {
    return this.#rows().find((row) => row.id === id) ?? unknownTab(id);
  }

  #infoOf(tab: TabRow): TabInfo {
    const row = this.#documents.row(tab.document);
    const state = this.#stateOf(tab.document, row?.path ?? null);
    const described = this.#describe(tab, row);
    if (isFault(state)) {
      // A new document that has no file yet, and nothing in it, is no binary.
      const file_type = state.error === "file_not_found" ? described.file_type : "binary";
      return { ...described, file_type, version: "1", is_dirty: false, size_chars: 0, line_count: 0 };
    }
    const { text } = state.history;
    return {
      ...described,
      version: versionOf(tab, state.versions.decided),
      is_dirty: this.#saving.isDirty(state),
      size_chars: text.length,
      line_count: countLines(text),
    };
  }

  #describe(tab: TabRow, row: DocumentRow | undefined) {
    const file_type = fileTypeOf(row?.path ?? row?.title ?? "");
    const { title = "", path = null } = row ?? {};
    return { tab_id: tab.id, title, path, file_type, is_active: tab.isActive };
  }

  #stateOf(document: number, path: string | null): DocumentState | Fault {
    const state = this.#documents.state(document);
    return isFault(state) && path !== null ? this.#documents.open(path) : state;
  }
}

function numberOf(id: TabId): number {
  return Number(id.slice("tab_".length));
}

function versionOf(tab: TabRow, number: number): string {
  // Before a new document is accepted, its first version is what the person sees.
  return String(Math.max(1, number - tab.firstVersion + 1));
}

function emptyChange(state: DocumentState): unknown {
  const { length } = state.pending.current;
  return length === 0 ? [] : [length];
}
