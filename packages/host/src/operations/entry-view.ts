// An entry of a session as a person reads it. What Stet itself said to the model, in the person's place or beside their
// words, is not theirs and is left out.

import { textOfResult } from "@stet/agent/result-note";
import { deliverySource } from "@stet/protocol/api/background";
import type { SessionMessage } from "@stet/protocol/api/sessions";
import { briefValue } from "@stet/protocol/cut-text";
import type { AssistantMessage, Message } from "@stet/protocol/message";
import type { SessionEntry } from "@stet/session/entry";
import { contentText } from "@stet/session/entry-text";
import { callOutcome } from "../jobs/call-outcome.ts";

export const maxToolText = 2000;

/** Without what the tree knows of an entry. */
export type EntryView = ViewOf<SessionMessage>;
type ViewOf<Message> = Message extends SessionMessage ? Omit<Message, "siblings" | "label"> : never;

/** Undefined for invisible entries. */
export function entryView(entry: SessionEntry): EntryView | undefined {
  const base = { entry_id: entry.id, ts: timeOfEntry(entry) };
  switch (entry.type) {
    case "message":
      return entry.message.role === "custom" ? undefined : messageView(base, entry.message);
    case "custom_message": {
      const source = entry.customType === "delivery" ? deliverySource.safeParse(entry.details) : undefined;
      if (source?.success)
        return { ...base, kind: "delivery", text: contentText(entry.content), source: source.data };
      const kind = entry.attribution === "agent" ? "assistant" : "user";
      return entry.display ? { ...base, kind, text: contentText(entry.content) } : undefined;
    }
    case "turn":
      return { ...base, kind: "turn", text: entry.summary, turn: entry.turnId, files: [...entry.files] };
    case "stop":
      return { ...base, kind: "stop", text: entry.message, reason: entry.reason };
    case "decision": {
      const { verdict } = entry;
      const hunks = entry.hunks.length;
      const text = `${hunks} ${hunks === 1 ? "hunk" : "hunks"} ${verdict}`;
      return { ...base, kind: "decision", text, turn: entry.turnId, verdict, hunks };
    }
    case "compaction":
    case "branch_summary":
      return { ...base, kind: "summary", text: entry.summary };
    default:
      return undefined;
  }
}

type Base = Pick<EntryView, "entry_id" | "ts">;

function messageView(base: Base, message: Message): EntryView | undefined {
  if (message.role === "assistant") return replyView(base, message);
  if (message.role === "user") return { ...base, kind: "user", text: contentText(message.content) };
  const { toolCallId, toolName, isError, details } = message;
  const content = textOfResult(message);
  return {
    ...base,
    ...callOutcome({ details, content, isError }),
    kind: "tool",
    text: content.slice(0, maxToolText).toWellFormed(),
    tool_call_id: toolCallId,
    tool: toolName,
    is_error: isError,
  };
}

function replyView(base: Base, message: AssistantMessage): EntryView | undefined {
  const text = contentText(message.content);
  const thinking = message.content.map((part) => (part.type === "thinking" ? part.thinking : "")).join("");
  const calls = message.content.flatMap((part) => {
    if (part.type !== "toolCall") return [];
    const { id, name, words, traits } = part;
    return {
      tool_call_id: id,
      tool: name,
      arguments: briefValue(part.arguments),
      ...(words === undefined ? {} : { words }),
      ...(traits === undefined ? {} : { traits: [...traits] }),
    };
  });
  const { errorMessage: error } = message;
  if (text === "" && thinking === "" && calls.length === 0 && error === undefined) return undefined;
  return {
    ...base,
    kind: "assistant",
    text,
    model: `${message.provider}/${message.model}`,
    cost_usd: message.usage.cost.total,
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { calls }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Other writers may have written a time in another form, or none. */
export function timeOfEntry({ timestamp }: Pick<SessionEntry, "timestamp">): string {
  return new Date(Date.parse(timestamp) || 0).toISOString();
}
