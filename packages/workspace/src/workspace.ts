// A workspace: one folder under control. This is where its parts are put together; each part is in a file of its own.

import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { attempt } from "@stet/protocol/system-fault";
import { tellIfFault, tellNotice } from "@stet/storage/notices";
import { makePrivateFolder } from "@stet/storage/private-files";
import { Checkpoints, type RollbackReport, type RollbackRequest } from "./checkpoints/checkpoints.ts";
import { FileContents } from "./command-effects/contents.ts";
import { NodeDisk } from "./command-effects/node-disk.ts";
import { type KeptNode, Nodes } from "./command-effects/nodes.ts";
import { Witness } from "./command-effects/witness.ts";
import { Documents } from "./documents/documents.ts";
import { openRoot, type Root } from "./files/containment.ts";
import { stateFolder } from "./files/state-folder.ts";
import type { FolderWatch } from "./files/watch.ts";
import { WorkspaceFiles } from "./files/workspace-files.ts";
import { type CollectionLimits, type CollectionReport, collect, collectWhenDue } from "./ledger/collect.ts";
import type { Step } from "./ledger/database.ts";
import { lockEditing, lockedByTurn, lockHolder } from "./ledger/edit-lock.ts";
import { type Hold, type Holder, hold, holderOf } from "./ledger/holders.ts";
import { Ledger, type LedgerView } from "./ledger/ledger.ts";
import { type Mirror, WorkingCopy } from "./ledger/mirror.ts";
import { followDecision } from "./review/follow-decision.ts";
import { Review } from "./review/review.ts";
import type { RecoveryReport } from "./saving/journal-recovery.ts";
import { Saving } from "./saving/saving.ts";
import type { Listing, ListingOptions } from "./search/listing.ts";
import type { SearchOptions, SearchOutcome } from "./search/search.ts";
import { removeOrphanTabs } from "./tabs/created-tabs.ts";
import { Tabs } from "./tabs/tabs.ts";
import { takeBackDecision } from "./turns/take-back.ts";
import type { SuspendedTurn } from "./turns/turn-copy.ts";
import type { CommittedTurn, StagedTurnOptions } from "./turns/turn-options.ts";
import { Turn } from "./turns/turns.ts";

