// A conversation as a person sees it: what the session says, as a list of items. What the running job does meanwhile is in
// fold.ts, in the same items.
//
//   messages of the session, before the job began  +  items of the job's events
//
// A reply with calls becomes an item for its thinking, one for its words and one for each call; a call's result is part of
// its item, wherever it stands.

import type { JobError } from "@stet/protocol/api/job";
import type { SessionMessage, SessionMessageOf } from "@stet/protocol/api/sessions";
import {
  type DescribedCall,
  type Item,
  mendOf,
  outcomeOf,
  questionOf,
  startedCall,
  type ToolItem,
} from "./items.ts";

/** Ids of calls may come again later in a conversation: a result belongs to the nearest call before it. */
export function sessionItems(
  messages: readonly SessionMessage[],
  choices: readonly ModelChoice[] = [],
): Item[] {
  const results: ToolResults = new Map();
  const decided = new Map<string, Decided>();
  const takeovers = takeoversIn(messages, choices);
  const parts: Item[][] = [];
  for (const message of messages.toReversed()) {
    if (message.kind === "tool") results.set(message.tool_call_id, message);
    if (message.kind === "decision") {
      const known = decided.get(message.turn) ?? { undone: 0, decided: 0, rejected: 0 };
      decided.set(message.turn, known);
      countDecision(known, message);
    }
    parts.push([...(takeovers.get(message.entry_id) ?? []), ...itemsOf(message, results, decided)]);
    if (message.kind !== "assistant") continue;
    for (const call of message.calls ?? []) results.delete(call.tool_call_id);
  }
  return joinedDecisions(parts.reverse().flat());
}

/** Who was chosen to answer, and why, from the events of a job. The session itself only knows who answered. */
export interface ModelChoice {
  readonly cursor: number;
  readonly ts: string;
  readonly model: string;
  readonly reason: string;
}

/** By the entry that they stand before: each choice with its reason, and where none is known, that another model went on. */
function takeoversIn(
  messages: readonly SessionMessage[],
  choices: readonly ModelChoice[],
): ReadonlyMap<string, Item[]> {
  const found = new Map<string, Item[]>();
  const begun = messages[0]?.ts ?? "";
  const waiting = choices.filter(({ ts }) => ts >= begun);
  let author: string | undefined;
  for (const message of messages) {
    if (message.kind === "user") author = undefined;
    if (message.kind !== "assistant" || message.model === undefined) continue;
    const { entry_id: entry, model, ts } = message;
    const due = waiting.splice(0, waiting.filter((choice) => choice.ts <= ts).length);
    const items = due.map(({ cursor, model: name, reason }): Item => {
      return { kind: "model", key: `model:${cursor}:${entry}`, model: name, reason };
    });
    const isNew = author !== undefined && author !== model && due.at(-1)?.model !== model;
    if (isNew)
      items.push({ kind: "model", key: `model:${entry}`, model, reason: `It took over from ${author}.` });
    if (items.length > 0) found.set(entry, items);
    author = model;
  }
  return found;
}

type ToolResults = Map<string, SessionMessageOf<"tool">>;

interface Decided {
  /** Decisions that were taken back later, and are not met yet. */
  undone: number;
  decided: number;
  rejected: number;
}

/** From the latest decision to the first: what was taken back are decisions before that. */
function countDecision(known: Decided, { verdict, hunks }: SessionMessageOf<"decision">): void {
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
  results: ToolResults,
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
      const { turn, files } = message;
      const { decided: count, rejected } = decided.get(turn) ?? { decided: 0, rejected: 0 };
      return [{ kind: "turn", key: entry, turn, files: files.length, hunks: null, decided: count, rejected }];
    }
    case "decision":
      return [{ kind: "decision", key: entry, verdict: message.verdict, hunks: message.hunks }];
    case "stop":
      return [{ kind: "stop", key: entry, text }];
    case "summary":
      return [{ kind: "summary", key: entry, text }];
    case "delivery":
      return [{ kind: "delivery", key: entry, source: message.source, text }];
  }
}

function replyItems(message: SessionMessageOf<"assistant">, results: ToolResults): Item[] {
  const { entry_id: entry, thinking = "", text, calls = [], model } = message;
  const items: Item[] = [];
  if (thinking.trim() !== "")
    items.push({ kind: "thinking", key: `${entry}:thinking`, text: thinking, isStreaming: false });
  if (text.trim() !== "")
    items.push({
      kind: "assistant",
      key: entry,
      text,
      isStreaming: false,
      ...(model === undefined ? {} : { model }),
    });
  for (const call of calls) {
    const result = results.get(call.tool_call_id);
    const key = `${entry}:${call.tool_call_id}`;
    const asked = questionOf(call);
    items.push(
      asked === undefined
        ? calledItem(key, call, result)
        : { kind: "question", key, questionId: null, asked, answer: answerOf(result?.text) },
    );
  }
  return items;
}

function calledItem(
  key: string,
  call: DescribedCall,
  result: SessionMessageOf<"tool"> | undefined,
): ToolItem {
  const status = result === undefined ? "stopped" : result.is_error ? "failed" : "ok";
  return {
    ...startedCall(key, call),
    ...(result === undefined ? {} : outcomeOf(result)),
    status,
    result: result?.text ?? "",
  };
}

function answerOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    // Notes for the model stand below it.
    const value: unknown = JSON.parse(text.split("\n", 1)[0] ?? "");
    if (typeof value === "object" && value !== null && "answer" in value) return String(value.answer);
  } catch {
    // An older session may hold the answer as it was typed.
  }
  return text;
}

/** Messages merged with the newest page: older ones remain, those of a branch that was left are dropped. */
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
  readonly error: (Pick<JobError, "message" | "suggestion" | "details"> & { readonly error: string }) | null;
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
    retries: 0,
    ...mendOf(error),
  };
  return wasHeard ? [failure] : [words, failure];
}
