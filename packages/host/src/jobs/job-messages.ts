// Messages of the person to a running job. Each is stored with the job until the model gets it, so nothing that was accepted
// is ever lost: it is delivered, withdrawn, or reported as undelivered when the job ends, after a restart, too.
//
// Accepting, taking back and ending happen in the order of the job's log. A message is accepted before the job is ending,
// and then its end tells of it, or it is refused.

import { Inbox, type InboxMessage } from "@stet/agent/inbox";
import type { JobStatus } from "@stet/protocol/api/job";
import type { EventData, EventType } from "@stet/protocol/events/log-event";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { EventLog } from "../events/event-log.ts";
import { unknownJob } from "../store/sqlite-store.ts";
import type { JobRecord, Store } from "../store/store.ts";

/** Messages of one job that wait at the same time. */
export const maxWaiting = 100;
/** Limit in characters: they are stored, and reported, with the job. */
const maxWaitingCharacters = 2_000_000;

export class JobMessages {
  readonly #store: Store;
  /** Of turns that are under way. */
  readonly #inboxes = new Map<string, Inbox>();
  readonly #ending = new Set<string>();
  readonly #unreachable: (job: string) => Fault | undefined;

  constructor(store: Store, unreachable: (job: string) => Fault | undefined) {
    this.#store = store;
    this.#unreachable = unreachable;
  }

  async send(
    log: EventLog,
    id: string,
    { text, mode }: Pick<InboxMessage, "text" | "mode">,
  ): Promise<InboxMessage | Fault> {
    const unreachable = this.#unreachable(id);
    if (unreachable !== undefined) return unreachable;
    const message: InboxMessage = { id: `msg_${uniqueSuffix()}`, text, mode };
    const fault = await this.#inOrder(log, "message.queued", toldOf(message), async () => {
      const job = await this.#store.job(id);
      if (job === undefined) return unknownJob(id);
      if (isOver(job.status) || this.#ending.has(id)) return noLongerListens(job);
      const { messages = [] } = job;
      const length = messages.reduce((sum, waiting) => sum + waiting.text.length, text.length);
      if (messages.length >= maxWaiting || length > maxWaitingCharacters)
        return tooMany(job, messages.length);
      const kept = await this.#store.updateJob(id, { messages: [...messages, message] });
      if (isFault(kept)) return kept;
      this.#inboxes.get(id)?.add(message);
      return undefined;
    });
    return fault ?? message;
  }

  async withdraw(log: EventLog, id: string, messageId: string): Promise<InboxMessage | Fault> {
    let withdrawn: InboxMessage | undefined;
    const fault = await this.#inOrder(log, "message.withdrawn", { message_id: messageId }, async () => {
      const job = await this.#store.job(id);
      if (job === undefined) return unknownJob(id);
      const { messages = [] } = job;
      withdrawn = messages.find((message) => message.id === messageId);
      const inbox = this.#inboxes.get(id);
      const waits = inbox === undefined || inbox.withdraw(messageId);
      if (withdrawn === undefined || !waits || this.#ending.has(id)) return unknownMessage(id, messageId);
      const left = await this.#store.updateJob(id, { messages: without(messages, messageId) });
      return isFault(left) ? left : undefined;
    });
    return fault ?? withdrawn ?? unknownJob(id);
  }

  /** For a turn that begins or goes on: with what was said before. */
  async open(id: string): Promise<Inbox> {
    const inbox = new Inbox();
    // First, so that what is accepted from now on gets there; what is there twice then is left out.
    this.#inboxes.set(id, inbox);
    const job = await this.#store.job(id);
    for (const message of job?.messages ?? []) if (!inbox.has(message.id)) inbox.add(message);
    return inbox;
  }

  async tellDelivered(log: EventLog, id: string, message: InboxMessage): Promise<void> {
    await log.append("message.delivered", toldOf(message), () => this.#drop(id, message.id));
  }

  /** Tells of what was never heard. From now on nothing is accepted. */
  async end(log: EventLog, id: string): Promise<void> {
    this.#ending.add(id);
    // Whoever was being accepted is.
    await log.settled();
    const job = await this.#store.job(id);
    const inbox = this.#inboxes.get(id);
    for (const message of job?.messages ?? []) {
      if (inbox?.isHeard(message.id)) await this.tellDelivered(log, id, message);
      else await log.append("message.unheard", toldOf(message), () => this.#drop(id, message.id));
    }
  }

  /** The job is over, as its record says. */
  forget(id: string): void {
    this.#inboxes.delete(id);
    this.#ending.delete(id);
  }

  async #drop(id: string, messageId: string): Promise<void> {
    const job = await this.#store.job(id);
    const left = await this.#store.updateJob(id, { messages: without(job?.messages ?? [], messageId) });
    if (isFault(left)) throw new Error(`${left.message} ${left.suggestion}`);
  }

  /** Appends the event if the action allows it, in the order of the log. */
  async #inOrder<Type extends EventType>(
    log: EventLog,
    type: Type,
    data: EventData<Type>,
    action: () => Promise<Fault | undefined>,
  ): Promise<Fault | undefined> {
    let refusal: Fault | undefined;
    try {
      await log.append(type, data, async () => {
        refusal = await action();
        if (refusal !== undefined) throw new Error(refusal.message);
      });
      return undefined;
    } catch (error) {
      if (refusal === undefined) throw error;
      return refusal;
    }
  }
}

function toldOf({ id, text, mode }: InboxMessage): EventData<"message.queued"> {
  return { message_id: id, text, mode };
}

function without(messages: readonly InboxMessage[], id: string): InboxMessage[] {
  return messages.filter((message) => message.id !== id);
}

export function isOver(status: JobStatus): boolean {
  return status === "awaiting_review" || status === "completed" || status === "failed";
}

function noLongerListens({ id, status }: JobRecord): Fault {
  return new Fault(
    "job_not_ready",
    `The job ${id} hears nothing any more: it is ${isOver(status) ? status : "ending"}.`,
    "Start a new job in its session with what you want to say.",
    { job_id: id, status },
  );
}

function tooMany({ id, status }: JobRecord, waiting: number): Fault {
  return new Fault(
    "job_not_ready",
    `${waiting} messages wait for the job ${id} already, and there is no room for this one.`,
    "Wait until it has heard some of them, or take some back.",
    { job_id: id, status, limit: maxWaiting },
  );
}

function unknownMessage(id: string, messageId: string): Fault {
  return new Fault(
    "unknown_message",
    `No message ${messageId} waits for the job ${id}: it was heard already, taken back, or the job is over.`,
    "Look at the job for the messages that wait.",
    { job_id: id, message_id: messageId },
  );
}
