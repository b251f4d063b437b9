// Hard limits of a turn. Each is checked before the next request or call, and says in a sentence what was reached.

import type { Usage } from "@stet/protocol/message";
import type { LimitName } from "./agent-event.ts";

export interface TurnLimits {
  readonly iterations: number;
  readonly toolCalls: number;
  readonly schemaRetries: number;
  readonly tokens?: number;
  /** In US dollars. */
  readonly cost?: number;
  readonly milliseconds?: number;
}

export const defaultLimits: TurnLimits = { iterations: 50, toolCalls: 12, schemaRetries: 5 };

export interface Spent {
  readonly iterations: number;
  readonly toolCalls: number;
  readonly schemaFailures: number;
  readonly usage: Usage;
  readonly milliseconds: number;
}

export interface ReachedLimit {
  readonly limit: LimitName;
  readonly message: string;
}

export function reachedLimit(limits: TurnLimits, spent: Spent): ReachedLimit | undefined {
  const tokens = spent.usage.input + spent.usage.output + spent.usage.cacheRead + spent.usage.cacheWrite;
  if (spent.iterations >= limits.iterations) {
    return {
      limit: "iterations",
      message: `The turn stopped after ${limits.iterations} requests to the model.`,
    };
  }
  if (spent.schemaFailures > limits.schemaRetries) {
    return {
      limit: "schema_retries",
      message: `The turn stopped: ${spent.schemaFailures} calls had invalid arguments.`,
    };
  }
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
  return undefined;
}
