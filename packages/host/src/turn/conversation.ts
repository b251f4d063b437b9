// The session as a turn's conversation: its entries, and the messages for the model beside the person's words.

import type { Delivery } from "@stet/agent/background/deliveries";
import type { Conversation } from "@stet/agent/turn-loop";
import { isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import type { Message, ToolCall } from "@stet/protocol/message";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import type { Workspace } from "@stet/workspace/workspace";

export function conversationOf(session: Session): Conversation {
  const safe = (written: unknown) => {
    if (isFault(written)) throw new Error(`${written.message} ${written.suggestion}`);
  };
  const remark = (content: string) =>
    safe(
      session.append({
        type: "custom_message",
        customType: "remark",
        content,
        display: false,
        attribution: "agent",
      }),
    );
  return {
    messages: () => buildContext(session).messages,
    append: (message) => safe(session.appendMessage(withoutEvents(message))),
    remark,
    deliver: (delivery) => safe(session.append(deliveryEntry(delivery))),
    async compact(shortened, tokensBefore) {
      const { compactionEntry } = await import("./compaction-entry.ts");
      safe(session.append(compactionEntry(session, shortened, tokensBefore)));
    },
    rewind({ callId, report }) {
      const entry = answerEntry(session, callId);
      if (entry === undefined) return;
      safe(session.branch(entry));
      remark(report);
    },
  };
}

/** What nobody typed, as the session has it: with why it is there. */
export function deliveryEntry({ source, text }: Pick<Delivery, "source" | "text">) {
  return {
    type: "custom_message",
    customType: "delivery",
    content: text,
    display: true,
    details: source,
    attribution: "agent",
  } as const;
}

/** The entry with the last answer to the message that made this call: a message's calls are all answered. */
function answerEntry(session: Session, callId: string): string | undefined {
  let found: string | undefined;
  for (const entry of session.path()) {
    const isAnswer = !isFault(entry) && entry.type === "message" && entry.message.role === "toolResult";
    if (found !== undefined && !isAnswer) break;
    if (!isAnswer) continue;
    const { message } = entry;
    if (found !== undefined || (message.role === "toolResult" && message.toolCallId === callId))
      found = entry.id;
  }
  return found;
}

/** Events in a tool's details were for those who watched; some hold a whole document. */
function withoutEvents(message: Message): Message {
  if (message.role !== "toolResult" || !isRecord(message.details) || !("events" in message.details))
    return message;
  const { events, ...details } = message.details;
  return { ...message, details };
}

const rejectedEntry = "rejections_told";

/** Notes for the model beside the person's message: that its last turn was dropped, and what they rejected since. */
export function notesFor(workspace: Workspace, session: Session): string[] {
  const kept = session.log.index.slots.filter((slot) => slot.head.type === "custom");
  const last = session.log
    .read(kept)
    .findLast((entry) => !isFault(entry) && entry.type === "custom" && entry.customType === rejectedEntry);
  const since =
    last !== undefined && !isFault(last) && last.type === "custom"
      ? Number(last.data ?? 0)
      : workspace.ledger.newestEntry();
  const isDiscarded = hasDiscarded(session);
  const { rejected: all, newest } = workspace.review.rejectedSince(since);
  // Other conversations are nobody else's business.
  const rejected = all.filter(({ turns }) => {
    return turns.some((turn) => workspace.review.turn(turn)?.session === session.header.id);
  });
  tellIfFault(session.append({ type: "custom", customType: rejectedEntry, data: newest }));
  const notes = isDiscarded ? [nothingKept] : [];
  if (rejected.length === 0) return notes;
  const list = rejected.map(
    ({ path, added, removed }) =>
      `${path}: not "${(added[0] ?? "").slice(0, 80)}", keep "${(removed[0] ?? "").slice(0, 80)}"`,
  );
  const told = list.slice(0, 10).join("; ");
  return [...notes, `[The person rejected ${rejected.length} of your changes: ${told}]`];
}

const nothingKept = "[Nothing of your last turn was kept: it was stopped by a limit before it was done.]";

/** Whether the turn before was stopped, and what it had done until then was dropped. */
function hasDiscarded(session: Session): boolean {
  const slots = session.pathSlots();
  const at = slots.findLastIndex(({ head }) => head.type === "stop");
  const stop = slots[at];
  if (stop === undefined || slots.slice(at).some(({ head }) => head.type === "message")) return false;
  const [entry] = session.log.read([stop]);
  return entry !== undefined && !isFault(entry) && entry.type === "stop" && entry.isDiscarded === true;
}

function notCarriedOut(answer: string | undefined): Record<string, string> {
  const message = "Not carried out: Stet was restarted.";
  if (answer === undefined) return { error: "skipped", message };
  const asked = `${message} The person was asked for permission, and answered: ${answer}`;
  return { error: "skipped", message: asked, suggestion: "Make the call again if it is still wanted." };
}

/** The person's answer to a call that was open when the turn was suspended; calls beside it were never carried out. */
export async function answerOpenCalls(
  conversation: Conversation,
  callId: string,
  answer: string,
): Promise<void> {
  const messages = conversation.messages();
  const answered = new Set(
    messages.flatMap((message) => (message.role === "toolResult" ? message.toolCallId : [])),
  );
  const last = messages.findLast((message) => message.role === "assistant");
  const open = (last?.content ?? []).filter((part): part is ToolCall => {
    return part.type === "toolCall" && !answered.has(part.id);
  });
  for (const call of open) {
    // Another tool than one that asks had asked whether it may do something.
    const isAnswered = call.id === callId && call.traits?.includes("asks") === true;
    const content = isAnswered ? { answer } : notCarriedOut(call.id === callId ? answer : undefined);
    await conversation.append({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: JSON.stringify(content) }],
      isError: !isAnswered,
      timestamp: Date.now(),
    });
  }
}
