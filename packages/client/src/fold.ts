// The fold from a job's events to what a person sees: turns, steps, questions, use and review. Each event counts once, in the
// order of its cursor, from the beginning or after a break. A delta adds to the message that is being said; its end says it
// whole, so what was missed does no harm.

import type { SessionUse } from "@stet/protocol/api/sessions";
import type { EventData, LogEvent } from "@stet/protocol/events/log-event";
import {
  type Item,
  mendOf,
  outcomeOf,
  type QuestionItem,
  questionOf,
  startedCall,
  type ToolItem,
} from "./items.ts";

export interface QueuedText {
  readonly id: string;
  readonly text: string;
  readonly mode: "steer" | "follow_up";
}

export type TurnEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "failed" }
  | { readonly kind: "review"; readonly documents: readonly number[]; readonly hunks: number };

export interface TurnView {
  readonly cursor: number;
  /** Time of the first known event: messages of the session from then on are part of this fold. */
  readonly since: string | undefined;
  readonly items: readonly Item[];
  /** Messages that the person queued, and that are not part of the conversation yet. */
  readonly queued: readonly QueuedText[];
  /** Reported as undelivered when the job ended. */
  readonly unheard: readonly QueuedText[];
  readonly use: SessionUse | undefined;
  /** Who answers now. */
  readonly model: string | undefined;
  readonly end: TurnEnd | undefined;
}

export const emptyView: TurnView = {
  cursor: 0,
  since: undefined,
  items: [],
  queued: [],
  unheard: [],
  use: undefined,
  model: undefined,
  end: undefined,
};

export function fold(turn: TurnView, event: LogEvent): TurnView {
  if (event.cursor <= turn.cursor) return turn;
  const isLost = event.type === "log.truncated";
  const seen = { ...turn, cursor: event.cursor, since: turn.since ?? (isLost ? undefined : event.ts) };
  return isLost ? seen : step(seen, event);
}

function step(turn: TurnView, { type, cursor, data }: LogEvent): TurnView {
  switch (type) {
    case "job.started":
      // A turn that tells of what happened in the background has no words of the person.
      return data.instruction === "" ? turn : add(turn, userItem(cursor, data.instruction));
    case "delivery.received":
      return add(turn, { kind: "delivery", key: `delivery:${cursor}`, ...data });
    case "thinking.delta":
      return said(turn, "thinking", cursor, data.text);
    case "message.delta":
      return said(turn, "assistant", cursor, data.text);
    case "message.completed":
      return completed(turn, cursor, data);
    case "tool.preview":
      return previewed(turn, cursor, data);
    case "tool.call.requested":
      return questionOf(data) === undefined ? called(turn, cursor, data) : turn;
    case "tool.call.progress":
      return changeCall(turn, data, () => ({ progress: data.text }));
    case "subagents.active":
      return changeCall(turn, data, () => ({ subagents: data.active }));
    case "tool.call.completed":
      return changeCall(turn, data, (item) => finished(data, item));
    case "clarification.requested":
      return add(turn, questionItem(cursor, data));
    case "clarification.received":
      return changeItem(turn, isQuestion(data.question_id), (item) =>
        item.kind === "question" ? { ...item, questionId: null, answer: data.answer } : item,
      );
    case "message.queued":
      return { ...turn, queued: [...without(turn.queued, data), queuedText(data)] };
    case "message.withdrawn":
      return { ...turn, queued: without(turn.queued, data) };
    case "message.delivered":
      return add({ ...turn, queued: without(turn.queued, data) }, userItem(cursor, data.text));
    case "message.unheard":
      return {
        ...turn,
        queued: without(turn.queued, data),
        unheard: [...turn.unheard, queuedText(data)],
      };
    case "usage.updated":
      return { ...turn, use: data };
    case "model.chosen":
      return chosen(turn, cursor, data);
    case "model.retry":
      return retried(turn, cursor, data);
    case "limit.reached":
      return add(turn, { kind: "stop", key: `limit:${cursor}`, text: data.message });
    case "context.compacted":
      return add(turn, { kind: "compacted", key: `compacted:${cursor}`, ...data });
    case "diff.generated":
      return ended(proposed(turn, cursor, data), {
        kind: "review",
        documents: data.documents,
        hunks: data.hunks,
      });
    case "job.completed":
      return ended(turn, { kind: "completed" });
    case "job.failed":
      return ended(failed(turn, cursor, data), { kind: "failed" });
    default:
      return turn;
  }
}