export interface WorkspaceOptions {
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
  readonly ledger: LedgerView;
  readonly #ledger: Ledger;
  readonly documents: Documents;
  readonly saving: Saving;
  readonly tabs: Tabs;
  readonly review: Review;
  readonly checkpoints: Checkpoints;
  readonly files: WorkspaceFiles;
  /** Modes, links, folders, empty files and files that are not text. */
  readonly nodes: Nodes;
  /** What commands change in the folder. */
  readonly witness: Witness;
  /** What a crash had left behind and opening has settled. */
  readonly recovery: RecoveryReport | undefined;
  isOpen = true;
  #isBackingUp = false;

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
    this.#ledger = ledger;
    this.ledger = ledger;
    this.documents = documents;
    this.saving = saving;
    this.recovery = recovery;
    this.tabs = new Tabs(ledger, documents, saving);
    this.review = new Review(ledger, documents);
    this.checkpoints = new Checkpoints(ledger, documents);
    const contents = new FileContents(stateFolder);
    this.nodes = new Nodes(ledger, documents, new NodeDisk(root, contents));
    const { tabs, nodes } = this;
    this.witness = new Witness({ root, stateFolder, ledger, documents, nodes, contents });
    documents.disk.turnBehind = (...change) => this.witness.turnBehind(...change);
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
    try {
      return await Workspace.#openParts(folder, options);
    } catch (error) {
      // A ledger that is damaged where opening has to read it.
      const carried = faultOf(error);
      if (carried === undefined) throw error;
      return carried;
    }
  }

  static async #openParts(folder: string, options: WorkspaceOptions): Promise<Workspace | Fault> {
    const root = openRoot(folder);
    if (isFault(root)) return root;
    const state = stateFolder(root.path, options.dataFolder);
    if (isFault(state)) return state;
    const journalFolder = journalOf(state);
    const made = attempt("created", journalFolder, () => makePrivateFolder(journalFolder));
    if (isFault(made)) return made;
    const path = options.ledgerPath ?? join(state, "ledger.sqlite");
    const ledger = Ledger.open(path, options.step, options.busyTimeout, options.mirror);
    if (isFault(ledger)) return ledger;
    const documents = new Documents(root, ledger);
    const saving = new Saving({ root, ledger, documents, journalFolder, step: options.step });
    if (lockHolder(ledger) === undefined) removeOrphanTabs(ledger);
    const recovery = await saving.recover();
    // A record that stays is one that nobody can act on: the person should know of it.
    if (!isFault(recovery)) for (const { fault } of recovery?.left ?? []) tellNotice(fault);
    const opened = isFault(recovery)
      ? recovery
      : new Workspace(root, state, ledger, documents, saving, options.step, recovery);
    const fault = isFault(opened)
      ? opened
      : ((await opened.files.recover()) ?? (await opened.#recoverNodes()));
    if (fault === undefined) return opened;
    ledger.close();
    return fault;
  }

  /** Finds what commands of a killed process did, and finishes what it has decided. */
  async #recoverNodes(): Promise<Fault | undefined> {
    await this.witness.recover();
    const unsettled = this.nodes.unsettled();
    const settled = unsettled.length === 0 ? [] : await this.settle(unsettled);
    return isFault(settled) ? settled : undefined;
  }

  /** Begins a turn of the agent. */
  beginTurn(options: Omit<StagedTurnOptions, "lock"> = {}): Turn {
    return new Turn(this.#ledger, this.documents, options);
  }

  /** Begins a turn during which nobody else edits, and whose changes are decided on as a whole. */
  beginLockedTurn(options: Omit<StagedTurnOptions, "lock" | "isWhole"> = {}): Turn | Fault {
    const lock = lockEditing(this.#ledger, options.summary || "a turn");
    return isFault(lock) ? lock : new Turn(this.#ledger, this.documents, { ...options, isWhole: true, lock });
  }

  /** Takes up a turn that was suspended, also in another process. */
  resumeTurn(suspended: SuspendedTurn, options: Omit<StagedTurnOptions, "lock"> = {}): Turn | Fault {
    const lock = options.isWhole ? lockEditing(this.#ledger, options.summary || "a turn") : undefined;
    if (isFault(lock)) return lock;
    const held = lock === undefined ? options : { ...options, lock };
    const turn = new Turn(this.#ledger, this.documents, held, suspended.id);
    const fault = turn.resume(suspended);
    if (fault === undefined) return turn;
    // What is on disk already stays there, for the person to decide on.
    tellIfFault(turn.isImmediate ? turn.conclude() : turn.discard());
    return fault;
  }

  /** Commits what an immediate turn has staged so far and writes it to disk; where that fails, nothing of it remains. */
  async writeTurn(turn: Turn): Promise<CommittedTurn | Fault> {
    const earlier = turn.publishedDocuments;
    const room = this.#ledger.reserve.ensure(turn.stagedLength);
    if (isFault(room)) return room;
    const published = turn.publish();
    if (isFault(published)) return published;
    const changed = published.entered.map(({ after }) => after.id);
    const saved = await this.saving.save(this.#withPath(changed));
    if (!isFault(saved)) return published;
    return turn.takeBack(published, earlier) ?? saved;
  }

  /**
   * Ends a turn with everything that it staged, on disk where its edits belong there at once. Where that cannot be done, it
   * ends with what was written before.
   */
  async commitTurn(turn: Turn): Promise<CommittedTurn | Fault> {
    const written = turn.isImmediate ? await this.writeTurn(turn) : undefined;
    const committed = isFault(written) ? written : turn.commit();
    if (!isFault(committed)) return committed;
    tellIfFault(turn.isImmediate ? turn.conclude() : turn.discard());
    return committed;
  }

  /** Drops what a turn has staged and rejects what it published, on disk, too. */
  async discardTurn(turn: Turn): Promise<undefined | Fault> {
    const fault = turn.discard();
    const settled = fault ?? (await this.settle(turn.publishedDocuments));
    return isFault(settled) ? settled : undefined;
  }

  /** Writes those of the documents whose files follow what is there, after it was decided on; tells which nodes do not. */
  settle(documents: readonly number[]): Promise<KeptNode[] | Fault> {
    const { root, saving, nodes } = this;
    return followDecision(
      { root, ledger: this.#ledger, documents: this.documents, saving, nodes },
      documents,
    );
  }

  /**
   * Runs a decision and settles its documents. Where their files cannot be written, nothing is decided: its entries are
   * taken back, and `forget` takes back what else it has left in the ledger.
   */
  async decide<T extends { readonly documents: readonly number[] }>(
    decision: () => T | Fault,
    forget: (decided: T) => void = () => {},
  ): Promise<(T & { readonly kept: readonly KeptNode[] }) | Fault> {
    this.nodes.compareOpen();
    const newest = this.#ledger.newestEntry();
    const room = this.#ledger.reserve.ensure(0);
    if (isFault(room)) return room;
    const decided = decision();
    if (isFault(decided)) return decided;
    const after = decided.documents.flatMap((document) => this.#ledger.state(document) ?? []);
    const settled = await this.settle(decided.documents);
    const kept = isFault(settled) ? [] : settled;
    const isTakenBack = (document: number) =>
      isFault(settled) || kept.some((one) => one.document === document);
    const unsettled = after.filter(({ id }) => isTakenBack(id));
    if (unsettled.length === 0 && !isFault(settled)) return { ...decided, kept };
    const taken = this.#ledger.write(
      () => {
        for (const state of unsettled) {
          const before = this.#ledger.stateAt(state.id, newest);
          if (before !== undefined) takeBackDecision(this.#ledger, { before, after: state });
        }
        if (isFault(settled)) forget(decided);
        return true;
      },
      { settles: true },
    );
    if (isFault(taken)) return taken;
    return isFault(settled) ? settled : { ...decided, kept };
  }

  /** Back to before a turn, on disk where its edits were there at once. */
  rollback(
    id: string,
    request: RollbackRequest,
  ): Promise<(RollbackReport & { readonly kept: readonly KeptNode[] }) | Fault> {
    const { checkpoints } = this;
    return this.decide(
      () => checkpoints.rollback(id, request),
      (report) => checkpoints.forget(report),
    );
  }

  #withPath(documents: readonly number[]): number[] {
    return documents.filter((document) => typeof this.documents.row(document)?.path === "string");
  }

  /** Whose turn keeps people from editing; undefined where they may. */
  lockHolder(): Holder | undefined {
    return lockHolder(this.#ledger);
  }

  /** Why a person cannot edit, decide or roll back now; undefined where they can. */
  lockedByTurn(): Fault | undefined {
    return lockedByTurn(this.#ledger);
  }

  /** Takes a named lock of this workspace, or says who has it. */
  hold(name: string, purpose: string): Hold | Fault {
    return hold(this.#ledger, name, purpose);
  }

  /** Who holds a named lock now. */
  holderOf(name: string): Holder | undefined {
    return holderOf(this.#ledger, name);
  }

  /** The ledger's file, for a store that keeps it elsewhere. */
  workingCopy(): WorkingCopy {
    return new WorkingCopy(this.#ledger);
  }

  // Listing, searching and watching bring programs and native code along, so they are loaded when first used.

  async list(options: ListingOptions = {}): Promise<Listing | Fault> {
    const { listFiles } = await import("./search/listing.ts");
    const { provedPaths } = await import("./search/prove-results.ts");
    const listing = await listFiles(this.root.path, options);
    return isFault(listing) ? listing : { ...listing, files: provedPaths(this.root, listing.files) };
  }

  async search(options: SearchOptions): Promise<SearchOutcome | Fault> {
    const { searchFiles } = await import("./search/search.ts");
    return searchFiles(this.root, options);
  }

  /** Compares the files of documents that are in use or not saved; returns the conflicts. */
  compareInUse(): Fault[] {
    this.nodes.compareOpen();
    const used = this.documents.pathsInUse().flatMap((path) => this.documents.rowAt(path)?.id ?? []);
    return [...new Set([...used, ...this.documents.unsavedIds()])].flatMap((document) => {
      const compared = this.documents.disk.compare(document);
      return isFault(compared) ? compared : (compared?.fault ?? []);
    });
  }

  /**
   * Takes over changes of files that have a document, from the last time that they were known and then as they happen.
   * Conflicts are told, nothing is overwritten. Where
   * the ledger cannot be changed at any time, `within` runs what changes it when it can. `onFiles` is told that there may
   * be other files than before.
   */
  async watch(
    onConflict: (fault: Fault) => void,
    within: (action: () => void) => void = (action) => action(),
    onFiles: () => void = () => {},
  ): Promise<FolderWatch | Fault> {
    const { watchFolder } = await import("./files/watch.ts");
    const watch = await watchFolder(this.root.path, (changes) => {
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
    // What changed before anyone watched is in no event.
    within(() => {
      for (const conflict of this.compareInUse()) onConflict(conflict);
    });
    return watch;
  }

  /** Forgets old, finished turns, to keep within the disk budget. */
  collect(limits: CollectionLimits = {}): CollectionReport | Fault {
    return collect(this.#ledger, limits);
  }

  /** Collects where the ledger may hold more than it should. */
  collectWhenDue(): undefined | Fault {
    return collectWhenDue(this.#ledger);
  }

  /** Makes a backup of the ledger where one is due; not of one that is larger than so many bytes. */
  async backUpWhenDue(maxBytes = Number.POSITIVE_INFINITY): Promise<void> {
    const { database } = this.#ledger;
    // Where the file is a working copy, what it mirrors is what is kept.
    if (database.isMirrored || this.#isBackingUp || database.size() > maxBytes) return;
    const sql = "SELECT count(*) AS count FROM turns WHERE started_at > ?";
    const turnsSince = (time: number) => Number(database.get(sql, time)?.count ?? 0);
    const { backUpLedger, isBackupDue } = await import("./ledger/ledger-backup.ts");
    if (!this.isOpen || !isBackupDue(database.path, turnsSince)) return;
    this.#isBackingUp = true;
    await backUpLedger(database.path);
    this.#isBackingUp = false;
  }

  /** As `close`, where the process ends now and takes the connection with it. */
  leave(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#ledger.database.leave();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.witness.close();
    this.#ledger.close();
  }
}

function journalOf(stateFolder: string): string {
  return join(stateFolder, "journal");
}
