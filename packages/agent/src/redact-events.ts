// Redaction of a turn's output: of its messages before they are recorded, and of its events before a subscriber gets them.
//
// What a tool is called with is never changed: these are copies for the session, for front ends and for logs.

import type { AssistantContent, Message } from "@stet/protocol/message";
import type { ModelEvent } from "@stet/protocol/model-stream";
import { RedactedStream } from "@stet/protocol/redact-stream";
import type { AgentEvent } from "./agent-event.ts";
import type { RedactValue } from "./call-tool.ts";

export function redactedMessage<Kind extends Message>(message: Kind, redact: RedactValue): Kind {
  if (message.role === "toolResult") return message;
  if (message.role === "user") {
    const { content } = message;
    if (typeof content === "string") return { ...message, content: redact(content) };
    return {
      ...message,
      content: content.map((part) => (part.type === "text" ? { ...part, text: redact(part.text) } : part)),
    };
  }
  const { errorMessage } = message;
  return {
    ...message,
    content: message.content.map((part) => redactedPart(part, redact)),
    ...(errorMessage === undefined ? {} : { errorMessage: redact(errorMessage) }),
  };
}

function redactedPart(part: AssistantContent, redact: RedactValue): AssistantContent {
  switch (part.type) {
    case "text":
      return { ...part, text: redact(part.text) };
    case "thinking": {
      const thinking = redact(part.thinking);
      // A provider's signature is of the very words.
      return thinking === part.thinking ? part : { type: "thinking", thinking };
    }
    default:
      return { ...part, arguments: redact(part.arguments) };
  }
}

/** The events of a turn without secrets, one after another. */
export class RedactedEvents {
  readonly #redact: RedactValue;
  /** Of the blocks that are being written, by their index in the message. */
  readonly #streams = new Map<number, RedactedStream>();

  constructor(redact: RedactValue) {
    this.#redact = redact;
  }

  /** Usually one; none where it is held back, and two where what was held back comes with it. */
  of(event: AgentEvent): readonly AgentEvent[] {
    const redact = this.#redact;
    switch (event.type) {
      case "model":
        return this.#ofModel(event.event).map((each) => ({ ...event, event: each }));
      case "tool_start":
        return [{ ...event, arguments: redact(event.arguments) }];
      case "message":
        return [{ ...event, message: redactedMessage(event.message, redact) }];
      case "heard":
        return [{ ...event, said: { ...event.said, text: redact(event.said.text) } }];
      case "auto_retry_start":
      case "auto_retry_end":
      case "turn_end":
        return [redact(event)];
      default:
        return [event];
    }
  }

  #ofModel(event: ModelEvent): readonly ModelEvent[] {
    const redact = this.#redact;
    switch (event.type) {
      case "start":
        this.#streams.clear();
        return [event];
      case "text_start":
      case "thinking_start":
      case "toolcall_start":
        this.#streams.set(event.index, new RedactedStream(redact));
        return [event];
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta": {
        const delta = this.#streams.get(event.index)?.add(event.delta) ?? redact(event.delta);
        return delta === "" ? [] : [{ ...event, delta }];
      }
      case "text_end":
        return [...this.#rest("text_delta", event.index), { ...event, text: redact(event.text) }];
      case "thinking_end":
        return [...this.#rest("thinking_delta", event.index), { ...event, thinking: redact(event.thinking) }];
      case "toolcall_end": {
        const toolCall = { ...event.toolCall, arguments: redact(event.toolCall.arguments) };
        return [...this.#rest("toolcall_delta", event.index), { ...event, toolCall }];
      }
      case "done":
        return [{ ...event, message: redactedMessage(event.message, redact) }];
      default:
        return [
          { ...event, message: redactedMessage(event.message, redact), failure: redact(event.failure) },
        ];
    }
  }

  #rest(type: "text_delta" | "thinking_delta" | "toolcall_delta", index: number): readonly ModelEvent[] {
    const delta = this.#streams.get(index)?.end() ?? "";
    this.#streams.delete(index);
    return delta === "" ? [] : [{ type, index, delta }];
  }
}
