// What becomes part of a turn's conversation: the model's messages and results, what the person says meanwhile, and what
// happens beside the turn. A message is in the conversation before an event of it is emitted.

import { isInvalidCall } from "@stet/model/adapter/invalid-call";
import type { AssistantMessage, Message } from "@stet/protocol/message";
import type { AgentEvent } from "./agent-event.ts";
import type { Delivery } from "./background/deliveries.ts";
import type { RedactValue } from "./call-tool.ts";
import { describedCalls } from "./described-call.ts";
import type { Inbox, InboxMessage } from "./inbox.ts";
import type { LastEvent } from "./model-requests.ts";
import { redactedMessage } from "./redact-events.ts";
import type { Tool } from "./tool.ts";
import type { Conversation } from "./turn-loop.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

export interface TurnMessagesOptions {
  readonly conversation: Conversation;
  readonly tools: readonly Tool[];
  readonly inbox: Inbox | undefined;
  readonly redact: RedactValue | undefined;
  readonly emit: (event: AgentEvent) => Promise<void>;
}

export class TurnMessages {
  readonly #options: TurnMessagesOptions;
  readonly #redact: RedactValue;

  constructor(options: TurnMessagesOptions) {
    this.#options = options;
    this.#redact = options.redact ?? ((value) => value);
  }

  async record(message: Message): Promise<void> {
    await yieldToEventLoop();
    const { conversation, tools, emit } = this.#options;
    const clean = redactedMessage(message, this.#redact);
    const recorded = clean.role === "assistant" ? describedCalls(clean, tools) : clean;
    await conversation.append(recorded);
    await emit({ type: "message", message: recorded });
  }

  /** Every answer is recorded, also an empty or a failed one: with it, the session has the message that it answers. */
  async keep(last: LastEvent): Promise<void> {
    if (last.type === "done") return this.record(last.message);
    if (isInvalidCall(last.failure)) {
      // What could be read of it is a message like any other.
      if (last.message.content.length > 0) await this.record({ ...last.message, stopReason: "toolUse" });
      return;
    }
    if (last.failure.kind !== "context_overflow") await this.record(withoutCalls(last.message));
  }

  /** A message for the model that is not the person's own words. */
  async remark(text: string): Promise<void> {
    const { conversation, emit } = this.#options;
    const message: Message = { role: "user", content: text, timestamp: Date.now() };
    if (conversation.remark === undefined) await conversation.append(message);
    else await conversation.remark(text);
    await emit({ type: "message", message });
  }

  /** Takes what was said meanwhile; a follow-up, and what happened in the background, only when the model is done. */
  async take(isDone: boolean): Promise<boolean> {
    const { inbox } = this.#options;
    if (inbox === undefined) return false;
    const said = inbox.takeSteering();
    const followUp = isDone && said.length === 0 ? inbox.takeFollowUp() : undefined;
    if (followUp !== undefined) said.push(followUp);
    await this.hear(said);
    const delivered = inbox.takeDeliveries(isDone && said.length === 0);
    for (const delivery of delivered) await this.#deliver(delivery);
    return said.length + delivered.length > 0;
  }

  async hear(said: readonly InboxMessage[]): Promise<void> {
    for (const one of said) {
      await this.record({ role: "user", content: one.text, timestamp: Date.now() });
      this.#options.inbox?.markHeard(one.id);
      await this.#options.emit({ type: "heard", said: one });
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { conversation, emit } = this.#options;
    const clean = this.#redact(delivery);
    const message: Message = { role: "user", content: clean.text, timestamp: Date.now() };
    if (conversation.deliver === undefined) await conversation.append(message);
    else await conversation.deliver(clean);
    await emit({ type: "message", message });
    await emit({ type: "delivered", delivery: clean });
  }
}

/** A message that broke off keeps its text; calls that were never carried out would wait for an answer for ever. */
export function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((part) => part.type !== "toolCall") };
}
