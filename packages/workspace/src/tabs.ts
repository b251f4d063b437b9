// Tabs: which documents are open, in which order, and which one is in front.
//
// A tab's id is never used again in the life of the workspace. Its version counts the document's revisions since the tab
// was opened or reloaded, from 1, so two tabs of one file have versions of their own. A file that is not text has a tab,
// too; it is listed, and refuses to be read or edited. Closing loses nothing: what was not saved is in the ledger.

import { extname } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import type { TabId } from "@stet/protocol/ids";
import { countLines } from "@stet/text/lines";
import type { DocumentState } from "./document-state.ts";
import type { Documents } from "./documents.ts";
import type { Ledger } from "./ledger.ts";
import type { SavedDocument, Saving } from "./saving.ts";

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

interface TabRow {
  readonly id: TabId;
  readonly document: number;
  readonly firstRevision: number;
  readonly isActive: boolean;
}

export interface NewDocument {
  readonly title: string;
  readonly content?: string;
  /** Where it will be saved; a document may do without until then. */
  readonly path?: string;
}

const fileTypes: Readonly<Record<string, string>> = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "txt",
  ".json": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
};

export class Tabs {
  private readonly ledger: Ledger;
  private readonly documents: Documents;
  private readonly saving: Saving;

  constructor(ledger: Ledger, documents: Documents, saving: Saving) {
    this.ledger = ledger;
    this.documents = documents;
    this.saving = saving;
  }

  list(): TabInfo[] {
    this.ledger.catchUp();
    return this.rows().map((row) => this.infoOf(row));
  }

  active(): TabInfo | undefined {
    return this.list().find((tab) => tab.is_active);
  }

  info(id: string): TabInfo | Fault {
    const row = this.row(id);
    return isFault(row) ? row : this.infoOf(row);
  }

  /** The document behind a tab; a fault where the tab is gone or its file is not text. */
  document(id: string): DocumentState | Fault {
    const row = this.row(id);
    if (isFault(row)) return row;
    const state = this.documents.state(row.document);
    if (!isFault(state)) return state;
    const path = this.documents.row(row.document)?.path;
    // Another process, or a former one, opened it without changing it: there is nothing in the ledger yet.
    return path ? this.documents.open(path) : state;
  }

  /** Opens a file in a new tab, in front. What happened to the file since it was last open is taken over. */
  open(path: string): TabInfo | Fault {
    const state = this.documents.open(path);
    if (isFault(state)) return state.error === "unsupported_file_type" ? this.openBinary(path) : state;
    if (state.entry > 0) {
      const refreshed = this.saving.refresh(state.id);
      // A conflict with the disk must not keep the person from seeing their text; saving will report it.
      if (isFault(refreshed) && refreshed.error !== "external_change") return refreshed;
    }
    const newest = this.documents.state(state.id);
    return isFault(newest) ? newest : this.add(newest.id, newest.history.revision);
  }

  private openBinary(path: string): TabInfo | Fault {
    const location = this.documents.locate(path);
    if (isFault(location)) return location;
    const document = this.documents.register(location.path);
    return isFault(document) ? document : this.add(document, 1);
  }

  /** A new document in a new tab. Its content is the person's or the caller's, so nothing is pending. */
  create(request: NewDocument): TabInfo | Fault {
    const { title, content = "", path } = request;
    if (this.list().some((tab) => tab.title === title)) return titleExists(title);
    const location = path === undefined ? undefined : this.documents.locate(path);
    if (isFault(location)) return location;
    if (location?.exists) return fileExists(location.path);
    return this.ledger.write(() => {
      const state = this.documents.create(location?.path ?? null, title);
      if (isFault(state)) return state;
      let { revision } = state.history;
      if (content !== "") {
        const edits = [{ op: "set" as const, content }];
        const edited = this.documents.edit(state.id, {
          revision,
          policy: { kind: "rebase" },
          edits,
          origin: "user",
          rewrite: true,
        });
        if (isFault(edited)) return edited;
        revision = edited.history.revision;
      }
      return this.add(state.id, revision);
    });
  }

  private add(document: number, firstRevision: number): TabInfo | Fault {
    const { database } = this.ledger;
    return this.ledger.write(() => {
      database.run("UPDATE tabs SET is_active = 0");
      const position = Number(
        database.get("SELECT coalesce(max(position), 0) + 1 AS position FROM tabs")?.position,
      );
      const sql = "INSERT INTO tabs (document, position, first_revision, is_active) VALUES (?, ?, ?, 1)";
      const id: TabId = `tab_${database.run(sql, document, position, firstRevision)}`;
      return this.infoOf({ id, document, firstRevision, isActive: true });
    });
  }

