// Jobs whose changes wait for a decision, followed in the ledger: decisions count wherever they are made, in the browser,
// in the terminal or through the API. When nothing of a job is open any more, it is completed.

import { logFailure } from "@stet/storage/operator-log";
import type { Entry } from "@stet/workspace/documents/document-state";
import type { Workspace } from "@stet/workspace/workspace";
import { jobLog, type Logs } from "../events/logs.ts";
import type { JobRecord, Store } from "../store/store.ts";
import { openHunkIds, verdictsOn } from "./diff-bundle.ts";
import type { JobProgress } from "./job-progress.ts";

interface Awaited {
  readonly turn: string;
  readonly documents: ReadonlySet<number>;
  open: number;
  isLookedAt: boolean;
}

export class ReviewWatch {
  readonly #workspace: Workspace;
  readonly #logs: Logs;
  readonly #progress: JobProgress;
  readonly #awaited = new Map<string, Awaited>();
  /** Jobs that are being applied: that operation logs how they end. */
  readonly #applied = new Set<string>();
  readonly #unlisten: () => void;
  #looking: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, logs: Logs, progress: JobProgress, tells: (isOwn: boolean) => boolean) {
    this.#workspace = workspace;
    this.#logs = logs;
    this.#progress = progress;
    this.#unlisten = workspace.ledger.listen((entry, isOwn) => {
      if (tells(isOwn)) this.#hear(entry);
    });
  }

  /** Takes up the jobs that wait since before a restart; what was decided meanwhile counts. */
  async recover(store: Store): Promise<void> {
    for (const job of await store.jobs({ status: "awaiting_review", limit: 10_000 })) {
      this.follow(job);
      this.#look(job.id);
    }
    await this.#looking;
  }

  follow({ id, status, turn, proposal }: JobRecord): void {
    if (status !== "awaiting_review" || turn === null) {
      this.#awaited.delete(id);
      return;
    }
    const documents = new Set(proposal.map(({ document }) => document));
    const open = openHunkIds(this.#workspace, turn).length;
    this.#awaited.set(id, { turn, documents, open, isLookedAt: false });
  }

  #hear({ document, body }: Entry): void {
    if (body.kind === "start" || body.kind === "saved") return;
    for (const [id, { documents }] of this.#awaited) if (documents.has(document)) this.#look(id);
  }

  /** After what goes on now, once for everything that happens until then. */
  #look(id: string): void {
    const job = this.#awaited.get(id);
    if (job === undefined || job.isLookedAt || this.#applied.has(id)) return;
    job.isLookedAt = true;
    this.#looking = this.#looking
      .then(() => this.#lookNow(id))
      .catch(logFailure("review.watch", { job: id }));
  }

  async #lookNow(id: string): Promise<void> {
    const job = this.#awaited.get(id);
    if (job === undefined || this.#applied.has(id)) return;
    job.isLookedAt = false;
    const open = openHunkIds(this.#workspace, job.turn).length;
    if (open === job.open && open > 0) return;
    job.open = open;
    await this.#logs.with(jobLog(id), async (log) => {
      await log.append("review.updated", { open_hunks: open });
      if (open > 0) return;
      const verdicts = [...verdictsOn(this.#workspace, job.turn).values()];
      const accepted = verdicts.filter(Boolean).length;
      const rejected = verdicts.length - accepted;
      await this.#progress.complete(id, log, "job.completed", { outcome: "decided", accepted, rejected });
    });
  }

  /** While a job is applied, its review is not followed. Undefined where it is being applied already. */
  async whileApplying<T>(id: string, action: () => Promise<T>): Promise<T | undefined> {
    if (this.#applied.has(id)) return undefined;
    this.#applied.add(id);
    try {
      return await action();
    } finally {
      this.#applied.delete(id);
      this.#look(id);
    }
  }

  async settled(): Promise<void> {
    await this.#looking;
  }

  stop(): void {
    this.#unlisten();
  }
}
