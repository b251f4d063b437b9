// What happens in a turn, as the events of its job. Each names what a person would want to know; whole results stay in the
// session.

import type { AgentEvent } from "@stet/agent/agent-event";
import { briefValue } from "@stet/protocol/cut-text";
import type { EventData, EventType, NewEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import type { EventLog } from "../events/event-log.ts";
import { callOutcome } from "./call-outcome.ts";

const maxSummary = 500;
/** Of what a call says while it works, the newest counts. */
const maxProgress = 4096;

/** An event as a job's log has it, without its cursor. Deltas are passed on, and not stored. */
export interface LoggedEvent {
  readonly event: NewEvent;
  readonly isDelta: boolean;
}

export async function logAgentEvent(log: EventLog, event: AgentEvent): Promise<void> {
  const logged = loggedEvent(event);
  if (logged === undefined) return;
  await (logged.isDelta ? log.delta(logged.event) : log.add(logged.event));
}

/** What an agent event means to a person; undefined where it means nothing. */
export function loggedEvent(event: AgentEvent): LoggedEvent | undefined {
  switch (event.type) {
    case "model":
      return event.isDropped ? fact("message.completed", { text: "" }) : loggedModelEvent(event.event);
    case "auto_retry_start":
      return fact("model.retry", {
        attempt: event.attempt,
        max_attempts: event.maxAttempts,
        delay_ms: event.delayMs,
        reason: event.errorMessage,
      });
    case "tool_start":
      return fact("tool.call.requested", {
        tool_call_id: event.id,
        tool: event.name,
        arguments: briefValue(event.arguments),
        ...(event.words === undefined ? {} : { words: event.words }),
        ...(event.traits === undefined ? {} : { traits: [...event.traits] }),
      });
    case "tool_preview":
      return delta("tool.preview", { tool_call_id: event.id, tool: event.name, diff: event.diff });
    case "tool_progress":
      return delta("tool.call.progress", {
        tool_call_id: event.id,
        text: event.text.slice(-maxProgress).toWellFormed(),
      });
    case "subagents":
      return delta("subagents.active", { tool_call_id: event.id, active: event.active });
    case "tool_end":
      return fact("tool.call.completed", {
        tool_call_id: event.id,
        tool: event.name,
        ok: !event.isError,
        duration_ms: Math.round(event.durationMs),
        ...(event.resultCount === undefined ? {} : { result_count: event.resultCount }),
        ...(event.isError ? { error: event.content.slice(0, maxSummary) } : {}),
        ...callOutcome(event),
      });
    case "compaction":
      return fact("context.compacted", { by: event.by, before: event.before, after: event.after });
    case "delivered":
      return fact("delivery.received", { source: event.delivery.source, text: event.delivery.text });
    case "limit":
      return fact("limit.reached", { limit: event.limit, message: event.message });
    default:
      return undefined;
  }
}

function fact<Type extends EventType>(type: Type, data: EventData<Type>): LoggedEvent {
  return { event: newEvent(type, data), isDelta: false };
}

function delta<Type extends EventType>(type: Type, data: EventData<Type>): LoggedEvent {
  return { event: newEvent(type, data), isDelta: true };
}

function loggedModelEvent(event: Extract<AgentEvent, { type: "model" }>["event"]): LoggedEvent | undefined {
  if (event.type === "text_delta") return delta("message.delta", { text: event.delta });
  if (event.type === "thinking_delta") return delta("thinking.delta", { text: event.delta });
  if (event.type !== "done" && event.type !== "error") return undefined;
  const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const thinking = event.message.content
    .map((part) => (part.type === "thinking" ? part.thinking : ""))
    .join("");
  return fact("message.completed", { text, ...(thinking === "" ? {} : { thinking }) });
}

/**
 * Calls of a turn that its log has. What a turn does runs ahead of its events; a question is logged only after everything
 * that came before it.
 */
export class LoggedCalls {
  readonly #known = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  add(call: string): void {
    this.#known.add(call);
    this.#waiting.get(call)?.();
  }

  /** Waits until a call is logged, or the wait is aborted. */
  async has(call: string, signal: AbortSignal): Promise<void> {
    if (this.#known.has(call) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(call, resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
