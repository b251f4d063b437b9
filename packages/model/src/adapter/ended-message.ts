// The last event of a stream that failed, and messages as they stand when a stream ends.

import {
  type AssistantContent,
  type AssistantMessage,
  noUsage,
  type StopReason,
  type Usage,
} from "@stet/protocol/message";
import type { ModelEvent, ModelFailure } from "@stet/protocol/model-stream";

export interface Ending {
  readonly provider: string;
  readonly model: string;
  readonly content?: readonly AssistantContent[];
  readonly usage?: Usage;
}

export type ErrorEvent = Extract<ModelEvent, { type: "error" }>;

export function endedMessage(ended: Ending, stopReason: StopReason, errorMessage?: string): AssistantMessage {
  return {
    role: "assistant",
    content: ended.content ?? [],
    provider: ended.provider,
    model: ended.model,
    usage: ended.usage ?? noUsage,
    stopReason,
    ...(errorMessage !== undefined && { errorMessage }),
    timestamp: Date.now(),
  };
}

export function failureEvent(ended: Ending, failure: ModelFailure): ErrorEvent {
  const reason = failure.kind === "aborted" ? "aborted" : "error";
  return { type: "error", reason, failure, message: endedMessage(ended, reason, failure.message) };
}
