// The events of a chat, for readers who come at any time: everything of its newest job from the beginning, then what comes.
//
// The buffer for late readers is bounded: deltas of one thought are merged, and of the paper's states only the newest has
// its text. The last event is held back until the job's changes can be seen.

import type { ChatEvent } from "@stet/protocol/events/chat-events";
import { chatEventsOf } from "@stet/tools/paper/paper-events";
import { policyOf } from "@stet/tools/toolset-policies";
import type { JobRecord } from "../store/store.ts";
import type { TurnEvent } from "../turn/agent-turn.ts";

export type ChatListener = (events: readonly ChatEvent[]) => void;

const maxCharacters = 8_000_000;
const maxChats = 200;

class Chat {
  readonly #translate = chatEventsOf();
  #kept: ChatEvent[] = [];
  #size = 0;
  #final: ChatEvent | undefined;
  #isOver = false;
  readonly listeners = new Set<ChatListener>();

  get events(): readonly ChatEvent[] {
    return this.#kept;
  }

  get hasEnded(): boolean {
    return this.#isOver;
  }

  hear(event: TurnEvent): void {
    if (event.type !== "review") for (const one of this.#translate(event)) this.take(one);
  }

  take(event: ChatEvent): void {
    if (event.type === "chat.final") this.#final = event;
    else this.#add(event);
  }

  /** The job is done; what it answered, or why it failed. */
  end(fallback: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#add(this.#final ?? { type: "chat.final", data: { text: fallback } });
  }

  #add(event: ChatEvent): void {
    this.#keep(event);
    for (const listener of this.listeners) listener([event]);
  }

  #keep(event: ChatEvent): void {
    const last = this.#kept.at(-1);
    if (event.type === "agent.thought" && last?.type === "agent.thought") {
      const thought = last.data.thought + event.data.thought;
      this.#kept[this.#kept.length - 1] = { type: "agent.thought", data: { thought } };
    } else {
      if (event.type === "paper.state") this.#dropTexts();
      this.#kept.push(event);
    }
    this.#size += sizeOf(event);
    while (this.#size > maxCharacters && this.#kept.length > 1) {
      const dropped = this.#kept.shift();
      this.#size -= dropped === undefined ? 0 : sizeOf(dropped);
    }
  }

  #dropTexts(): void {
    this.#kept = this.#kept.map((event) => {
      if (event.type !== "paper.state" || event.data.text === null) return event;
      this.#size -= event.data.text.length;
      return { ...event, data: { ...event.data, text: null } };
    });
  }
}

/** Whether its toolset is one that the chat API drives. */
export function isChat({ toolset }: Pick<JobRecord, "toolset">): boolean {
  return policyOf(toolset).isChat;
}

export class ChatFeed {
  /** By job; the oldest first. A session's next job may wait while the one before is at work. */
  readonly #chats = new Map<string, Chat>();

  hear(job: JobRecord, event: TurnEvent): void {
    if (isChat(job)) this.#chatOf(job).hear(event);
  }

  /** An event that another process has made of its turn. */
  take(job: JobRecord, event: ChatEvent): void {
    this.#chatOf(job).take(event);
  }

  /** Follows a job from before its first event on, so that a reader can wait for it. */
  follow(job: JobRecord): void {
    if (!isChat(job)) return;
    const chat = this.#chatOf(job);
    if (job.status === "failed") chat.end(job.error?.message ?? "The turn failed.");
    else if (job.status === "completed" || job.status === "awaiting_review") chat.end("The turn is done.");
  }

  #chatOf({ id }: JobRecord): Chat {
    const known = this.#chats.get(id);
    if (known !== undefined) return known;
    const chat = new Chat();
    this.#chats.set(id, chat);
    for (const [job, old] of this.#chats) {
      if (this.#chats.size <= maxChats) break;
      if (old.hasEnded && old.listeners.size === 0) this.#chats.delete(job);
    }
    return chat;
  }

  /** Undefined where the job is from before a restart. */
  chat(job: string): Chat | undefined {
    return this.#chats.get(job);
  }
}

export type { Chat };
export { chatEventsOf };

function sizeOf({ data }: ChatEvent): number {
  if ("thought" in data) return data.thought.length;
  return "text" in data && typeof data.text === "string"
    ? data.text.length + 100
    : JSON.stringify(data).length;
}
