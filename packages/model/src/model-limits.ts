// How much models take and give, in tokens, where their provider does not say it over its API. Configuration comes first.

import type { ModelAbilities } from "@stet/protocol/model-stream";
import type { Price } from "./prices.ts";

export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutput: number;
}

/** What a server tells of one of its models. */
export interface ModelFacts extends ModelAbilities {
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: Price;
}

/** Small enough for most local servers as they are installed; a local server that tells its own size overrides it. */
export const unknownLocalLimits: ModelLimits = { contextWindow: 32_768, maxOutput: 8192 };
export const unknownRemoteLimits: ModelLimits = { contextWindow: 128_000, maxOutput: 16_384 };

const table: readonly (readonly [pattern: RegExp, limits: ModelLimits])[] = [
  [/^gpt-5/, { contextWindow: 400_000, maxOutput: 128_000 }],
  [/^gpt-4\.1/, { contextWindow: 1_047_576, maxOutput: 32_768 }],
  [/^gpt-4o/, { contextWindow: 128_000, maxOutput: 16_384 }],
  [/^o[134](?:-|$)/, { contextWindow: 200_000, maxOutput: 100_000 }],
  [/^claude-opus-4-(?:0|1|2025)/, { contextWindow: 200_000, maxOutput: 32_000 }],
  [/^claude-3-5-haiku/, { contextWindow: 200_000, maxOutput: 8192 }],
  [/^claude-/, { contextWindow: 200_000, maxOutput: 64_000 }],
  [/^gemini-/, { contextWindow: 1_048_576, maxOutput: 65_536 }],
];

export function limitsOf(model: string): ModelLimits | undefined {
  return table.find(([pattern]) => pattern.test(model))?.[1];
}
