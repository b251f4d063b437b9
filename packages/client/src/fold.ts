// The fold from a job's events to what a person sees: turns, steps, questions, use and review. Each event counts once, in the
// order of its cursor, from the beginning or after a break. A delta adds to the message that is being said; its end says it
// whole, so what was missed does no harm.

import type { JobEvent } from "@stet/protocol/api/agent";
import type { SessionUse } from "@stet/protocol/api/sessions";
import {
  type CommandEnd,
  type DescribedCall,
  type Item,
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
  /** When its first known event was: what the session says since then is told here. */
  readonly since: string | undefined;
  readonly items: readonly Item[];
  /** Said meanwhile, and not heard yet. */
  readonly queued: readonly QueuedText[];
  /** Told as never heard when the job ended. */
  readonly unheard: readonly QueuedText[];
  readonly use: SessionUse | undefined;
  readonly end: TurnEnd | undefined;
}

export const emptyView: TurnView = {
  cursor: 0,
  since: undefined,
  items: [],
  queued: [],
  unheard: [],
  use: undefined,
  end: undefined,
};

export function fold(turn: TurnView, event: JobEvent): TurnView {
  if (event.cursor <= turn.cursor) return turn;
  const isLost = event.type === "log.truncated";
  const seen = { ...turn, cursor: event.cursor, since: turn.since ?? (isLost ? undefined : event.ts) };
  return isLost ? seen : step(seen, event);
}

function step(turn: TurnView, { type, cursor, data }: JobEvent): TurnView {
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
      return questionOf(callIn(data)) === undefined ? called(turn, cursor, data) : turn;
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
      return { ...turn, use: data as unknown as SessionUse };
    case "model.chosen":
      // Only what a person did not choose themselves: another model than the one that is set.
      return data.mode === "hybrid_auto" || (data.trigger !== undefined && data.trigger !== "start")
        ? add(turn, {
            kind: "model",
            key: `model:${cursor}`,
            model: String(data.model),
            reason: String(data.reason ?? ""),
          })
        : turn;
    case "model.retry":
      return retried(turn, cursor, data);
    case "limit.reached":
      return add(turn, {
        kind: "stop",
        key: `limit:${cursor}`,
        text: String(data.message ?? "A limit was reached."),
      });
    case "context.compacted":
      return add(turn, {
        kind: "compacted",
        key: `compacted:${cursor}`,
        by: String(data.by),
        before: Number(data.before ?? 0),
        after: Number(data.after ?? 0),
      });
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
  });
}

/** The whole of what was said, whatever of it was heard before. */
function completed(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
  const whole = withPart(turn, "thinking", cursor, String(data.thinking ?? ""));
  return withPart(whole, "assistant", cursor, String(data.text ?? ""));
}

function withPart(turn: TurnView, kind: "thinking" | "assistant", cursor: number, text: string): TurnView {
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

/** One item, however often it was tried. It goes when an answer comes. */
function retried(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
  const { delay_ms: delay, reason, attempt, max_attempts: most } = data;
  return add(withoutRetry(turn), {
    kind: "retry",
    key: `retry:${cursor}`,
    reason: String(reason ?? "no reason given"),
    delayMs: Number(delay ?? 0),
    attempt: attempt === undefined ? undefined : { number: Number(attempt), of: Number(most) },
  });
}

function withoutRetry(turn: TurnView): TurnView {
  return { ...turn, items: turn.items.filter(({ kind }) => kind !== "retry") };
}

/** A call that is still being written has an item already; its arguments come when it is made. */
function previewed(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
  const preview = String(data.diff ?? "");
  const isKnown = turn.items.some(isCall(data.tool_call_id));
  if (isKnown) return changeCall(turn, data, () => ({ preview }));
  return add(turn, { ...requested(cursor, data), preview });
}

function called(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
  if (!turn.items.some(isCall(data.tool_call_id))) return add(turn, requested(cursor, data));
  // Whoever is asked whether it may be done still sees what it is.
  return changeCall(turn, data, ({ key, preview }) => ({ ...requested(cursor, data), key, preview }));
}

/** What was never called, because the model broke off or began anew, is gone. */
function withoutPreviews(turn: TurnView): TurnView {
  const isUncalled = (item: Item) =>
    item.kind === "tool" && item.preview !== "" && item.arguments === undefined;
  const items = turn.items.filter((item) => !isUncalled(item));
  return items.length === turn.items.length ? turn : { ...turn, items };
}

function isCall(callId: unknown): (item: Item) => boolean {
  return (item) => item.kind === "tool" && item.callId === callId;
}

function requested(cursor: number, data: Record<string, unknown>): ToolItem {
  return startedCall(`tool:${cursor}`, callIn(data));
}

function callIn({
  tool_call_id: id,
  tool,
  arguments: given,
  words,
  traits,
}: Record<string, unknown>): DescribedCall {
  return {
    tool_call_id: String(id),
    tool: String(tool),
    arguments: given,
    ...(typeof words === "string" ? { words } : {}),
    ...(Array.isArray(traits) ? { traits: traits.map(String) } : {}),
  };
}

function changeCall(
  turn: TurnView,
  data: Record<string, unknown>,
  change: (item: ToolItem) => Partial<ToolItem>,
): TurnView {
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
    reason: String(data.reason ?? ""),
    diff: String(data.diff ?? ""),
    command: commandIn(data.command),
  };
}

function commandIn(value: unknown): CommandEnd | undefined {
  if (typeof value !== "object" || value === null || !("exit_code" in value)) return undefined;
  const { exit_code: code, timed_out, output, hidden_lines }: Record<string, unknown> = { ...value };
  return {
    exitCode: typeof code === "number" ? code : null,
    timedOut: timed_out === true,
    output: String(output ?? ""),
    hiddenLines: Number(hidden_lines ?? 0),
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

function proposed(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
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

function failed(turn: TurnView, cursor: number, data: Record<string, unknown>): TurnView {
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
function ended(turn: TurnView, end: TurnEnd): TurnView {
  const items = withoutPreviews(turn).items.map((item): Item => {
    if (item.kind === "tool" && item.status === "running")
      return { ...item, status: "stopped", subagents: 0 };
    if ((item.kind === "assistant" || item.kind === "thinking") && item.isStreaming)
      return { ...item, isStreaming: false };
    return item.kind === "question" ? { ...item, questionId: null } : item;
  });
  return { ...turn, items, end };
}
