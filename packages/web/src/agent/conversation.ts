// A conversation as the sidebar shows it: what the session says, as a list of items. What the running job does meanwhile is
// in live-turn.ts, in the same items.
//
//   messages of the session, before the job began  +  items of the job's events
//
// A reply with calls becomes an item for its thinking, one for its words and one for each call; a call's result is part of
// its item, wherever it stands.

import type { SessionMessage } from "@stet/protocol/api/sessions";
import { toolSentence } from "./tool-words.ts";

/** `reopened` where a decision was taken back. */
export type Verdict = "accepted" | "rejected" | "reopened";
export type ToolStatus = "running" | "ok" | "failed" | "stopped";

export interface ToolItem {
  readonly kind: "tool";
  readonly key: string;
  readonly callId: string;
  readonly tool: string;
  readonly sentence: string;
  readonly arguments: unknown;
  readonly status: ToolStatus;
  readonly durationMs: number | null;
  /** What it says while it works. */
  readonly progress: string;
  /** What an edit would do, as a diff, from when the model writes it until it is done. */
  readonly preview: string;
  readonly subagents: number;
  /** What the model was told; the beginning of it where it is long. */
  readonly result: string;
}

export interface QuestionItem {
  readonly kind: "question";
  readonly key: string;
  /** Null where it can no longer be answered. */
  readonly questionId: string | null;
  readonly question: string;
  readonly options: readonly string[];
  readonly answer: string | null;
}

export type Item =
  | ToolItem
  | QuestionItem
  | {
      readonly kind: "user";
      readonly key: string;
      readonly text: string;
      /** Null until the session has it. */
      readonly entry: string | null;
      /** How many other ways the conversation went on from there. */
      readonly siblings: number;
    }
  | {
      readonly kind: "assistant";
      readonly key: string;
      readonly text: string;
      readonly isStreaming: boolean;
    }
  | {
      readonly kind: "thinking";
      readonly key: string;
      readonly text: string;
      readonly isStreaming: boolean;
    }
  | {
      readonly kind: "turn";
      readonly key: string;
      readonly turn: string;
      readonly files: number;
      /** How many changes it made, where that was just told; the review knows what is open. */
      readonly hunks: number | null;
      /** How many of its changes were decided in this conversation, and how many of these were rejected. */
      readonly decided: number;
      readonly rejected: number;
    }
  | {
      readonly kind: "decision";
      readonly key: string;
      readonly verdict: Verdict;
      readonly hunks: number;
    }
  | { readonly kind: "note"; readonly key: string; readonly text: string }
  /** A limit ended the turn, or its answer was cut off or empty: it is not done. */
  | { readonly kind: "stop"; readonly key: string; readonly text: string }
  | {
      /** The model was asked and has not begun to answer. */
      readonly kind: "waiting";
      readonly key: string;
      readonly since: string | null;
    }
  | { readonly kind: "summary"; readonly key: string; readonly text: string }
  | {
      readonly kind: "error";
      readonly key: string;
      readonly message: string;
      readonly suggestion: string;
      /** Whether the person stopped it themselves. */
      readonly isStopped: boolean;
      /** Whether what was done until then stays, for review. */
      readonly isKept: boolean;
      /** What to ask again. */
      readonly instruction: string;
    };

/** The tool that asks the person; it is shown as its question. */
export const askingTool = "clarify_user";
export const skipped = "no_user_answer";

/** Ids of calls may come again later in a conversation: a result belongs to the nearest call before it. */
export function settledItems(messages: readonly SessionMessage[]): Item[] {
  const results = new Map<string, SessionMessage>();
  const decided = new Map<string, Decided>();
  const parts: Item[][] = [];
  for (const message of messages.toReversed()) {
    if (message.kind === "tool") results.set(message.tool_call_id ?? "", message);
    if (message.kind === "decision" && message.turn !== undefined) {
      const known = decided.get(message.turn) ?? { undone: 0, decided: 0, rejected: 0 };
      decided.set(message.turn, known);
      countDecision(known, message.verdict, message.hunks ?? 0);
    }
    parts.push(itemsOf(message, results, decided));
    for (const call of message.calls ?? []) results.delete(call.tool_call_id);
  }
  return joinedDecisions(parts.reverse().flat());
}

interface Decided {
  /** Decisions that were taken back later, and are not met yet. */
  undone: number;
  decided: number;
  rejected: number;
}

/** From the latest decision to the first: what was taken back are decisions before that. */
function countDecision(known: Decided, verdict: SessionMessage["verdict"], hunks: number): void {
  if (verdict === "reopened") {
    known.undone += hunks;
    return;
  }
  const standing = Math.max(0, hunks - known.undone);
  known.undone -= hunks - standing;
  known.decided += standing;
  if (verdict === "rejected") known.rejected += standing;
}

