// What a running job has done so far, from its events: each event once, in the order of its cursor, from the beginning or
// after a break. A delta adds to the message that is being said; its end says it whole, so what was missed does no harm.

import type { JobEvent } from "@stet/protocol/api/agent";
import { askingTool, type Item, type QuestionItem, startedCall, type ToolItem } from "./conversation.ts";

export interface QueuedText {
  readonly id: string;
  readonly text: string;
  readonly mode: "steer" | "follow_up";
}

export interface LiveUse {
  readonly cost_usd: number;
  readonly cost_known: boolean;
  readonly input: number;
  readonly output: number;
  readonly context_tokens: number;
  readonly context_window: number | null;
}

export type LiveEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "failed" }
  | { readonly kind: "review"; readonly documents: readonly number[]; readonly hunks: number };

export interface LiveTurn {
  readonly cursor: number;
  /** When its first known event was: what the session says since then is told here. */
  readonly since: string | undefined;
  readonly items: readonly Item[];
  /** Said meanwhile, and not heard yet. */
  readonly queued: readonly QueuedText[];
  /** Told as never heard when the job ended. */
  readonly unheard: readonly QueuedText[];
  readonly use: LiveUse | undefined;
  readonly end: LiveEnd | undefined;
}

export const nothingYet: LiveTurn = {
  cursor: 0,
  since: undefined,
  items: [],
  queued: [],
  unheard: [],
  use: undefined,
  end: undefined,
};

export function heard(turn: LiveTurn, event: JobEvent): LiveTurn {
  if (event.cursor <= turn.cursor) return turn;
  const isLost = event.type === "log.truncated";
  const seen = { ...turn, cursor: event.cursor, since: turn.since ?? (isLost ? undefined : event.ts) };
  return isLost ? seen : told(seen, event);
}

function told(turn: LiveTurn, { type, cursor, data }: JobEvent): LiveTurn {
  switch (type) {
    case "job.started":
      return add(turn, userItem(cursor, String(data.instruction ?? "")));
    case "thinking.delta":
      return said(turn, "thinking", cursor, String(data.text ?? ""));
    case "message.delta":
      return said(turn, "assistant", cursor, String(data.text ?? ""));
    case "message.completed":
      return completed(turn, cursor, data);
    case "tool.preview":
      return previewed(turn, cursor, data);
    case "tool.call.requested":
      return data.tool === askingTool ? turn : called(turn, cursor, data);
    case "tool.call.progress":
      return changeCall(turn, data, () => ({ progress: String(data.text ?? "") }));
    case "subagents.active":
      return changeCall(turn, data, () => ({ subagents: Number(data.active ?? 0) }));
    case "tool.call.completed":
      return changeCall(turn, data, (item) => finished(data, item));
    case "clarification.requested":
      return add(turn, questionItem(cursor, data));
    case "clarification.received":
      return changeItem(turn, isQuestion(data.question_id), (item) =>
        item.kind === "question" ? { ...item, questionId: null, answer: String(data.answer ?? "") } : item,
      );
    case "message.queued":
      return { ...turn, queued: [...without(turn.queued, data), queuedText(data)] };
    case "message.withdrawn":
      return { ...turn, queued: without(turn.queued, data) };
    case "message.delivered":
      return add({ ...turn, queued: without(turn.queued, data) }, userItem(cursor, String(data.text ?? "")));
    case "message.unheard":
      return {
        ...turn,
        queued: without(turn.queued, data),
        unheard: [...turn.unheard, queuedText(data)],
      };
    case "usage.updated":
      return { ...turn, use: data as unknown as LiveUse };
    case "model.chosen":
      // Only what a person did not choose themselves: another model than the one that is set.
      return data.mode === "hybrid_auto" || (data.trigger !== undefined && data.trigger !== "start")
        ? add(turn, note(`model:${cursor}`, `${String(data.model)} answers. ${data.reason}`))
        : turn;
    case "model.retry":
      return retried(turn, data);
    case "limit.reached":
      return add(turn, {
        kind: "stop",
        key: `limit:${cursor}`,
        text: String(data.message ?? "A limit was reached."),
      });
    case "context.compacted":
      return add(
        turn,
        note(`compacted:${cursor}`, "Earlier parts of the conversation were summarised to make room."),
      );
    case "diff.generated":
      return ended(proposed(turn, cursor, data), {
        kind: "review",
        documents: Array.isArray(data.documents) ? data.documents.map(Number) : [],
        hunks: Number(data.hunks ?? 0),
      });
    case "job.completed":
      return ended(turn, { kind: "completed" });
    case "job.failed":
      return ended(failed(turn, cursor, data), { kind: "failed" });
    default:
      return turn;
  }
}

