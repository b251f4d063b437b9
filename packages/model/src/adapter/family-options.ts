// What a request says in a provider's own words: how much to think, its service tier, its cache, what is stored.
//
// Nothing of a conversation is stored at a provider that asks about it; thinking comes back to it encrypted instead.

import type { JSONObject, LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { serviceTiersOf } from "../service-tier.ts";
import { type FamilyModel, isAnthropicFormat } from "./family.ts";

export function reasoningOption(
  request: ModelRequest,
  { family }: FamilyModel,
): LanguageModelV4CallOptions["reasoning"] {
  // OpenRouter has a field of its own for it, below.
  if (request.thinking === undefined || family === "openrouter") return undefined;
  if (request.thinking !== "off") return request.thinking;
  // A compatible server would get the word as it is, and one whose model never thinks refuses it.
  return family === "openai-compatible" || family === "other" ? undefined : "none";
}

export function familyOptions(
  request: ModelRequest,
  target: FamilyModel,
): SharedV4ProviderOptions | undefined {
  const [name, options] = optionsOf(request, target);
  return Object.keys(options).length === 0 ? undefined : { [name]: options };
}

function optionsOf(request: ModelRequest, target: FamilyModel): readonly [name: string, options: JSONObject] {
  const { sessionId, thinking = "off" } = request;
  const cacheKey: JSONObject = sessionId === undefined ? {} : { promptCacheKey: sessionId };
  const tier = serviceTiersOf(target).find((word) => word === request.serviceTier);
  const serviceTier: JSONObject = tier === undefined ? {} : { serviceTier: tier };
  switch (target.family) {
    case "openai-chat":
      return ["openai", { ...cacheKey, ...serviceTier }];
    case "azure-chat":
      return ["openai", { ...cacheKey, ...serviceTier, ...namedByPerson(request) }];
    case "openai-responses":
      return ["openai", { ...cacheKey, ...serviceTier, ...unstored(thinking) }];
    case "azure":
      return ["azure", { ...cacheKey, ...serviceTier, ...unstored(thinking), ...namedByPerson(request) }];
    case "xai":
      return ["xai", { ...cacheKey, ...serviceTier, store: false }];
    case "mistral":
      return ["mistral", cacheKey];
    case "anthropic":
      return ["anthropic", serviceTier];
    case "google":
      return ["google", serviceTier];
    case "vertex":
      return ["googleVertex", tier === undefined ? {} : { sharedRequestType: tier }];
    case "bedrock":
      return ["amazonBedrock", serviceTier];
    case "groq":
      return [
        "groq",
        { ...serviceTier, ...(wantsParsedThinking(target.model) && { reasoningFormat: "parsed" }) },
      ];
    case "openrouter":
      return ["openrouter", openrouterOptions(request, tier)];
    default:
      return ["", {}];
  }
}

function unstored(thinking: string): JSONObject {
  return thinking === "off"
    ? { store: false }
    : { store: false, reasoningSummary: "auto", include: ["reasoning.encrypted_content"] };
}

/** The name of a deployment does not say which model it is, so the package would take it for one that never thinks. */
function namedByPerson({ thinking }: ModelRequest): JSONObject {
  return thinking === undefined ? {} : { forceReasoning: true };
}

/** These write their thinking into the answer unless they are told otherwise. */
function wantsParsedThinking(model: string): boolean {
  return /qwen|deepseek-r1/i.test(model);
}

function openrouterOptions({ thinking, sessionId }: ModelRequest, tier: string | undefined): JSONObject {
  return {
    ...(thinking !== undefined && { reasoning: { effort: thinking === "off" ? "none" : thinking } }),
    ...(tier !== undefined && { service_tier: tier }),
    ...(sessionId !== undefined && { session_id: sessionId }),
  };
}

/** What marks the end of a prefix that is to be cached, at providers that cache up to a mark. */
export function cacheMark(target: FamilyModel): SharedV4ProviderOptions | undefined {
  if (isAnthropicFormat(target)) return { anthropic: { cacheControl: { type: "ephemeral" } } };
  const isMarked = target.family === "bedrock" && /anthropic|claude|amazon\.nova/.test(target.model);
  return isMarked ? { amazonBedrock: { cachePoint: { type: "default" } } } : undefined;
}
