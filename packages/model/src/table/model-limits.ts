// How much models take and give, in tokens, and what they can do, where their provider does not say it over its API: from the
// generated table (model-table.ts). Configuration comes first.

import type { ModelAbilities } from "@stet/protocol/model-stream";
import { tableEntry } from "./model-table.ts";
import { type Price, priceOf } from "./prices.ts";

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

/** Whose models also go by their bare names elsewhere, behind a gateway for instance. */
const vendors = ["openai", "anthropic", "google"];

/** A server of one's own decides itself how much it takes, whatever model it runs. */
const localServers: ReadonlySet<string> = new Set(["ollama", "lmstudio", "llamacpp", "vllm"]);

/** Of a provider that has no list only the names of the three large vendors are known. */
export function limitsOf(model: string, provider = ""): ModelLimits | undefined {
  if (localServers.has(provider)) return undefined;
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const found =
    tableEntry(provider, model) ??
    vendors.map((vendor) => tableEntry(vendor, bare)).find((entry) => entry !== undefined);
  if (found?.contextWindow === undefined) return undefined;
  return { contextWindow: found.contextWindow, maxOutput: found.maxOutput ?? unknownRemoteLimits.maxOutput };
}

/** Everything that the table has of a provider's model, in the form of what a server tells. */
export function knownFacts(provider: string, model: string): ModelFacts | undefined {
  const entry = tableEntry(provider, model);
  if (entry === undefined) return undefined;
  const { contextWindow, maxOutput, tools, images, thinking } = entry;
  const price = priceOf(provider, model);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(tools !== undefined && { tools, images, thinking }),
    ...(price !== undefined && { price }),
  };
}
