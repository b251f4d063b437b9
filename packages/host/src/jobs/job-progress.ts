// How a job gets from one status to the next: the record is changed right before the event that tells of it, so whoever
// sees the one sees the other.

import type { JobError } from "@stet/protocol/api/job";
import type { EventData } from "@stet/protocol/events/log-event";
import { type Fault, type FaultDetails, isFault } from "@stet/protocol/fault";
import { modelFields } from "@stet/protocol/model-stream";
import type { EventLog } from "../events/event-log.ts";
import type { JobPatch, JobRecord, ProposedFile, Store } from "../store/store.ts";
import { isOver, JobMessages } from "./job-messages.ts";
import type { ProposedEdits } from "./proposed-edits.ts";

/** What the ledger knows of turns. */
export interface Turns {
  isCommitted(turn: string): boolean;
  /** What is stored of a committed turn's changes. */
  proposal(turn: string, edits: ProposedEdits): ProposedFile[];
}

export class JobProgress {
  readonly #store: Store;
  readonly #turns: Turns;
  /** Called at every change of a job's status. */
  readonly announce: (job: JobRecord) => void;
  /** What the person says to jobs; a job that ends tells of what it has not heard. */
  readonly messages: JobMessages;

  constructor(
    store: Store,
    turns: Turns,
    announce: (job: JobRecord) => void,
    unreachable: (job: string) => Fault | undefined = () => undefined,
  ) {
    this.#store = store;
    this.#turns = turns;
    this.announce = announce;
    this.messages = new JobMessages(store, unreachable);
  }

  isCommitted(turn: string): boolean {
    return this.#turns.isCommitted(turn);
  }

  async change(id: string, patch: JobPatch): Promise<JobRecord> {
    // The model has got it, so it is in the conversation; here it would only take room.
    const isLast = patch.status !== undefined && isOver(patch.status);
    const job = await this.#store.updateJob(id, isLast ? { ...patch, context: "" } : patch);
    if (isFault(job)) throw new Error(`${job.message} ${job.suggestion}`);
    if (isLast) this.messages.forget(id);
    if (patch.status !== undefined) this.announce(job);
    return job;
  }

  /** The turn is in the ledger: its changes are for the person to decide on. */
  async propose(id: string, log: EventLog, turn: string, edits: ProposedEdits): Promise<void> {
    await this.messages.end(log, id);
    const proposal = this.#turns.proposal(turn, edits);
    const ids = edits.edits.map((edit) => edit.edit_id);
    await log.append("edits.proposed", { count: ids.length, edit_ids: ids });
    await log.append("checkpoint.created", { checkpoint_id: `ckpt_${turn.slice("turn_".length)}` });
    const documents = proposal.map(({ document }) => document);
    const hunks = proposal.reduce((sum, file) => sum + Object.keys(file.edits).length, 0);
    await log.append("diff.generated", { turn, documents, hunks }, () =>
      this.change(id, { status: "awaiting_review", turn, proposal, edits: edits.edits }),
    );
  }

  /** Ends a job that changed nothing. */
  async finish(id: string, log: EventLog, outcome: "completed" | "stopped"): Promise<void> {
    await this.messages.end(log, id);
    const patch = { status: "completed", finishedAt: Date.now(), turn: null } as const;
    await log.append("job.completed", { outcome }, () => this.change(id, patch));
  }

  /** Ends a job on whose changes everything is decided. The event is the last of its review. */
  async complete<Type extends "job.completed" | "apply.completed">(
    id: string,
    log: EventLog,
    type: Type,
    data: EventData<Type>,
  ): Promise<void> {
    const patch = { status: "completed", finishedAt: Date.now() } as const;
    await log.append(type, data, () => this.change(id, patch));
  }

  /** Where the fault names a turn, something of the job stays for review. */
  async fail(id: string, log: EventLog, { error, message, suggestion, details }: Fault): Promise<void> {
    await this.messages.end(log, id);
    const told = { error, message, suggestion, ...mendIn(details) };
    const left = typeof details.turn === "string" ? { turn: details.turn } : {};
    await log.append("job.failed", { ...told, ...left }, () =>
      this.change(id, {
        status: "failed",
        finishedAt: Date.now(),
        question: null,
        suspended: null,
        suspendedEdits: [],
        turn: null,
        error: told,
      }),
    );
  }
}

/** What of a model's connection to mend: it leads a person there. */
function mendIn({ provider, model, field }: FaultDetails): Pick<JobError, "details"> {
  const known = modelFields.find((name) => name === field);
  if (typeof provider !== "string" || known === undefined) return {};
  return { details: { provider, field: known, ...(typeof model === "string" ? { model } : {}) } };
}
