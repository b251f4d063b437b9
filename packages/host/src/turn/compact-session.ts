// A compaction that a person asks for, outside of any turn.

import { type Compacted, Compaction } from "@stet/agent/compaction";
import { estimateTokens } from "@stet/agent/context-size";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Model, ToolDescription } from "@stet/protocol/model-stream";
import type { Session } from "@stet/session/session-tree";
import { conversationOf } from "./conversation.ts";

/** The newest quarter stays as it is. */
const keptShare = 0.25;

/** `instructions`: what the summary is to keep above all. */
export async function compactSession(
  session: Session,
  model: Model,
  { signal, instructions }: { readonly signal: AbortSignal; readonly instructions?: string | undefined },
): Promise<Compacted | Fault> {
  const conversation = conversationOf(session);
  const messages = conversation.messages();
  const compaction = new Compaction({
    model,
    system: "",
    tools: () => toolsCalledIn(messages),
    keepTokens: Math.floor(estimateTokens(messages) * keptShare),
    sessionId: session.header.id,
    instructions,
  });
  const compacted = await compaction.compact(messages, signal);
  if (signal.aborted)
    return new Fault("aborted", "The summary was stopped.", "The conversation is as it was before.");
  // What is kept is counted from the end.
  if (conversation.messages().length !== messages.length)
    return new Fault(
      "session_busy",
      "Something was said in the session while it was summed up, so the summary was dropped.",
      "Compact it again when nothing else works in it.",
    );
  if (compacted?.shortened !== undefined) {
    await conversation.compact(compacted.shortened, compacted.before);
    return compacted;
  }
  if (compaction.failure !== undefined)
    return new Fault("model_failed", compaction.failure.message, "Nothing was changed. Try another model.", {
      ...compaction.failure.mend,
    });
  return new Fault(
    "no_change",
    `The session ${session.header.id.slice(0, 8)} has nothing that a summary could stand for.`,
    "Go on with it as it is.",
  );
}

/** Nothing can be called here, but providers want to know every tool that a conversation has calls of. */
export function toolsCalledIn(messages: readonly Message[]): ToolDescription[] {
  const names = new Set(
    messages.flatMap((message) => (message.role === "toolResult" ? [message.toolName] : [])),
  );
  const parameters = { type: "object", properties: {}, additionalProperties: true };
  return [...names].map((name) => ({ name, description: `${name}, as used above.`, parameters }));
}