function add(turn: TurnView, item: Item): TurnView {
  return { ...turn, items: [...turn.items, item] };
}

function changeItem(turn: TurnView, fits: (item: Item) => boolean, change: (item: Item) => Item): TurnView {
  const index = turn.items.findLastIndex(fits);
  const item = turn.items[index];
  return item === undefined ? turn : { ...turn, items: turn.items.with(index, change(item)) };
}

/** Adds to the message that is being said, or begins one. */
function said(turn: TurnView, kind: "thinking" | "assistant", cursor: number, text: string): TurnView {
  const last = turn.items.findLast(
    (item) => item.kind !== "model" && item.kind !== "retry" && item.kind !== "compacted",
  );
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
    ...(kind === "assistant" ? author(turn) : {}),
  });
}

/** The whole message, whichever of its deltas came before. */
function completed(turn: TurnView, cursor: number, data: EventData<"message.completed">): TurnView {
  const whole = withPart(turn, "thinking", cursor, data.thinking ?? "");
  return withPart(whole, "assistant", cursor, data.text);
}

function withPart(turn: TurnView, kind: "thinking" | "assistant", cursor: number, text: string): TurnView {
  const index = turn.items.findLastIndex((item) => item.kind === kind && item.isStreaming);
  const item = turn.items[index];
  if (item === undefined || item.kind !== kind)
    return text.trim() === ""
      ? turn
      : add(turn, {
          kind,
          key: `${kind}:${cursor}`,
          text,
          isStreaming: false,
          ...(kind === "assistant" ? author(turn) : {}),
        });
  if (text.trim() === "") return { ...turn, items: turn.items.toSpliced(index, 1) };
  return { ...turn, items: turn.items.with(index, { ...item, text, isStreaming: false }) };
}

function userItem(cursor: number, text: string): Item {
  return { kind: "user", key: `user:${cursor}`, text, entry: null, siblings: 0 };
}

/** Only what a person did not choose themselves is told: another model than the one that is set. */
function chosen(turn: TurnView, cursor: number, data: EventData<"model.chosen">): TurnView {
  const next = { ...turn, model: data.model };
  return isTold(data)
    ? add(next, { kind: "model", key: `model:${cursor}`, model: data.model, reason: data.reason })
    : next;
}

export function isTold({ mode, trigger }: Pick<EventData<"model.chosen">, "mode" | "trigger">): boolean {
  return mode === "hybrid_auto" || trigger !== "start";
}

function author({ model }: TurnView): { readonly model?: string } {
  return model === undefined ? {} : { model };
}

/** One item, however often it was tried. It goes when an answer comes. */
function retried(turn: TurnView, cursor: number, data: EventData<"model.retry">): TurnView {
  const { delay_ms: delayMs, reason, attempt, max_attempts: most = attempt } = data;
  return add(withoutRetry(turn), {
    kind: "retry",
    key: `retry:${cursor}`,
    reason,
    delayMs,
    attempt: attempt === undefined || most === undefined ? undefined : { number: attempt, of: most },
  });
}

function withoutRetry(turn: TurnView): TurnView {
  return { ...turn, items: turn.items.filter(({ kind }) => kind !== "retry") };
}

/** A call that is still being written has an item already; its arguments come when it is executed. */
function previewed(turn: TurnView, cursor: number, data: EventData<"tool.preview">): TurnView {
  const preview = data.diff;
  const isKnown = turn.items.some(isCall(data.tool_call_id));
  if (isKnown) return changeCall(turn, data, () => ({ preview }));
  return add(turn, { ...requested(cursor, data), preview });
}

