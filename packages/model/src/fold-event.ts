// Builds the message that a stream has made so far, event by event: partial = foldEvent(partial, event).
//
// Values, never changed in place: a consumer may keep any of them. The arguments of a call that is still being written are
// parsed as far as they go. Parsing starts over each time, so a long text is only parsed again after it grew by a
// sixteenth: the cost of a whole stream stays in proportion to its length.

import { type AssistantContent, type AssistantMessage, noUsage } from "@stet/protocol/message";
import type { ModelEvent } from "@stet/protocol/model-stream";
import { type Arguments, parsePartialArguments } from "./tool-arguments.ts";

export interface PartialCall {
  readonly type: "partialCall";
  readonly id: string;
  readonly name: string;
  /** What the model has written of its JSON. */
  readonly argumentsText: string;
  /** What can already be read of it. */
  readonly arguments: Arguments;
  /** The length of the text at the last parse. */
  readonly parsedLength: number;
}

export interface PartialMessage {
  readonly provider: string;
  readonly model: string;
  readonly content: readonly (AssistantContent | PartialCall)[];
  /** The message as the model's adapter made it, once the stream has ended. */
  readonly ended?: AssistantMessage;
}

export const emptyPartial: PartialMessage = { provider: "", model: "", content: [] };

const alwaysParsedLength = 2048;

export function foldEvent(partial: PartialMessage, event: ModelEvent): PartialMessage {
  switch (event.type) {
    case "start":
      return { provider: event.provider, model: event.model, content: [] };
    case "text_start":
      return withBlock(partial, event.index, { type: "text", text: "" });
    case "thinking_start":
      return withBlock(partial, event.index, { type: "thinking", thinking: "" });
    case "toolcall_start": {
      const { id, name } = event;
      const call = {
        type: "partialCall" as const,
        id,
        name,
        argumentsText: "",
        arguments: {},
        parsedLength: 0,
      };
      return withBlock(partial, event.index, call);
    }
    case "text_delta": {
      const block = partial.content[event.index];
      if (block?.type !== "text") return partial;
      return withBlock(partial, event.index, { type: "text", text: block.text + event.delta });
    }
    case "thinking_delta": {
      const block = partial.content[event.index];
      if (block?.type !== "thinking") return partial;
      return withBlock(partial, event.index, { ...block, thinking: block.thinking + event.delta });
    }
    case "toolcall_delta": {
      const block = partial.content[event.index];
      return block?.type === "partialCall"
        ? withBlock(partial, event.index, grown(block, event.delta))
        : partial;
    }
    case "text_end":
      return withBlock(partial, event.index, { type: "text", text: event.text });
    case "thinking_end":
      return withBlock(partial, event.index, { type: "thinking", thinking: event.thinking });
    case "toolcall_end":
      return withBlock(partial, event.index, event.toolCall);
    case "done":
    case "error":
      return { ...partial, ended: event.message };
  }
}

/** The partial as a message: calls that are not finished are left out, since nothing may execute them. */
export function messageSoFar(partial: PartialMessage): AssistantMessage {
  if (partial.ended !== undefined) return partial.ended;
  return {
    role: "assistant",
    content: partial.content.filter((block) => block.type !== "partialCall"),
    provider: partial.provider,
    model: partial.model,
    usage: noUsage,
    stopReason: "aborted",
    timestamp: Date.now(),
  };
}

function withBlock(
  partial: PartialMessage,
  index: number,
  block: PartialMessage["content"][number],
): PartialMessage {
  const content = partial.content.slice();
  content[index] = block;
  return { ...partial, content };
}

function grown(call: PartialCall, delta: string): PartialCall {
  const argumentsText = call.argumentsText + delta;
  const { length } = argumentsText;
  if (length > alwaysParsedLength && length - call.parsedLength < call.parsedLength / 16) {
    return { ...call, argumentsText };
  }
  return {
    ...call,
    argumentsText,
    arguments: parsePartialArguments(argumentsText) ?? call.arguments,
    parsedLength: length,
  };
}