/** A row that counts instead of one for each: decisions of one kind that follow each other are one item. */
function joinedDecisions(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.kind === "decision" && last?.kind === "decision" && last.verdict === item.verdict)
      joined[joined.length - 1] = { ...last, hunks: last.hunks + item.hunks };
    else joined.push(item);
  }
  return joined;
}

function itemsOf(
  message: SessionMessage,
  results: ReadonlyMap<string, SessionMessage>,
  decided: ReadonlyMap<string, Decided>,
): Item[] {
  const { entry_id: entry, text } = message;
  switch (message.kind) {
    case "user":
      return [{ kind: "user", key: entry, text, entry, siblings: message.siblings }];
    case "assistant":
      return replyItems(message, results);
    case "tool":
      return [];
    case "turn": {
      const turn = message.turn ?? "";
      const files = message.files?.length ?? 0;
      const { decided: count, rejected } = decided.get(turn) ?? { decided: 0, rejected: 0 };
      return [{ kind: "turn", key: entry, turn, files, hunks: null, decided: count, rejected }];
    }
    case "decision": {
      const verdict = message.verdict ?? "accepted";
      return [{ kind: "decision", key: entry, verdict, hunks: message.hunks ?? 0 }];
    }
    case "stop":
      return [{ kind: "stop", key: entry, text }];
    case "summary":
      return [{ kind: "summary", key: entry, text }];
  }
}

function replyItems(message: SessionMessage, results: ReadonlyMap<string, SessionMessage>): Item[] {
  const { entry_id: entry, thinking = "", text, calls = [] } = message;
  const items: Item[] = [];
  if (thinking.trim() !== "")
    items.push({ kind: "thinking", key: `${entry}:thinking`, text: thinking, isStreaming: false });
  if (text.trim() !== "") items.push({ kind: "assistant", key: entry, text, isStreaming: false });
  for (const call of calls) {
    const result = results.get(call.tool_call_id);
    const key = `${entry}:${call.tool_call_id}`;
    items.push(
      call.tool === askingTool ? askedItem(key, call.arguments, result) : calledItem(key, call, result),
    );
  }
  return items;
}

function calledItem(
  key: string,
  call: { readonly tool_call_id: string; readonly tool: string; readonly arguments?: unknown },
  result: SessionMessage | undefined,
): ToolItem {
  const { tool_call_id: callId, tool } = call;
  const status = result === undefined ? "stopped" : result.is_error === true ? "failed" : "ok";
  return {
    ...startedCall(key, callId, tool, call.arguments),
    status,
    result: result?.text ?? "",
  };
}

export function startedCall(key: string, callId: string, tool: string, given: unknown): ToolItem {
  return {
    kind: "tool",
    key,
    callId,
    tool,
    sentence: toolSentence(tool, given),
    arguments: given,
    status: "running",
    durationMs: null,
    progress: "",
    preview: "",
    subagents: 0,
    result: "",
  };
}

function askedItem(key: string, given: unknown, result: SessionMessage | undefined): QuestionItem {
  const { question = "", options = [] } = (given ?? {}) as { question?: unknown; options?: unknown };
  return {
    kind: "question",
    key,
    questionId: null,
    question: String(question),
    options: Array.isArray(options) ? options.map(String) : [],
    answer: answerOf(result?.text),
  };
}

function answerOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "answer" in value) return String(value.answer);
  } catch {
    // An older session may hold the answer as it was typed.
  }
  return text;
}

/** Messages with the newest page in their place: what is older stays, what was left by another way goes. */
export function withNewest(
  known: readonly SessionMessage[],
  page: readonly SessionMessage[],
): { readonly messages: readonly SessionMessage[]; readonly isJoined: boolean } {
  const first = page[0];
  const index = first === undefined ? -1 : known.findIndex((message) => message.entry_id === first.entry_id);
  return index < 0
    ? { messages: page, isJoined: false }
    : { messages: [...known.slice(0, index), ...page], isJoined: true };
}

export interface FailedJob {
  readonly instruction: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly error: { readonly error: string; readonly message: string; readonly suggestion: string } | null;
}

/** What the newest job left behind where it failed: the session knows nothing of that. */
export function failureItems(job: FailedJob | null, messages: readonly SessionMessage[]): Item[] {
  if (job === null || job.error === null) return [];
  const { instruction, error, created_at: begun, finished_at: end } = job;
  // The terminal may have gone on since.
  if (end !== null && messages.some(({ kind, ts }) => kind === "user" && ts > end)) return [];
  const wasHeard = messages.some(({ kind, ts }) => kind === "user" && ts >= begun);
  const words: Item = { kind: "user", key: "failed:user", text: instruction, entry: null, siblings: 0 };
  const failure: Item = {
    kind: "error",
    key: "failed:error",
    message: error.message,
    suggestion: error.suggestion,
    isStopped: error.error === "aborted",
    isKept: messages.some(({ kind, ts }) => kind === "turn" && ts >= begun),
    instruction,
  };
  return wasHeard ? [failure] : [words, failure];
}