function add(turn: LiveTurn, item: Item): LiveTurn {
  return { ...turn, items: [...turn.items, item] };
}

function changeItem(turn: LiveTurn, fits: (item: Item) => boolean, change: (item: Item) => Item): LiveTurn {
  const index = turn.items.findLastIndex(fits);
  const item = turn.items[index];
  return item === undefined ? turn : { ...turn, items: turn.items.with(index, change(item)) };
}

/** Adds to the message that is being said, or begins one. */
function said(turn: LiveTurn, kind: "thinking" | "assistant", cursor: number, text: string): LiveTurn {
  const last = turn.items.findLast((item) => item.kind !== "note");
  if (last?.kind === kind && last.isStreaming)
    return changeItem(
      turn,
      (item) => item === last,
      () => ({ ...last, text: last.text + text }),
    );
  return add(withoutPreviews(withoutRetry(turn)), {
    kind,
    key: `${kind}:${cursor}`,
    text,
    isStreaming: true,
  });
}

/** The whole of what was said, whatever of it was heard before. */
function completed(turn: LiveTurn, cursor: number, data: Record<string, unknown>): LiveTurn {
  const whole = withPart(turn, "thinking", cursor, String(data.thinking ?? ""));
  return withPart(whole, "assistant", cursor, String(data.text ?? ""));
}

function withPart(turn: LiveTurn, kind: "thinking" | "assistant", cursor: number, text: string): LiveTurn {
  const index = turn.items.findLastIndex((item) => item.kind === kind && item.isStreaming);
  const item = turn.items[index];
  if (item === undefined || item.kind !== kind)
    return text.trim() === ""
      ? turn
      : add(turn, { kind, key: `${kind}:${cursor}`, text, isStreaming: false });
  if (text.trim() === "") return { ...turn, items: turn.items.toSpliced(index, 1) };
  return { ...turn, items: turn.items.with(index, { ...item, text, isStreaming: false }) };
}

function userItem(cursor: number, text: string): Item {
  return { kind: "user", key: `user:${cursor}`, text, entry: null, siblings: 0 };
}

function note(key: string, text: string): Item {
  return { kind: "note", key, text };
}

const retryKey = "retry";

/** One note, however often it was tried. It goes when an answer comes. */
function retried(turn: LiveTurn, { delay_ms: delay, reason }: Record<string, unknown>): LiveTurn {
  const seconds = Math.max(1, Math.round(Number(delay ?? 0) / 1000));
  const text = `The model did not answer (${String(reason ?? "no reason given")}). Trying again in ${seconds} s.`;
  return add(withoutRetry(turn), note(retryKey, text));
}

function withoutRetry(turn: LiveTurn): LiveTurn {
  return { ...turn, items: turn.items.filter(({ key }) => key !== retryKey) };
}

/** A call that is still being written has an item already; its arguments come when it is made. */
function previewed(turn: LiveTurn, cursor: number, data: Record<string, unknown>): LiveTurn {
  const preview = String(data.diff ?? "");
  const isKnown = turn.items.some(isCall(data.tool_call_id));
  if (isKnown) return changeCall(turn, data, () => ({ preview }));
  return add(turn, { ...requested(cursor, data), preview });
}

function called(turn: LiveTurn, cursor: number, data: Record<string, unknown>): LiveTurn {
  if (!turn.items.some(isCall(data.tool_call_id))) return add(turn, requested(cursor, data));
  // Whoever is asked whether it may be done still sees what it is.
  return changeCall(turn, data, ({ key, preview }) => ({ ...requested(cursor, data), key, preview }));
}

