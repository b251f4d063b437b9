// What an agent answers when another one asks it beside its work: from its conversation so far, without calling anything.

import { filledPrompt } from "@stet/agent/prompt-file";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Speaker } from "../turn/agent-turn.ts";

export async function replyOf(
  { model, system, conversation, tools }: Speaker,
  from: string,
  message: string,
  signal: AbortSignal,
): Promise<string | Fault> {
  const content = filledPrompt("irc-incoming.md", { from, message });
  const asked: Message = { role: "user", content, timestamp: Date.now() };
  const messages = [...answered(conversation.messages()), asked];
  const request = { system, messages, tools: tools(), toolChoice: "none" as const };
  for await (const event of model.stream(request, signal)) {
    if (event.type === "error") return notAnswered(event.failure.message);
    if (event.type !== "done") continue;
    const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return text.trim() === "" ? notAnswered("its answer was empty") : text.trim();
  }
  return notAnswered("its answer broke off");
}

/** Without calls at the end that wait for their results: a provider would refuse them. */
function answered(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const last = messages[at];
  if (last?.role !== "assistant") return messages;
  const results = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === "toolResult" ? message.toolCallId : [])),
  );
  const isOpen = last.content.some((part) => part.type === "toolCall" && !results.has(part.id));
  return isOpen ? messages.slice(0, at) : messages;
}

function notAnswered(why: string): Fault {
  return new Fault(
    "subagent_failed",
    `It could not answer: ${why}`,
    "Go on without its answer, or ask again.",
  );
}
