// How full the model's context is, and how old tool results are elided from it.
//
// Eliding is deterministic and changes nothing that is stored: the same messages give the same request, so a provider's
// cache stays valid as long as the cut does not move. It moves in large steps only.

import type { AssistantMessage, Message, ToolResultMessage } from "@stet/protocol/message";

const charactersPerToken = 4;

export function textTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Good enough to decide when to compact; the provider's own count replaces it as soon as there is one. */
export function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + lengthOf(message), 0) / charactersPerToken);
}

function lengthOf(message: Message): number {
  if (typeof message.content === "string") return message.content.length;
  let length = 0;
  for (const part of message.content) {
    if (part.type === "text") length += part.text.length;
    else if (part.type === "thinking") length += part.thinking.length;
    else if (part.type === "toolCall") length += part.name.length + JSON.stringify(part.arguments).length;
    else length += 4000;
  }
  return length;
}

/**
 * The tokens of the next request: what the provider counted last, and an estimate of what came since. What was counted
 * before `from`, or before the first message (a summary is newer than what it left standing), was of more than there is.
 */
export function contextTokens(messages: readonly Message[], overhead: number, from = 0): number {
  const since = Math.max(from, messages[0]?.timestamp ?? 0);
  const last = messages.findLastIndex(
    (message) => message.role === "assistant" && message.usage.input > 0 && message.timestamp >= since,
  );
  if (last < 0) return overhead + estimateTokens(messages);
  const { usage } = messages[last] as AssistantMessage;
  const counted = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  return counted + estimateTokens(messages.slice(last + 1));
}

const recentMessages = 8;
const shortResult = 400;

/** Replaces long tool results by a line, except in the newest messages. */
export function elideOldResults(messages: readonly Message[]): Message[] {
  const from = messages.length - recentMessages;
  return messages.map((message, index) => {
    return index < from && message.role === "toolResult" ? elide(message) : message;
  });
}

function elide(message: ToolResultMessage): Message {
  const length = lengthOf(message);
  if (length <= shortResult) return message;
  const text = `[The answer of ${message.toolName} (${length} characters) was left out to save space. Call it again if you need it.]`;
  return { ...message, content: [{ type: "text", text }] };
}
