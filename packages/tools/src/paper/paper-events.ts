// A turn of toolset paper as the events of the chat API. Tools say theirs in `details.events`.

import type { AgentEvent } from "@stet/agent/agent-event";
import type { ToolOutcome } from "@stet/agent/tool";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import type { AssistantMessage } from "@stet/protocol/message";

/** What the tools of this toolset hand to people. */
interface PaperDetails {
  readonly events: readonly ChatEvent[];
}

/** What a call answers: its content for the model, its events for people. */
export function outcome(content: Record<string, unknown>, ...events: readonly ChatEvent[]): ToolOutcome {
  const details: PaperDetails = { events };
  return { content, details };
}

/** Maps what happens in one turn, event by event, in order. */
export function chatEventsOf(): (event: AgentEvent) => ChatEvent[] {
  let reply = "";
  return (event) => {
    switch (event.type) {
      case "model":
        if (event.event.type === "text_delta" || event.event.type === "thinking_delta") {
          return [{ type: "agent.thought", data: { thought: event.event.delta } }];
        }
        if (event.event.type === "done") reply = textOf(event.event.message);
        return [];
      case "tool_end":
        return isPaperDetails(event.details) ? [...event.details.events] : [];
      case "turn_end":
        return [{ type: "chat.final", data: { text: finalText(event, reply) } }];
      default:
        return [];
    }
  };
}

function textOf({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function finalText(end: Extract<AgentEvent, { type: "turn_end" }>, reply: string): string {
  switch (end.outcome) {
    case "completed":
      return reply;
    case "stopped":
      return end.stop?.isAnswered ? `${reply}\n\n${end.stop.message}` : (end.stop?.message ?? "");
    case "aborted":
      return "The turn was stopped before the model was done.";
    case "failed":
      return `The turn failed: ${end.failure?.message ?? "the model gave no reason."}`;
  }
}

function isPaperDetails(details: unknown): details is PaperDetails {
  return (
    typeof details === "object" && details !== null && "events" in details && Array.isArray(details.events)
  );
}
