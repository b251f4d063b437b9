// Files and folders as a person handles them: made, renamed, taken away and brought back.
//
// Each of these happens while nothing is saved and while no turn holds the documents. What an ended process left half
// done is settled first, so that there is never more than one thing under way. What does it is loaded when it is needed.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { Documents } from "../documents/documents.ts";
import type { Step } from "../ledger/database.ts";
import { lockedByTurn } from "../ledger/edit-lock.ts";
import { hold } from "../ledger/holders.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Saving } from "../saving/saving.ts";
import type { Tabs } from "../tabs/tabs.ts";
import { type Root, resolvePlace } from "./containment.ts";
import { type Deletion, type DeletionLimits, DeletionStore, deletionLimits } from "./deletion-store.ts";
import { type Contents, contentsOf, nothingThere } from "./entry-moves.ts";
import { hasFileIntent, takeFileIntent } from "./file-intent.ts";
import type { Renamed } from "./file-moves.ts";

/** What is needed to move files and have the ledger follow. */
export interface FileParts {
  readonly root: Root;
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly tabs: Tabs;
  readonly stateFolder: string;
  readonly journalFolder: string;
  readonly deletions: DeletionStore;
  readonly limits: DeletionLimits;
  readonly step: Step;
}

export interface FilesOptions extends Omit<FileParts, "deletions" | "limits" | "step"> {
  readonly saving: Saving;
  readonly step?: Step | undefined;
}

const moves = () => import("./file-moves.ts");
const deletions = () => import("./deletions.ts");

export class WorkspaceFiles {
  readonly #parts: FileParts;
  readonly #saving: Saving;
  readonly #listeners = new Set<() => void>();

  constructor({ saving, step = () => {}, ...parts }: FilesOptions) {
    this.#saving = saving;
    const deletions = new DeletionStore(parts.stateFolder);
    this.#parts = { ...parts, deletions, limits: deletionLimits, step };
  }

  /** Makes a file and the folders above it; returns its path. */
  create(path: string, content: string): Promise<string | Fault> {
    return this.#change(async () => (await moves()).createFile(this.#parts, path, content));
  }

  /** Moves a file or a folder. Its documents, with all that is unsaved and undecided, go with it. */
  async rename(from: string, to: string): Promise<Renamed | Fault> {
    const contents = await this.#look(from);
    if (isFault(contents)) return contents;
    return this.#change(async () => (await moves()).renamePlace(this.#parts, from, to, contents));
  }

  /** Takes a file or a folder away and keeps it. */
  async delete(path: string): Promise<Deletion | Fault> {
    const contents = await this.#look(path);
    if (isFault(contents)) return contents;
    return this.#change(async () => (await deletions()).deletePlace(this.#parts, path, contents));
  }

  /** A folder may hold so much that looking takes a while: nobody's saving waits for that. */
  async #look(path: string): Promise<Contents | Fault> {
    const place = resolvePlace(this.#parts.root, path);
    if (isFault(place)) return place;
    return place.stats === undefined ? nothingThere(place.path) : contentsOf(place);
  }

  /** Brings back what was deleted. */
  restore(id: string): Promise<Deletion | Fault> {
    return this.#change(async () => (await deletions()).restoreDeletion(this.#parts, id));
  }

  /** What can be brought back, the newest first. */
  deleted(): Deletion[] {
    return this.#parts.deletions.list();
  }

  /** Called when files were made, moved, taken away or brought back. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #change<T>(action: () => Promise<T | Fault>): Promise<T | Fault> {
    const changed = await this.#saving.exclusively(async () => {
      const refusal = (await this.#settle()) ?? lockedByTurn(this.#parts.ledger);
      return refusal ?? action();
    });
    if (!isFault(changed)) for (const listener of this.#listeners) listener();
    return changed;
  }

  /** Settles what an ended process left half done. Does nothing while another process saves or moves files. */
  async recover(): Promise<Fault | undefined> {
    if (!hasFileIntent(this.#parts.stateFolder)) return undefined;
    const held = hold(this.#parts.ledger, "save", "recovering");
    if (isFault(held)) return held.error === "workspace_busy" ? undefined : held;
    try {
      return await this.#settle();
    } finally {
      held.release();
    }
  }

  async #settle(): Promise<Fault | undefined> {
    const intent = takeFileIntent(this.#parts.stateFolder);
    if (intent === undefined || isFault(intent)) return intent;
    return intent.kind === "rename"
      ? (await moves()).settleRename(this.#parts, intent)
      : (await deletions()).settleDeletion(this.#parts, intent);
  }
}
