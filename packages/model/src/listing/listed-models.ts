// What the lists of models tell, `GET …/models`, each provider in its own fields:
//
//   OpenRouter  context_length, architecture.input_modalities, supported_parameters, pricing, top_provider.max_completion_tokens
//   Anthropic   max_input_tokens, max_tokens, capabilities.image_input.supported, capabilities.thinking.supported
//   Google      inputTokenLimit, outputTokenLimit, thinking, supportedGenerationMethods
//   Mistral     max_context_length, capabilities.function_calling, .vision, .reasoning, .completion_chat
//   Groq        context_window, max_completion_tokens, active
//   vLLM        max_model_len
//   others      names only

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import type { ModelFacts } from "../table/model-limits.ts";
import { price } from "../table/prices.ts";

export interface RemoteModel extends ModelFacts {
  readonly name: string;
}

/** The models of one page; undefined where it is no list. */
export function listedModels(answer: unknown): RemoteModel[] | undefined {
  const items = isRecord(answer) ? (answer.data ?? answer.models) : answer;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item) => (isRecord(item) ? (modelIn(item) ?? []) : []));
}

/** What to ask for to get the next page, as a query. */
export function nextPage(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  const { nextPageToken, has_more: hasMore, last_id: lastId } = answer;
  if (typeof nextPageToken === "string" && nextPageToken !== "")
    return `pageToken=${encodeURIComponent(nextPageToken)}`;
  if (hasMore !== true || typeof lastId !== "string" || lastId === "") return undefined;
  return `after_id=${encodeURIComponent(lastId)}`;
}

/** Names that say that a model makes something else than answers. */
const otherKinds = /embed|whisper|tts|dall-e|moderation|transcribe|realtime|image-\d|sora|imagen|veo-/i;

/** Longer ones are no names. */
const mostOfName = 300;

function modelIn(item: JsonRecord): RemoteModel | undefined {
  const id = typeof item.id === "string" ? item.id : item.name;
  if (typeof id !== "string" || id === "" || id.length > mostOfName || otherKinds.test(id)) return undefined;
  const { supportedGenerationMethods: methods, supported_parameters: parameters, top_provider: top } = item;
  const capabilities = isRecord(item.capabilities) ? item.capabilities : {};
  if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
  if (capabilities.completion_chat === false || item.active === false) return undefined;
  const inputs = isRecord(item.architecture) ? item.architecture.input_modalities : undefined;
  const has = (list: unknown, name: string) => (Array.isArray(list) ? list.includes(name) : undefined);
  const facts = {
    contextWindow: firstCount(
      item.context_length,
      item.max_input_tokens,
      item.inputTokenLimit,
      item.max_context_length,
      item.context_window,
      item.max_model_len,
    ),
    maxOutput: firstCount(
      isRecord(top) ? top.max_completion_tokens : undefined,
      item.max_tokens,
      item.outputTokenLimit,
      item.max_completion_tokens,
    ),
    tools: has(parameters, "tools") ?? ability(capabilities.function_calling),
    images: has(inputs, "image") ?? ability(capabilities.image_input) ?? ability(capabilities.vision),
    thinking:
      has(parameters, "reasoning") ??
      ability(capabilities.thinking) ??
      ability(capabilities.reasoning) ??
      ability(item.thinking),
    price: priceIn(item.pricing),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { ...known, name: id.replace(/^models\//, "") };
}

/** Yes or no, as a value or as what is supported. */
function ability(value: unknown): boolean | undefined {
  const said = isRecord(value) ? value.supported : value;
  return typeof said === "boolean" ? said : undefined;
}

function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && value > 0);
}

/** OpenRouter tells dollars for one token, as texts; a router among its models has none, and says -1. */
function priceIn(pricing: unknown): ModelFacts["price"] {
  if (!isRecord(pricing)) return undefined;
  const [input, output] = [Number(pricing.prompt ?? Number.NaN), Number(pricing.completion ?? Number.NaN)];
  if (!(input >= 0 && output >= 0)) return undefined;
  const read = Number(pricing.input_cache_read ?? pricing.prompt);
  const write = Number(pricing.input_cache_write ?? pricing.prompt);
  return price(input * 1e6, output * 1e6, read * 1e6, write * 1e6);
}