/** What was never called, because the model broke off or began anew, is gone. */
function withoutPreviews(turn: LiveTurn): LiveTurn {
  const isUncalled = (item: Item) =>
    item.kind === "tool" && item.preview !== "" && item.arguments === undefined;
  const items = turn.items.filter((item) => !isUncalled(item));
  return items.length === turn.items.length ? turn : { ...turn, items };
}

function isCall(callId: unknown): (item: Item) => boolean {
  return (item) => item.kind === "tool" && item.callId === callId;
}

function requested(cursor: number, data: Record<string, unknown>): ToolItem {
  const callId = String(data.tool_call_id);
  return startedCall(`tool:${cursor}`, callId, String(data.tool), data.arguments);
}

function changeCall(
  turn: LiveTurn,
  data: Record<string, unknown>,
  change: (item: ToolItem) => Partial<ToolItem>,
): LiveTurn {
  return changeItem(turn, isCall(data.tool_call_id), (item) =>
    item.kind === "tool" ? { ...item, ...change(item) } : item,
  );
}

/** The session has all that it said; until that is read, the last of it. */
function finished(data: Record<string, unknown>, { progress }: ToolItem): Partial<ToolItem> {
  const count = typeof data.result_count === "number" ? data.result_count : undefined;
  return {
    status: data.ok === true ? "ok" : "failed",
    durationMs: Number(data.duration_ms ?? 0),
    progress: "",
    preview: "",
    subagents: 0,
    result:
      data.error === undefined
        ? count === undefined
          ? progress
          : `${count} ${count === 1 ? "result" : "results"}`
        : String(data.error),
  };
}

function questionItem(cursor: number, data: Record<string, unknown>): QuestionItem {
  return {
    kind: "question",
    key: `question:${cursor}`,
    questionId: String(data.question_id),
    question: String(data.question ?? ""),
    options: Array.isArray(data.options) ? data.options.map(String) : [],
    answer: null,
  };
}

function isQuestion(id: unknown): (item: Item) => boolean {
  return (item) => item.kind === "question" && item.questionId === id;
}

function queuedText(data: Record<string, unknown>): QueuedText {
  const mode = data.mode === "steer" ? "steer" : "follow_up";
  return { id: String(data.message_id), text: String(data.text ?? ""), mode };
}

function without(queued: readonly QueuedText[], data: Record<string, unknown>): readonly QueuedText[] {
  return queued.filter(({ id }) => id !== data.message_id);
}

function proposed(turn: LiveTurn, cursor: number, data: Record<string, unknown>): LiveTurn {
  const files = Array.isArray(data.documents) ? data.documents.length : 0;
  return add(turn, {
    kind: "turn",
    key: `turn:${cursor}`,
    turn: String(data.turn ?? ""),
    files,
    hunks: Number(data.hunks ?? 0),
    decided: 0,
    rejected: 0,
  });
}

function failed(turn: LiveTurn, cursor: number, data: Record<string, unknown>): LiveTurn {
  const first = turn.items.find((item) => item.kind === "user");
  return add(turn, {
    kind: "error",
    key: `error:${cursor}`,
    message: String(data.message ?? "The job failed."),
    suggestion: String(data.suggestion ?? ""),
    isStopped: data.error === "aborted",
    isKept: typeof data.turn === "string",
    instruction: first?.kind === "user" ? first.text : "",
  });
}

/** Nothing is under way any more. */
function ended(turn: LiveTurn, end: LiveEnd): LiveTurn {
  const items = withoutPreviews(turn).items.map((item): Item => {
    if (item.kind === "tool" && item.status === "running")
      return { ...item, status: "stopped", subagents: 0 };
    if ((item.kind === "assistant" || item.kind === "thinking") && item.isStreaming)
      return { ...item, isStreaming: false };
    return item.kind === "question" ? { ...item, questionId: null } : item;
  });
  return { ...turn, items, end };
}
