// A call with what its tool says of it, for people and for later turns: its words and its traits. They are stored with the
// call, so that a conversation is readable also where its tools are no longer there.

import type { AssistantMessage, ToolCall } from "@stet/protocol/message";
import type { Tool } from "./tool.ts";

/** Secrets are taken out of the call before: words are cut, and half a secret would not be recognised. */
export function describedCall(call: ToolCall, tools: readonly Tool[]): ToolCall {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return call;
  const words = wordsOf(tool, call);
  return { ...call, ...(words === undefined ? {} : { words }), traits: tool.traits };
}

export function describedCalls(message: AssistantMessage, tools: readonly Tool[]): AssistantMessage {
  const content = message.content.map((part) =>
    part.type === "toolCall" ? describedCall(part, tools) : part,
  );
  return { ...message, content };
}

function wordsOf(tool: Tool, { arguments: given }: ToolCall): string | undefined {
  try {
    return tool.words?.(given);
  } catch {
    // The arguments may not fit at all; the call is then refused in words of its own.
    return undefined;
  }
}
