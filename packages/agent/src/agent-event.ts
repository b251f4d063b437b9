// What happens in a turn, as it happens. Front ends draw from these; the session keeps the messages among them.

import type { RetryEvent } from "@stet/model/retry";
import type { Message, ToolTrait, Usage } from "@stet/protocol/message";
import type { ModelEvent, ModelFailure } from "@stet/protocol/model-stream";
import type { Delivery } from "./background/deliveries.ts";
import type { InboxMessage } from "./inbox.ts";

export type TurnOutcome = "completed" | "stopped" | "aborted" | "failed";

export type LimitName =
  | "iterations"
  | "tool_calls"
  | "tokens"
  | "cost"
  | "time"
  | "schema_retries"
  | "no_progress"
  | "context"
  /** The last answer was cut by the model's own output limit. */
  | "output"
  | "empty_answer";

export interface TurnStop {
  readonly limit: LimitName;
  readonly message: string;
  /** Whether the model had its last word all the same. */
  readonly isAnswered: boolean;
  /** Whether what the turn had done until then was dropped. */
  readonly isDiscarded?: boolean | undefined;
}

export type AgentEvent =
  | { readonly type: "turn_start" }
  | {
      readonly type: "model";
      readonly event: ModelEvent;
      /** The answer broke off and is asked for again: it never becomes part of the conversation. */
      readonly isDropped?: true;
    }
  /** The whole request is repeated; the model's own retries, before an answer begins, are reported by the same event. */
  | Extract<RetryEvent, { type: "auto_retry_start" | "auto_retry_end" }>
  /** What a call would do, while the model still writes its arguments; it may never be carried out. */
  | { readonly type: "tool_preview"; readonly id: string; readonly name: string; readonly diff: string }
  | {
      readonly type: "tool_start";
      readonly id: string;
      readonly name: string;
      readonly arguments: unknown;
      /** As a person reads it; undefined for a tool that has none, or that there is not. */
      readonly words?: string | undefined;
      readonly traits?: readonly ToolTrait[] | undefined;
    }
  | { readonly type: "tool_progress"; readonly id: string; readonly text: string }
  /** So many subagents work for this call now. */
  | { readonly type: "subagents"; readonly id: string; readonly active: number }
  | {
      readonly type: "tool_end";
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
      /** The whole result that the model gets. */
      readonly content: string;
      /** That without the notes beside what the tool said, where there are any. */
      readonly output?: string | undefined;
      readonly details: unknown;
      /** How many results a search or a listing gave. */
      readonly resultCount?: number | undefined;
      readonly durationMs: number;
    }
  /** A message became part of the conversation. */
  | { readonly type: "message"; readonly message: Message }
  /** What the person said meanwhile became part of the conversation. */
  | { readonly type: "heard"; readonly said: InboxMessage }
  /** What happened in the background, or what another agent said, became part of the conversation. */
  | { readonly type: "delivered"; readonly delivery: Delivery }
  | { readonly type: "context"; readonly tokens: number; readonly window: number }
  | {
      readonly type: "compaction";
      readonly by: "eliding" | "summary";
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: "limit"; readonly limit: LimitName; readonly message: string }
  | {
      readonly type: "turn_end";
      readonly outcome: TurnOutcome;
      readonly usage: Usage;
      readonly toolCalls: number;
      readonly durationMs: number;
      readonly failure?: ModelFailure;
      /** What stopped it, where its outcome is `stopped`. */
      readonly stop?: TurnStop;
    };
