// A folder opened for one command: its workspace, and of the operations those that commands call. Nothing is served, watched
// or run. A process that serves the folder meanwhile finds what was done here in the ledger.
//
// An operation's module is loaded when it is first called: most commands call two.

import type { Operations } from "@stet/protocol/api/operation";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import { Workspace } from "@stet/workspace/workspace";
import { Decisions } from "./review/decisions.ts";

export interface FolderOptions {
  readonly dataFolder: string;
  readonly sessions: SessionStore;
}

/** A command's turns are no jobs, and its events have no readers. */
const unserved = {
  store: { jobByTurn: async () => undefined },
  reviews: { settled: async () => {} },
  events: { look() {} },
  log: { settled: async () => {}, cursor: 0 },
};

export class Folder {
  readonly workspace: Workspace;
  readonly sessions: SessionStore;
  readonly operations: FolderOperations;
  /** The session that the command works in; it may be in memory only. */
  session: Session | undefined;

  private constructor(workspace: Workspace, options: FolderOptions) {
    this.workspace = workspace;
    this.sessions = options.sessions;
    this.operations = operationsOf(workspace, new Decisions(workspace, (id) => this.#find(id)));
  }

  /** Opens it, and finishes or takes back what a crash interrupted. */
  static async open(root: string, options: FolderOptions): Promise<Folder | Fault> {
    const workspace = await Workspace.open(root, { dataFolder: options.dataFolder });
    return isFault(workspace) ? workspace : new Folder(workspace, options);
  }

  #find(id: string): Session | Fault {
    if (this.session?.header.id === id) return this.session;
    const found = this.sessions.find(id, this.workspace.root.path);
    return isFault(found) ? found : this.sessions.open(found.info.path);
  }

  /** `endsProcess`: the process ends now and takes the connections with it. */
  close({ endsProcess }: { readonly endsProcess: boolean }): void {
    // Closing the ledger copies the write-ahead log into it, which takes longer than all else a small command does; SQLite
    // does that once the log has grown.
    if (endsProcess) this.workspace.leave();
    else this.workspace.close();
  }
}

export type FolderOperations = ReturnType<typeof operationsOf>;

function operationsOf(workspace: Workspace, decisions: Decisions) {
  const parts = { ...unserved, workspace, decisions, rollBack: workspace.rollback.bind(workspace) };
  const withDocuments = async () => {
    const { LiveDocuments } = await import("./documents/live-documents.ts");
    return { ...parts, documents: new LiveDocuments(workspace) };
  };
  const deciding = async () => (await import("./operations/decisions.ts")).decisionOperations(parts);
  const review = async () => (await import("./operations/review.ts")).reviewOperations(parts);
  const checkpoints = async () => (await import("./operations/checkpoints.ts")).checkpointOperations(parts);
  const documents = async () =>
    (await import("./operations/documents.ts")).documentOperations(await withDocuments());
  const tabs = async () => (await import("./operations/tabs.ts")).tabOperations(await withDocuments());
  return {
    listReview: async (received) => (await review()).listReview(received),
    decide: async (received) => (await deciding()).decide(received),
    undoDecision: async (received) => (await deciding()).undoDecision(received),
    saveDecided: async (received) => (await deciding()).saveDecided(received),
    listCheckpoints: async (received) => (await checkpoints()).listCheckpoints(received),
    getCheckpoint: async (received) => (await checkpoints()).getCheckpoint(received),
    rollback: async (received) => (await checkpoints()).rollback(received),
    getDocument: async (received) => (await documents()).getDocument(received),
    diskState: async (received) => (await documents()).diskState(received),
    resolveDisk: async (received) => (await documents()).resolveDisk(received),
    listTabs: async () => (await tabs()).listTabs(),
    openTab: async (received) => (await tabs()).openTab(received),
    activateTab: async (received) => (await tabs()).activateTab(received),
    closeTab: async (received) => (await tabs()).closeTab(received),
  } satisfies Partial<Operations>;
}
