// What a person sees of a conversation, as a list of items. Sessions become items in session-items.ts, the events of a
// running job in fold.ts; every front end draws the same items in its own way.

import type { DeliverySource } from "@stet/protocol/api/background";
import type { JobError } from "@stet/protocol/api/job";
import type { CallOutcome, TodoPhase } from "@stet/protocol/api/sessions";
import type { DecisionVerdict } from "@stet/protocol/ids";
import { isRecord } from "@stet/protocol/json-record";
import type { ModelField } from "@stet/protocol/model-stream";
import type { Question } from "@stet/protocol/question";

export type ToolStatus = "running" | "ok" | "failed" | "stopped";

/** How a command ended. */
export interface CommandSummary {
  /** Null where it goes on in the background. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The end of what it printed, and how many lines came before that. */
  readonly output: string;
  readonly hiddenLines: number;
}

export interface ToolItem {
  readonly kind: "tool";
  readonly key: string;
  readonly callId: string;
  readonly tool: string;
  /** What its tool declares of itself. */
  readonly traits: readonly string[];
  /** The call as a person reads it. */
  readonly words: string;
  /** Undefined while the model still writes the call. */
  readonly arguments: unknown;
  readonly status: ToolStatus;
  readonly durationMs: number | null;
  /** What it says while it works. */
  readonly progress: string;
  /** What an edit would do, as a diff, from when the model writes it until it is done. */
  readonly preview: string;
  readonly subagents: number;
  /** The result that the model got; the beginning of it where it is long. */
  readonly result: string;
  /** Why it failed, in a sentence; empty where it did not. */
  readonly reason: string;
  /** What an edit did, as a diff; empty where that is not known. */
  readonly diff: string;
  readonly command: CommandSummary | undefined;
  /** The agent's list of tasks after the call, where it keeps one. */
  readonly todo: readonly TodoPhase[] | undefined;
}

/** Whether it is a command that is waited for, which may go on in the background instead. */
export function isCommand({ traits, arguments: given }: ToolItem): boolean {
  if (!traits.includes("runs") || !traits.includes("exclusive")) return false;
  // One that goes on there anyway, or that has a terminal of its own, stays as it is.
  return !isRecord(given) || (given.async !== true && given.pty !== true);
}

export interface QuestionItem {
  readonly kind: "question";
  readonly key: string;
  /** Null where it can no longer be answered. */
  readonly questionId: string | null;
  readonly asked: Question;
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
      /** Who said it, as provider/name; none where that is not known yet. */
      readonly model?: string;
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
      /** How many changes it made, where an event just said so; the review knows what is open. */
      readonly hunks: number | null;
      /** How many of its changes were decided in this conversation, and how many of these were rejected. */
      readonly decided: number;
      readonly rejected: number;
    }
  | {
      readonly kind: "decision";
      readonly key: string;
      readonly verdict: DecisionVerdict;
      readonly hunks: number;
    }
  /** Another model answers than the one that is set. */
  | { readonly kind: "model"; readonly key: string; readonly model: string; readonly reason: string }
  | {
      /** The model did not answer, or broke off; it is asked again after a wait. */
      readonly kind: "retry";
      readonly key: string;
      readonly reason: string;
      readonly delayMs: number;
      /** Where an answer broke off, and what was said of it is dropped: which attempt it is, and of how many. */
      readonly attempt: { readonly number: number; readonly of: number } | undefined;
    }
  | {
      /** Earlier parts of the conversation were shortened to make room; sizes are in tokens. */
      readonly kind: "compacted";
      readonly key: string;
      readonly by: string;
      readonly before: number;
      readonly after: number;
    }
  /** A limit ended the turn, or its answer was cut off or empty: it is not done. */
  | { readonly kind: "stop"; readonly key: string; readonly text: string }
  | {
      /** The model was asked and has not begun to answer. */
      readonly kind: "waiting";
      readonly key: string;
      readonly since: string | null;
    }
  | { readonly kind: "summary"; readonly key: string; readonly text: string }
  /** Something that happened in the background became part of the conversation: nobody typed it. */
  | {
      readonly kind: "delivery";
      readonly key: string;
      readonly source: DeliverySource;
      readonly text: string;
    }
  | {
      readonly kind: "error";
      readonly key: string;
      readonly message: string;
      readonly suggestion: string;
      /** Whether the person stopped it themselves. */
      readonly isStopped: boolean;
      /** Whether the changes until then are part of the review. */
      readonly isKept: boolean;
      /** What to ask again. */
      readonly instruction: string;
      /** How often the model was asked again before that; 0 where it was not. */
      readonly retries: number;
      /** What of which model's connection to mend; none where it was not the model, or nothing can be set. */
      readonly mend?: ModelMend;
    };

export interface ModelMend {
  readonly provider: string;
  readonly model: string;
  readonly field: ModelField;
}

/** From the details of a job's error. */
export function mendOf({ details = {} }: Pick<JobError, "details">): { readonly mend?: ModelMend } {
  const { provider, model = "", field } = details;
  return provider === undefined || field === undefined ? {} : { mend: { provider, model, field } };
}

/** A call as events and sessions describe it. */
export interface DescribedCall {
  readonly tool_call_id: string;
  readonly tool: string;
  readonly arguments?: unknown;
  readonly words?: string | undefined;
  readonly traits?: readonly string[] | undefined;
}

/** The question of a call that only asks the person one; it becomes a question item, and not a call. */
export function questionOf(call: DescribedCall): Question | undefined {
  if (call.traits?.includes("asks") !== true) return undefined;
  const { question, options } = (call.arguments ?? {}) as { question?: unknown; options?: unknown };
  if (typeof question !== "string") return undefined;
  const texts = Array.isArray(options) ? options.map(String) : [];
  return { kind: "clarification", text: question, options: texts };
}

export function startedCall(key: string, call: DescribedCall): ToolItem {
  return {
    kind: "tool",
    key,
    callId: call.tool_call_id,
    tool: call.tool,
    traits: call.traits ?? [],
    words: call.words ?? call.tool.replaceAll("_", " "),
    arguments: call.arguments,
    status: "running",
    durationMs: null,
    progress: "",
    preview: "",
    subagents: 0,
    result: "",
    reason: "",
    diff: "",
    command: undefined,
    todo: undefined,
  };
}

/** What a call came to, as events and sessions tell it. */
export function outcomeOf({ reason = "", diff = "", command, todo }: CallOutcome): Partial<ToolItem> {
  return { reason, diff, command: command === undefined ? undefined : commandOf(command), todo };
}

function commandOf(end: NonNullable<CallOutcome["command"]>): CommandSummary {
  const { exit_code: exitCode, timed_out: timedOut, output, hidden_lines: hiddenLines } = end;
  return { exitCode, timedOut, output, hiddenLines };
}
