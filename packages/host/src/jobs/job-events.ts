// What happens in a turn, as the events of its job. Each names what a person would want to know; whole results stay in the
// session.

import type { AgentEvent } from "@stet/agent/agent-event";
import type { EventLog } from "../events/event-log.ts";
import { messageEnd } from "../events/event-log.ts";

const maxSummary = 500;
/** Of what a call says while it works, the newest counts. */
const maxProgress = 4096;

/** Adds what an agent event means to the log. */
export async function logAgentEvent(log: EventLog, event: AgentEvent): Promise<void> {
  switch (event.type) {
    case "model":
      return event.isDropped ? log.append(messageEnd, { text: "" }) : logModelEvent(log, event.event);
    case "auto_retry_start":
      return log.append("model.retry", {
        attempt: event.attempt,
        max_attempts: event.maxAttempts,
        delay_ms: event.delayMs,
        reason: event.errorMessage,
      });
    case "tool_start":
      return log.append("tool.call.requested", {
        tool_call_id: event.id,
        tool: event.name,
        arguments: brief(event.arguments),
        ...(event.words === undefined ? {} : { words: event.words }),
        ...(event.traits === undefined ? {} : { traits: event.traits }),
      });
    case "tool_preview":
      return log.delta("tool.preview", { tool_call_id: event.id, tool: event.name, diff: event.diff });
    case "tool_progress":
      return log.delta("tool.call.progress", {
        tool_call_id: event.id,
        text: event.text.slice(-maxProgress).toWellFormed(),
      });
    case "subagents":
      return log.delta("subagents.active", { tool_call_id: event.id, active: event.active });
    case "tool_end":
      return log.append("tool.call.completed", {
        tool_call_id: event.id,
        tool: event.name,
        ok: !event.isError,
        duration_ms: Math.round(event.durationMs),
        ...resultCount(event.content),
        ...(event.isError ? { error: event.content.slice(0, maxSummary) } : {}),
      });
    case "compaction":
      return log.append("context.compacted", { by: event.by, before: event.before, after: event.after });
    case "limit":
      return log.append("limit.reached", { limit: event.limit, message: event.message });
  }
}

async function logModelEvent(
  log: EventLog,
  event: Extract<AgentEvent, { type: "model" }>["event"],
): Promise<void> {
  if (event.type === "text_delta") return log.delta("message.delta", { text: event.delta });
  if (event.type === "thinking_delta") return log.delta("thinking.delta", { text: event.delta });
  if (event.type !== "done" && event.type !== "error") return;
  const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const thinking = event.message.content
    .map((part) => (part.type === "thinking" ? part.thinking : ""))
    .join("");
  return log.append(messageEnd, { text, ...(thinking === "" ? {} : { thinking }) });
}

/** Long texts are told by their beginning. */
export function brief(value: unknown): unknown {
  if (typeof value === "string") return value.length > maxSummary ? `${value.slice(0, maxSummary)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 20).map(brief);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, brief(item)]));
}

/** How many results a search or a listing gave. */
function resultCount(content: string): Record<string, number> {
  try {
    const value: unknown = JSON.parse(content.split("\n", 1)[0] ?? "");
    if (typeof value !== "object" || value === null) return {};
    for (const name of ["results", "files", "matches", "tabs"]) {
      const list = (value as Record<string, unknown>)[name];
      if (Array.isArray(list)) return { result_count: list.length };
    }
  } catch {
    // A result that is no JSON has no count.
  }
  return {};
}
