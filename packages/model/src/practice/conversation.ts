// What the practice model takes from a conversation: the last request of the person, and the calls made for it since.
//
// A question that was asked in an answer (no tool for asking was offered) is answered by the next message. That message
// is then no request of its own: the request is the one before, and the message is its answer. "Go on" is the request before
// it once more. What Stet adds to a message about changes that were rejected is no part of what the person wants.

import type { Message, ToolCall, ToolResultMessage, UserMessage } from "@stet/protocol/message";
import type { CallRecord } from "./steps.ts";

export interface Conversation {
  readonly request: string;
  readonly answer: string | undefined;
  readonly records: readonly CallRecord[];
}

/** `isRequest` says whether a text is understood by itself. */
export function conversationOf(
  messages: readonly Message[],
  isRequest: (text: string) => boolean,
): Conversation {
  const last = messages.findLastIndex((message) => message.role === "user");
  const request = requestText(messages[last]);
  const records = recordsOf(messages.slice(last + 1));
  const previous = messages.slice(0, Math.max(0, last));
  const isGoOn = /^(?:please\s+)?(?:go on|continue|carry on|keep going|proceed|tiếp tục)[.!]*$/iu.test(
    request.trim(),
  );
  if (isRequest(request) || !(isGoOn || endsInQuestion(previous.at(-1))))
    return { request, answer: undefined, records };
  const asked = previous.findLast((message) => message.role === "user" && isRequest(requestText(message)));
  return asked === undefined
    ? { request, answer: undefined, records }
    : { request: requestText(asked), answer: isGoOn ? undefined : request, records };
}

const rejections =
  /(?:\n\n\[Nothing of your last turn was kept: [^\]]*\])?(?:\n\n\[The person rejected \d+ of your changes: .*\])?$/s;

function requestText(message: Message | undefined): string {
  return message?.role === "user" ? textOf(message).replace(rejections, "") : "";
}

function textOf({ content }: UserMessage | ToolResultMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function endsInQuestion(message: Message | undefined): boolean {
  if (message?.role !== "assistant") return false;
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return text.trimEnd().endsWith("?");
}

function recordsOf(messages: readonly Message[]): CallRecord[] {
  const calls = new Map<string, ToolCall>();
  const records: CallRecord[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const part of message.content) if (part.type === "toolCall") calls.set(part.id, part);
    } else if (message.role === "toolResult") {
      const call = calls.get(message.toolCallId);
      if (call === undefined) continue;
      records.push({
        tool: call.name,
        arguments: call.arguments,
        text: textOf(message),
        isError: message.isError,
      });
    }
  }
  return records;
}
