// Limits of a turn. Each is checked before the next request, and says in a sentence what was reached.
//
// At a limit of requests, calls or failures the model is still asked for an answer, once, without calls. Money, tokens and
// time are spent, and a full context takes no further request.

import type { Usage } from "@stet/protocol/message";
import type { LimitName } from "./agent-event.ts";

export interface TurnLimits {
  readonly iterations: number;
  readonly toolCalls: number;
  /** Calls in a row that may fail their schema before the turn stops. */
  readonly schemaRetries: number;
  readonly tokens?: number;
  /** In US dollars. */
  readonly cost?: number;
  readonly milliseconds?: number;
}

export const defaultLimits: TurnLimits = { iterations: 200, toolCalls: 200, schemaRetries: 5 };

export interface Spent {
  readonly iterations: number;
  readonly toolCalls: number;
  readonly areCallsUsedUp: boolean;
  readonly schemaFailures: number;
  readonly usage: Usage;
  readonly milliseconds: number;
}

export interface ReachedLimit {
  readonly limit: LimitName;
  readonly message: string;
}

const answerable: ReadonlySet<LimitName> = new Set([
  "iterations",
  "tool_calls",
  "schema_retries",
  "no_progress",
]);

/** Whether the model is asked for a last answer. */
export function mayAnswer({ limit }: ReachedLimit): boolean {
  return answerable.has(limit);
}

export function reachedLimit(limits: TurnLimits, spent: Spent): ReachedLimit | undefined {
  const tokens = spent.usage.input + spent.usage.output + spent.usage.cacheRead + spent.usage.cacheWrite;
  if (limits.tokens !== undefined && tokens >= limits.tokens) {
    return { limit: "tokens", message: `The turn stopped: ${tokens} of ${limits.tokens} tokens are used.` };
  }
  if (limits.cost !== undefined && spent.usage.cost.total >= limits.cost) {
    const cost = spent.usage.cost.total.toFixed(4);
    return {
      limit: "cost",
      message: `The turn stopped: it has cost $${cost}, and the limit is $${limits.cost}.`,
    };
  }
  if (limits.milliseconds !== undefined && spent.milliseconds >= limits.milliseconds) {
    const seconds = Math.round(limits.milliseconds / 1000);
    return { limit: "time", message: `The turn stopped after ${seconds} seconds.` };
  }
  if (spent.iterations >= limits.iterations) {
    return {
      limit: "iterations",
      message: `The turn stopped after ${limits.iterations} requests to the model.`,
    };
  }
  if (spent.schemaFailures > limits.schemaRetries) {
    return {
      limit: "schema_retries",
      message: `The turn stopped: ${spent.schemaFailures} calls in a row had invalid arguments.`,
    };
  }
  if (spent.areCallsUsedUp) {
    return {
      limit: "tool_calls",
      message: `The turn stopped: all ${spent.toolCalls} tool calls of it are used.`,
    };
  }
  return undefined;
}

export const noProgress: ReachedLimit = {
  limit: "no_progress",
  message: "The turn stopped: the same call gave the same answer again and again.",
};
export const contextFull: ReachedLimit = {
  limit: "context",
  message:
    "The turn stopped: the context is full, and making it smaller frees next to nothing. Start a new session.",
};
export const cutOff: ReachedLimit = {
  limit: "output",
  message: "The answer is cut off: it reached the length that the model may write at once. Ask it to go on.",
};
export const emptyAnswer: ReachedLimit = {
  limit: "empty_answer",
  message: "The model answered with nothing. Ask again, or use another model.",
};
