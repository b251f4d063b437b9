// What the practice model takes from a conversation: the last message of the person, and the calls for it since. What
// Stet adds to a message about changes that were rejected is no part of what the person wants; what stands beside a result,
// such as the exit code of a command, is.

import type { Message, TextContent, ToolCall, ToolResultMessage, UserMessage } from "@stet/protocol/message";
import type { CallRecord } from "./steps.ts";

export interface PracticeConversation {
  readonly message: string;
  readonly records: readonly CallRecord[];
}

export function conversationOf(messages: readonly Message[]): PracticeConversation {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  const message = asked?.role === "user" ? textOf(asked, (part) => part.isNote !== true) : "";
  const calls = new Map<string, ToolCall>();
  const records: CallRecord[] = [];
  for (const reply of messages.slice(last + 1)) {
    if (reply.role === "assistant") {
      for (const part of reply.content) if (part.type === "toolCall") calls.set(part.id, part);
    } else if (reply.role === "toolResult") {
      const call = calls.get(reply.toolCallId);
      if (call === undefined) continue;
      const { name: tool, arguments: values } = call;
      records.push({ tool, arguments: values, text: textOf(reply), isError: reply.isError });
    }
  }
  return { message, records };
}

function textOf(
  { content }: UserMessage | ToolResultMessage,
  isWanted: (part: TextContent) => boolean = () => true,
): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && isWanted(part) ? [part.text] : [])).join("\n");
}
