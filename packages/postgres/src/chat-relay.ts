// A chat whose turn is carried out by another process: its events go through a log of their own, and every server relays
// them to its readers.
//
// Deltas are relayed as they come, and may get lost for a server that is behind; everything else is stored. A chat ends when
// its job has, but not before the end of the turn arrived, or a timeout.

import { chatEventsOf, isChat } from "@stet/host/events/chat-feed";
import { messageEnd } from "@stet/host/events/event-log";
import type { HeldLog, Logs } from "@stet/host/events/logs";
import type { JobRecord } from "@stet/host/store/store";
import type { TurnEvent } from "@stet/host/turn/agent-turn";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import { newEvent } from "@stet/protocol/events/new-event";
import { logFailure } from "@stet/storage/operator-log";

/** Where a chat's events go to. */
export interface Chats {
  take(job: JobRecord, event: ChatEvent): void;
  follow(job: JobRecord): void;
}

/** The log that a turn of this process writes its events to. */
interface Sending {
  readonly translate: ReturnType<typeof chatEventsOf>;
  readonly log: Promise<HeldLog>;
}

interface Followed {
  readonly held: HeldLog;
  readonly stop: () => void;
  hasTurnEnded: boolean;
  /** The job, once it has ended. */
  ended: JobRecord | undefined;
}

const longestWait = 3000;

export class ChatRelay {
  readonly #logs: Logs;
  readonly #chats: Chats;
  readonly #followed = new Map<string, Promise<Followed>>();
  readonly #sending = new Map<string, Sending>();

  constructor(logs: Logs, chats: Chats) {
    this.#logs = logs;
    this.#chats = chats;
  }

  /** Publishes the events of a turn of this process. */
  send(job: JobRecord, event: TurnEvent): void {
    if (!isChat(job) || event.type === "review") return;
    const sending = this.#sending.get(job.id) ?? this.#begin(job.id);
    const events = sending.translate(event);
    const isMessageEnd = event.type === "model" && event.event.type === "done";
    const isLast = event.type === "turn_end";
    if (isLast) this.#sending.delete(job.id);
    if (events.length === 0 && !isMessageEnd) return;
    sending.log
      .then(async ({ log, release }) => {
        for (const one of events) {
          if (one.type === "agent.thought") await log.delta(newEvent("chat.event", { event: one }));
          else await log.append("chat.event", { event: one });
        }
        // Its deltas were published; a server that missed them gets the end of the job.
        if (isMessageEnd) await log.append(messageEnd, { text: "" });
        if (isLast) release();
      })
      // A server that misses it still gets the end of the job.
      .catch(logFailure("chat.send", { job: job.id }));
  }

  #begin(job: string): Sending {
    const sending = { translate: chatEventsOf(), log: this.#logs.hold(chatLog(job)) };
    this.#sending.set(job, sending);
    return sending;
  }

  /** Follows a job of another process, from when it is known until it ends. */
  async follow(job: JobRecord): Promise<void> {
    if (!isChat(job)) return;
    const isOver = ["awaiting_review", "completed", "failed"].includes(job.status);
    const known = this.#followed.get(job.id);
    if (known === undefined && isOver) return this.#chats.follow(job);
    // Before anything is awaited: whoever has started the job may ask for its chat at once.
    if (!isOver) this.#chats.follow(job);
    const following = known ?? this.#open(job);
    this.#followed.set(job.id, following);
    const followed = await following;
    if (!isOver) return;
    followed.ended = job;
    if (followed.hasTurnEnded) this.#end(job.id, followed);
    else setTimeout(() => this.#end(job.id, followed), longestWait).unref();
  }

  /** When what a job says is listened to here; at once where nobody does. */
  async isFollowed(job: JobRecord): Promise<void> {
    await this.#followed.get(job.id)?.catch(() => undefined);
  }

  async #open(job: JobRecord): Promise<Followed> {
    const held = await this.#logs.hold(chatLog(job.id));
    const stop = await held.log.follow(0, (events) => {
      for (const { type, data } of events) if (type === "chat.event") this.#hear(job, data.event);
    });
    return { held, stop, hasTurnEnded: false, ended: undefined };
  }

  #hear(job: JobRecord, event: ChatEvent): void {
    this.#chats.take(job, event);
    if (event.type !== "chat.final") return;
    void this.#followed.get(job.id)?.then((followed) => {
      followed.hasTurnEnded = true;
      if (followed.ended !== undefined) this.#end(job.id, followed);
    });
  }

  #end(id: string, { held, stop, ended }: Followed): void {
    if (!this.#followed.delete(id)) return;
    stop();
    held.release();
    if (ended !== undefined) this.#chats.follow(ended);
  }
}

export function chatLog(job: string): string {
  return `chat:${job}`;
}