function called(turn: TurnView, cursor: number, data: EventData<"tool.call.requested">): TurnView {
  if (!turn.items.some(isCall(data.tool_call_id))) return add(turn, requested(cursor, data));
  // The person who is asked for permission still sees the preview.
  return changeCall(turn, data, ({ key, preview }) => ({ ...requested(cursor, data), key, preview }));
}

/** What was never called, because the model broke off or began anew, is gone. */
function withoutPreviews(turn: TurnView): TurnView {
  const isUncalled = (item: Item) =>
    item.kind === "tool" && item.preview !== "" && item.arguments === undefined;
  const items = turn.items.filter((item) => !isUncalled(item));
  return items.length === turn.items.length ? turn : { ...turn, items };
}

function isCall(callId: string | undefined): (item: Item) => boolean {
  return (item) => item.kind === "tool" && item.callId === callId;
}

function requested(
  cursor: number,
  data: EventData<"tool.preview"> | EventData<"tool.call.requested">,
): ToolItem {
  return startedCall(`tool:${cursor}`, data);
}

function changeCall(
  turn: TurnView,
  data: { readonly tool_call_id?: string | undefined },
  change: (item: ToolItem) => Partial<ToolItem>,
): TurnView {
  return changeItem(turn, isCall(data.tool_call_id), (item) =>
    item.kind === "tool" ? { ...item, ...change(item) } : item,
  );
}

/** The session has all that it said; until that is read, the last of it. */
function finished(data: EventData<"tool.call.completed">, { progress }: ToolItem): Partial<ToolItem> {
  const { result_count: count } = data;
  return {
    status: data.ok ? "ok" : "failed",
    durationMs: data.duration_ms,
    progress: "",
    preview: "",
    subagents: 0,
    result:
      data.error === undefined
        ? count === undefined
          ? progress
          : `${count} ${count === 1 ? "result" : "results"}`
        : data.error,
    ...outcomeOf(data),
  };
}

function questionItem(cursor: number, data: EventData<"clarification.requested">): QuestionItem {
  return {
    kind: "question",
    key: `question:${cursor}`,
    questionId: data.question_id,
    asked: data.asked,
    answer: null,
  };
}

function isQuestion(id: string): (item: Item) => boolean {
  return (item) => item.kind === "question" && item.questionId === id;
}

function queuedText({ message_id: id, text, mode }: EventData<"message.queued">): QueuedText {
  return { id, text, mode };
}

function without(queued: readonly QueuedText[], data: EventData<"message.withdrawn">): readonly QueuedText[] {
  return queued.filter(({ id }) => id !== data.message_id);
}

function proposed(turn: TurnView, cursor: number, data: EventData<"diff.generated">): TurnView {
  return add(turn, {
    kind: "turn",
    key: `turn:${cursor}`,
    turn: data.turn,
    files: data.documents.length,
    hunks: data.hunks,
    decided: 0,
    rejected: 0,
  });
}

function failed(turn: TurnView, cursor: number, data: EventData<"job.failed">): TurnView {
  const first = turn.items.find((item) => item.kind === "user");
  const retry = turn.items.find((item) => item.kind === "retry");
  return add(turn, {
    kind: "error",
    key: `error:${cursor}`,
    message: data.message,
    suggestion: data.suggestion,
    isStopped: data.error === "aborted",
    isKept: data.turn !== undefined,
    instruction: first?.kind === "user" ? first.text : "",
    retries: retry?.kind === "retry" ? (retry.attempt?.number ?? 0) : 0,
    ...mendOf(data),
  });
}

/** Nothing is under way any more. */
function ended(turn: TurnView, end: TurnEnd): TurnView {
  const items = withoutPreviews(withoutRetry(turn)).items.map((item): Item => {
    if (item.kind === "tool" && item.status === "running")
      return { ...item, status: "stopped", subagents: 0 };
    if ((item.kind === "assistant" || item.kind === "thinking") && item.isStreaming)
      return { ...item, isStreaming: false };
    return item.kind === "question" ? { ...item, questionId: null } : item;
  });
  return { ...turn, items, end };
}
