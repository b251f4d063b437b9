// A workspace: one folder under control. This is where its parts are put together; each part is in a file of its own.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { Checkpoints } from "./checkpoints.ts";
import { type CollectionLimits, type CollectionReport, collect } from "./collect.ts";
import { openRoot, type Root } from "./containment.ts";
import type { Mirror, Step } from "./database.ts";
import { Documents } from "./documents.ts";
import { lockEditing, lockHolder } from "./edit-lock.ts";
import type { Holder } from "./holders.ts";
import type { RecoveryReport } from "./journal-recovery.ts";
import { Ledger } from "./ledger.ts";
import type { Listing, ListingOptions } from "./listing.ts";
import { Review } from "./review.ts";
import { Saving, type WritePolicy } from "./saving.ts";
import type { SearchOptions, SearchOutcome } from "./search.ts";
import { stateFolder } from "./state-folder.ts";
import { Tabs } from "./tabs.ts";
import { type CommittedTurn, type SuspendedTurn, Turn, type TurnOptions } from "./turns.ts";
import type { FolderWatch } from "./watch.ts";
import { WorkspaceFiles } from "./workspace-files.ts";

export interface WorkspaceOptions {
  /** Default: "on accept". */
  readonly policy?: WritePolicy;
  /** Where the state of all workspaces is kept. Default: the user's data folder. */
  readonly dataFolder?: string;
  readonly step?: Step;
  /** How long to wait for another process that is writing, in milliseconds. */
  readonly busyTimeout?: number;
  /** The ledger, where it is not in the state folder. */
  readonly ledgerPath?: string;
  /** Where the ledger is kept, when its file is only a working copy. */
  readonly mirror?: Mirror;
}

export class Workspace {
  readonly root: Root;
  /** Where everything is kept that Stet knows of this folder. */
  readonly stateFolder: string;
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly saving: Saving;
  readonly tabs: Tabs;
  readonly review: Review;
  readonly checkpoints: Checkpoints;
  readonly files: WorkspaceFiles;
  /** What a crash had left behind and opening has settled. */
  readonly recovery: RecoveryReport | undefined;
  isOpen = true;

  private constructor(
    root: Root,
    stateFolder: string,
    ledger: Ledger,
    documents: Documents,
    saving: Saving,
    step?: Step,
    recovery?: RecoveryReport,
  ) {
    this.root = root;
    this.stateFolder = stateFolder;
    this.ledger = ledger;
    this.documents = documents;
    this.saving = saving;
    this.recovery = recovery;
    this.tabs = new Tabs(ledger, documents, saving);
    this.review = new Review(ledger, documents);
    this.checkpoints = new Checkpoints(ledger, documents);
    const { tabs } = this;
    const journalFolder = journalOf(stateFolder);
    this.files = new WorkspaceFiles({
      root,
      ledger,
      documents,
      tabs,
      saving,
      stateFolder,
      journalFolder,
      step,
    });
  }

  /** Opens a folder, and finishes or takes back what a crash interrupted. */
  static async open(folder: string, options: WorkspaceOptions = {}): Promise<Workspace | Fault> {
    const root = openRoot(folder);
    if (isFault(root)) return root;
    const state = stateFolder(root.path, options.dataFolder);
    if (isFault(state)) return state;
    const journalFolder = journalOf(state);
    const made = attempt("created", journalFolder, () =>
      mkdirSync(journalFolder, { recursive: true, mode: 0o700 }),
    );
    if (isFault(made)) return made;
    const path = options.ledgerPath ?? join(state, "ledger.sqlite");
    const ledger = Ledger.open(path, options.step, options.busyTimeout, options.mirror);
    if (isFault(ledger)) return ledger;
    const documents = new Documents(root, ledger);
    const policy = options.policy ?? "on accept";
    const saving = new Saving({ root, ledger, documents, journalFolder, policy, step: options.step });
    if (lockHolder(ledger) === undefined) documents.removeOrphanTabs();
    const recovery = await saving.recover();
    const opened = isFault(recovery)
      ? recovery
      : new Workspace(root, state, ledger, documents, saving, options.step, recovery);
    const fault = isFault(opened) ? opened : await opened.files.recover();
    if (fault === undefined) return opened;
    ledger.close();
    return fault;
  }

  /** Begins a turn of the agent. */
  beginTurn(options: Omit<TurnOptions, "lock"> = {}): Turn {
    return new Turn(this.ledger, this.documents, options);
  }

  /** Begins a turn during which nobody else edits, and whose changes are decided on as a whole. */
  beginLockedTurn(options: Omit<TurnOptions, "lock" | "isWhole"> = {}): Turn | Fault {
    const lock = lockEditing(this.ledger, options.summary || "a turn");
    return isFault(lock) ? lock : new Turn(this.ledger, this.documents, { ...options, isWhole: true, lock });
  }

  /** Takes up a turn that was suspended, also in another process. */
  resumeTurn(suspended: SuspendedTurn, options: Omit<TurnOptions, "lock"> = {}): Turn | Fault {
    const lock = options.isWhole ? lockEditing(this.ledger, options.summary || "a turn") : undefined;
    if (isFault(lock)) return lock;
    const held = lock === undefined ? options : { ...options, lock };
    const turn = new Turn(this.ledger, this.documents, held, suspended.id);
    const fault = turn.resume(suspended);
    if (isFault(fault)) turn.discard();
    return fault ?? turn;
  }

  /** Commits what a turn has staged so far and writes it to disk. */
  async writeTurn(turn: Turn): Promise<CommittedTurn | Fault> {
    const published = turn.publish();
    if (isFault(published)) return published;
    const saved = await this.saving.save(published.documents);
    return isFault(saved) ? saved : published;
  }

  /** Whose turn keeps people from editing; undefined where they may. */
  lockHolder(): Holder | undefined {
    return lockHolder(this.ledger);
  }

  // Listing, searching and watching bring programs and native code along, so they are loaded when first used.

  async list(options: ListingOptions = {}): Promise<Listing | Fault> {
    const { listFiles } = await import("./listing.ts");
    return listFiles(this.root.path, options);
  }

  async search(options: SearchOptions): Promise<SearchOutcome | Fault> {
    const { searchFiles } = await import("./search.ts");
    return searchFiles(this.root.path, options);
  }

  /**
   * Takes over changes of files that have a document, as they happen. Conflicts are told, nothing is overwritten. Where
   * the ledger cannot be changed at any time, `within` runs what changes it when it can. `onFiles` is told that there may
   * be other files than before.
   */
  async watch(
    onConflict: (fault: Fault) => void,
    within: (action: () => void) => void = (action) => action(),
    onFiles: () => void = () => {},
  ): Promise<FolderWatch | Fault> {
    const { watchFolder } = await import("./watch.ts");
    return watchFolder(this.root.path, (changes) => {
      if (changes.some(({ path, kind }) => path === "" || kind !== "update")) onFiles();
      within(() => {
        const mayBeAny = changes.some((change) => change.path === "");
        for (const path of mayBeAny ? this.documents.pathsInUse() : changes.map((change) => change.path)) {
          const row = this.documents.rowAt(path);
          if (row === undefined || isFault(this.documents.state(row.id))) continue;
          const refreshed = this.saving.refresh(row.id);
          if (isFault(refreshed)) onConflict(refreshed);
        }
      });
    });
  }

  /** Forgets old, finished turns, to keep within the disk budget. */
  collect(limits: CollectionLimits = {}): CollectionReport | Fault {
    return collect(this.ledger, limits);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.ledger.close();
  }
}

function journalOf(stateFolder: string): string {
  return join(stateFolder, "journal");
}
