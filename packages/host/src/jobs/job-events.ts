// What happens in a turn, as the events of its job. Each names what a person would want to know; whole results stay in the
// session.

import type { AgentEvent } from "@stet/agent/agent-event";
import { briefValue } from "@stet/protocol/cut-text";
import type { EventData, EventType, NewEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import type { EventLog } from "../events/event-log.ts";

const maxSummary = 500;
/** Of what a call says while it works, the newest counts. */
const maxProgress = 4096;

/** Of what an edit did and what a command printed, as much as a front end shows at once. */
const maxDiff = 16_384;
const outputLines = 10;

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
        ...(event.isError ? { error: event.content.slice(0, maxSummary), reason: reasonOf(event) } : {}),
        ...diffIn(event.details),
        ...commandIn(event.details, event.output ?? event.content),
      });
    case "compaction":
      return fact("context.compacted", { by: event.by, before: event.before, after: event.after });
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

/** Why a call failed, as a person reads it: its fault's message, or the first line of what the tool said. */
function reasonOf({ details, content }: Extract<AgentEvent, { type: "tool_end" }>): string {
  const message = fieldOf(details, "message");
  return (typeof message === "string" ? message : (content.split("\n", 1)[0] ?? "")).slice(0, maxSummary);
}

/** What an edit did, where its tool tells it. */
function diffIn(details: unknown): { diff?: string } {
  const files = fieldOf(details, "perFileResults");
  const diffs = (Array.isArray(files) ? files : [details]).map((file) => fieldOf(file, "diff"));
  const diff = diffs.filter((each) => typeof each === "string").join("");
  return diff === "" ? {} : { diff: diff.slice(0, maxDiff).toWellFormed() };
}

/** How a command ended, and the end of what it printed. */
function commandIn(details: unknown, output: string): Pick<EventData<"tool.call.completed">, "command"> {
  if (typeof details !== "object" || details === null || !("exitCode" in details)) return {};
  const { exitCode } = details;
  const lines = output.split("\n");
  return {
    command: {
      exit_code: typeof exitCode === "number" ? exitCode : null,
      timed_out: fieldOf(details, "timedOut") === true,
      output: lines.slice(-outputLines).join("\n").slice(-maxProgress).toWellFormed(),
      hidden_lines: Math.max(0, lines.length - outputLines),
    },
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
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