  activate(id: string): TabInfo | Fault {
    const row = this.row(id);
    if (isFault(row)) return row;
    const written = this.ledger.write(() => {
      return this.ledger.database.run("UPDATE tabs SET is_active = (id = ?)", numberOf(row.id));
    });
    return isFault(written) ? written : this.infoOf({ ...row, isActive: true });
  }

  /** Closes a tab; the one beside it comes to the front. */
  close(id: string): TabInfo | Fault {
    const row = this.row(id);
    if (isFault(row)) return row;
    const info = this.infoOf(row);
    const { database } = this.ledger;
    const written = this.ledger.write(() => {
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
    });
    if (isFault(written)) return written;
    if (!this.rows().some((other) => other.document === row.document)) this.documents.forget(row.document);
    return info;
  }

  /** The file as it is on disk, instead of everything unsaved and undecided. The version starts again at 1. */
  reload(id: string): TabInfo | Fault {
    const row = this.row(id);
    if (isFault(row)) return row;
    const opened = this.document(id);
    if (isFault(opened)) return opened;
    const state = this.saving.resolve(row.document, "reload");
    if (isFault(state)) return state;
    const firstRevision = state.history.revision;
    const sql = "UPDATE tabs SET first_revision = ? WHERE document = ?";
    const written = this.ledger.write(() => this.ledger.database.run(sql, firstRevision, row.document));
    return isFault(written) ? written : this.infoOf({ ...row, firstRevision });
  }

  async save(id: string): Promise<SavedDocument[] | Fault> {
    const state = this.document(id);
    return isFault(state) ? state : this.saving.save([state.id]);
  }

  /** Saves under another path. The tab keeps its id and version; a file that is there already is not replaced. */
  async saveAs(id: string, path: string): Promise<SavedDocument[] | Fault> {
    const state = this.document(id);
    if (isFault(state)) return state;
    const location = this.documents.locate(path);
    if (isFault(location)) return location;
    const other = this.documents.rowAt(location.path);
    if (location.exists || (other !== undefined && other.id !== state.id)) return fileExists(location.path);
    const moved = this.ledger.write(() => {
      this.documents.move(state.id, location.path);
      // Nothing is there as yet, so everything is to be written.
      const nothing = { kind: "disk", saved: null, hash: null, format: state.format } as const;
      return this.ledger.append(state, { ...nothing, change: emptyChange(state) });
    });
    return isFault(moved) ? moved : this.saving.save([state.id]);
  }

  private rows(): TabRow[] {
    return this.ledger.database.all("SELECT * FROM tabs ORDER BY position").map((row) => ({
      id: `tab_${Number(row.id)}`,
      document: Number(row.document),
      firstRevision: Number(row.first_revision),
      isActive: row.is_active === 1,
    }));
  }

  private row(id: string): TabRow | Fault {
    return this.rows().find((row) => row.id === id) ?? unknownTab(id);
  }

  private infoOf(tab: TabRow): TabInfo {
    const row = this.documents.row(tab.document);
    const state = this.stateOf(tab.document, row?.path ?? null);
    const common = {
      tab_id: tab.id,
      title: row?.title ?? "",
      path: row?.path ?? null,
      is_active: tab.isActive,
    };
    if (isFault(state)) {
      return { ...common, file_type: "binary", version: "1", is_dirty: false, size_chars: 0, line_count: 0 };
    }
    const { text, revision } = state.history;
    return {
      ...common,
      file_type: fileTypeOf(row?.path ?? row?.title ?? ""),
      version: String(revision - tab.firstRevision + 1),
      is_dirty: this.saving.isDirty(state),
      size_chars: text.length,
      line_count: countLines(text),
    };
  }

  private stateOf(document: number, path: string | null): DocumentState | Fault {
    const state = this.documents.state(document);
    return isFault(state) && path !== null ? this.documents.open(path) : state;
  }
}

function numberOf(id: TabId): number {
  return Number(id.slice("tab_".length));
}

function emptyChange(state: DocumentState): unknown {
  const { length } = state.pending.current;
  return length === 0 ? [] : [length];
}

export function fileTypeOf(path: string): string {
  const extension = extname(path).toLowerCase();
  return fileTypes[extension] ?? (extension === "" ? "txt" : extension.slice(1));
}

function unknownTab(id: string): Fault {
  return new Fault(
    "invalid_tab_id",
    `There is no tab ${id}; it may have been closed.`,
    "List the tabs to see which are open.",
    { tab_id: id },
  );
}

function titleExists(title: string): Fault {
  return new Fault(
    "title_exists",
    `A tab with the title ${title} exists already.`,
    "Choose another title, or edit that tab.",
    { title },
  );
}

function fileExists(path: string): Fault {
  return new Fault(
    "file_exists",
    `${path} exists already and was not replaced.`,
    "Open that file, or choose another path.",
    { path },
  );
}
