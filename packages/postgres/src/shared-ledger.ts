// This process's part in the shared ledger: its working copy, replication from and to PostgreSQL, and the images that other
// processes start from. Who may write, and when, is decided in sharing.ts.

import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { Workspace, type WorkspaceOptions } from "@stet/workspace/workspace";
import type { Lease, Taken } from "./lease.ts";
import { LedgerCopy, ledgerState, newerLedger } from "./ledger-copy.ts";
import { LedgerMirror, takenOver } from "./ledger-mirror.ts";
import type { PostgresStore } from "./postgres-store.ts";
import type { Processes } from "./processes.ts";
import {
  copyLocal,
  isWorthPublishing,
  prepareCopy,
  removeCopy,
  sharedStateFolder,
} from "./working-copy-folder.ts";

export interface SharedLedgerOptions {
  readonly store: PostgresStore;
  readonly lease: Lease;
  readonly processes: Processes;
  /** Where working copies are; in the state folder unless given. */
  readonly copies: string | undefined;
  /** Called when what was written here is refused there. */
  readonly onDiverged: (fault: Fault) => void;
}

export class SharedLedger {
  readonly mirror: LedgerMirror;
  readonly #options: SharedLedgerOptions;
  readonly #copy: LedgerCopy;
  #workspace: Workspace | undefined;
  #copying: Promise<unknown> = Promise.resolve();
  #following: Promise<void> | undefined;

  private constructor(options: SharedLedgerOptions, path: string) {
    this.#options = options;
    const { store, lease, onDiverged } = options;
    const { pool, workspace, notifications } = store;
    this.#copy = new LedgerCopy(pool, workspace, path);
    const copy = this.#copy;
    this.mirror = new LedgerMirror({
      pool,
      workspace,
      lease,
      copy,
      channel: notifications.channel,
      onDiverged,
    });
  }

  /** Opens the folder with a new working copy. The lease is held. */
  static async open(
    folder: string,
    workspaceOptions: WorkspaceOptions,
    taken: Taken,
    options: SharedLedgerOptions,
  ): Promise<{ ledger: SharedLedger; workspace: Workspace } | Fault> {
    const state = sharedStateFolder(folder, workspaceOptions.dataFolder);
    if (isFault(state)) return state;
    const path = prepareCopy(state, options.processes.id, options.copies);
    const ledger = new SharedLedger(options, path);
    let isOpen = false;
    try {
      const workspace = await ledger.#begin(folder, state, workspaceOptions, taken);
      isOpen = !isFault(workspace);
      return isFault(workspace) ? workspace : { ledger, workspace };
    } finally {
      if (!isOpen) await ledger.close();
    }
  }

  async #begin(
    folder: string,
    state: string,
    options: WorkspaceOptions,
    taken: Taken,
  ): Promise<Workspace | Fault> {
    const { mirror } = this;
    const copy = this.#copy;
    const isKnown = await copy.fetch();
    if (isKnown) await copy.catchUp();
    else copyLocal(state, copy.path);
    // Nothing is written before there is an image that the changes can be applied to.
    if (isKnown) mirror.admit();
    const workspace = await Workspace.open(folder, { ...options, ledgerPath: copy.path, mirror });
    if (isFault(workspace)) return workspace;
    this.#workspace = workspace;
    const refused = await this.#publishFirst(taken);
    if (isFault(refused)) return refused;
    mirror.admit();
    const recovered = isKnown ? undefined : await workspace.saving.recover();
    if (isFault(recovered)) return recovered;
    return (await this.#tidy(taken)) ?? workspace;
  }

  /** The first process gives the others something to start from; so does the first one of a newer version. */
  async #publishFirst({ fence }: Taken): Promise<undefined | Fault> {
    const { store } = this.#options;
    const refused = await this.mirror.settled();
    if (isFault(refused)) return refused;
    const { imageSeq, version } = await ledgerState(store.pool, store.workspace);
    const own = this.#workspace?.workingCopy().version ?? 0;
    if (imageSeq !== undefined && version >= own) return undefined;
    return (await this.#publish(fence)) ? undefined : takenOver();
  }

  async #publish(fence: number): Promise<boolean> {
    const file = this.#workspace?.workingCopy();
    if (file === undefined) return false;
    return this.#copy.publish(fence, file.version, (path) => file.copyTo(path));
  }

  /** Publishes an image where starting from the last one has become slow. */
  async publishNowAndThen(): Promise<void> {
    const { mirror } = this;
    const workspace = this.#workspace;
    const { fence } = this.#options.lease;
    if (workspace?.isOpen !== true || fence === undefined || mirror.hasPending || mirror.hasDiverged) return;
    if (!isWorthPublishing(mirror.unpublished, workspace.ledger.size())) return;
    mirror.unpublished = { changes: 0, bytes: 0 };
    await this.#publish(fence);
  }

  /** Makes the copy what PostgreSQL has, and lets it be written. The lease is held. */
  async admit(taken: Taken): Promise<undefined | Fault> {
    const fault = await this.#inCopy(() => this.#bringUp());
    if (isFault(fault)) return fault;
    this.mirror.admit();
    return this.#tidy(taken);
  }

  #inCopy<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#copying.then(action, action);
    this.#copying = done.catch(() => undefined);
    return done;
  }

  async #bringUp(): Promise<undefined | Fault> {
    const { mirror } = this;
    const copy = this.#copy;
    const workspace = this.#workspace;
    if (workspace?.isOpen !== true) return undefined;
    const { store } = this.#options;
    const { version, seq, imageSeq = 0 } = await ledgerState(store.pool, store.workspace);
    mirror.unpublished.changes = seq - imageSeq;
    const understood = workspace.workingCopy().version;
    if (version > understood) return newerLedger(version, understood);
    const { hasDiverged } = mirror;
    if (hasDiverged) await copy.replace();
    const { isReplaced } = await copy.catchUp();
    mirror.recovered();
    if (isReplaced || hasDiverged) workspace.ledger.reset();
    else workspace.ledger.catchUp();
    return undefined;
  }

  /** Takes over what others have written, while none of it is ours. */
  follow(): Promise<void> {
    // One that has not begun finds everything that happens until then.
    this.#following ??= this.#inCopy(async () => {
      this.#following = undefined;
      // Changes that cannot be applied now are applied, or reported, by the next writer.
      if (this.#options.lease.fence === undefined && !this.mirror.hasPending)
        ignoreFault(await this.#bringUp());
    });
    return this.#following;
  }

  /** Frees what processes held that are gone, and settles what the last one was in the middle of. */
  async #tidy({ lostBy }: Taken): Promise<undefined | Fault> {
    const workspace = this.#workspace;
    if (workspace === undefined) return undefined;
    const { processes } = this.#options;
    const file = workspace.workingCopy();
    const holders = file.lockHolders();
    const isOther = lostBy !== null && lostBy !== processes.id;
    if (holders.length > 0) {
      const alive = await processes.alive(holders);
      if (isOther) alive.delete(lostBy.split(":").slice(0, 2).join(":"));
      const fault = file.freeLocks(holders.filter((process) => !alive.has(process)));
      if (fault !== undefined) return fault;
    }
    const recovered = isOther ? await workspace.saving.recover() : undefined;
    return isFault(recovered) ? recovered : undefined;
  }

  async close(): Promise<void> {
    await this.#copying;
    this.#workspace?.close();
    this.#copy.close();
    removeCopy(this.#copy.path);
  }
}
