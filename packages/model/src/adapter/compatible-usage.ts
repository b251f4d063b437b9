// Tokens as OpenAI-compatible servers count them, cached ones under the names that each gives them.

import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { isRecord, type JsonRecord } from "@stet/protocol/json-record";

export function compatibleUsage(usage: unknown): LanguageModelV4Usage {
  if (!isRecord(usage)) return unknownUsage;
  const details = recordOf(usage.prompt_tokens_details);
  const total = numberOf(usage.prompt_tokens) ?? 0;
  const cacheRead =
    numberOf(details.cached_tokens) ??
    // DeepSeek, Moonshot, Mistral and Anthropic's name, which gateways pass on.
    numberOf(usage.prompt_cache_hit_tokens) ??
    numberOf(usage.cached_tokens) ??
    numberOf(usage.num_cached_tokens) ??
    numberOf(usage.cache_read_input_tokens) ??
    0;
  const cacheWrite =
    numberOf(details.cache_write_tokens) ??
    numberOf(details.cache_creation_tokens) ??
    numberOf(usage.cache_creation_input_tokens) ??
    0;
  const output = numberOf(usage.completion_tokens) ?? 0;
  const reasoning = numberOf(recordOf(usage.completion_tokens_details).reasoning_tokens) ?? 0;
  return {
    inputTokens: { total, noCache: Math.max(0, total - cacheRead - cacheWrite), cacheRead, cacheWrite },
    outputTokens: { total: output, text: Math.max(0, output - reasoning), reasoning },
  };
}

const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
