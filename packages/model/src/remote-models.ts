// The models that a provider far away says it has: `GET …/models`, with the key that its requests are sent with.
//
// Asked at most every ten minutes, for two seconds at most, and read up to a bound. A server that does not reply, or not with a
// list, has none to show; its models can still be named. What a list tells of its models beside their names (OpenRouter,
// vLLM, Mistral and Google do) is cached with them.

import { isRecord } from "@stet/protocol/json-record";
import { networkFetch } from "./model-fetch.ts";
import type { ModelFacts } from "./model-limits.ts";
import { price } from "./prices.ts";
import type { Environment } from "./provider-catalog.ts";
import type { ProviderAccess } from "./providers.ts";

export interface RemoteModel extends ModelFacts {
  readonly name: string;
}

interface Cached {
  readonly at: number;
  readonly models: Promise<readonly RemoteModel[]>;
}

const keepMs = 600_000;
const maxBytes = 4_000_000;
const maxModels = 1000;
const cache = new Map<string, Cached>();
const maxCached = 50;

export function remoteModels(
  access: ProviderAccess,
  environment: Environment,
  timeoutMs = 2000,
): Promise<readonly RemoteModel[]> {
  const name = `${access.definition.name} ${access.baseURL} ${access.apiKey}`;
  const known = cache.get(name);
  if (known !== undefined && Date.now() - known.at < keepMs) return known.models;
  const models = ask(access, environment, timeoutMs);
  cache.delete(name);
  cache.set(name, { at: Date.now(), models });
  // A server that did not answer is asked again the next time.
  void models.then((found) => {
    if (found.length === 0) cache.delete(name);
  });
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return models;
}

async function ask(
  { definition, baseURL, apiKey, headers }: ProviderAccess,
  environment: Environment,
  timeoutMs: number,
): Promise<readonly RemoteModel[]> {
  if (baseURL === undefined || definition.family === "other") return [];
  const isGoogle = definition.family === "google";
  try {
    const response = await networkFetch(environment)(`${baseURL}/models${isGoogle ? "?pageSize=1000" : ""}`, {
      headers: { ...keyHeaders(definition.family, apiKey), ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || response.body === null) return [];
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.length > maxBytes) return [];
    }
    return listed(JSON.parse(text));
  } catch {
    return [];
  }
}

function keyHeaders(family: string, key: string | undefined): Record<string, string> {
  if (family === "anthropic")
    return { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) };
  if (key === undefined) return {};
  return family === "google" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}

function listed(answer: unknown): RemoteModel[] {
  const items = isRecord(answer) ? (answer.data ?? answer.models) : answer;
  if (!Array.isArray(items)) return [];
  return items.slice(0, maxModels).flatMap((item) => (isRecord(item) ? (modelIn(item) ?? []) : []));
}

/** Names that say that a model makes something else than answers. */
const otherKinds = /embed|whisper|tts|dall-e|moderation|transcribe|realtime|image-\d|sora|imagen|veo-/i;

function modelIn(item: Readonly<Record<string, unknown>>): RemoteModel | undefined {
  const id = typeof item.id === "string" ? item.id : item.name;
  if (typeof id !== "string" || id === "" || otherKinds.test(id)) return undefined;
  const methods = item.supportedGenerationMethods;
  if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
  const window = positive(
    item.context_length ?? item.max_model_len ?? item.max_context_length ?? item.inputTokenLimit,
  );
  const output = positive(item.outputTokenLimit);
  const inputs = isRecord(item.architecture) ? item.architecture.input_modalities : undefined;
  const parameters = item.supported_parameters;
  const cost = priceIn(item.pricing);
  return {
    name: id.replace(/^models\//, ""),
    ...(window !== undefined && { contextWindow: window }),
    ...(output !== undefined && { maxOutput: output }),
    ...(Array.isArray(inputs) && { images: inputs.includes("image") }),
    ...(Array.isArray(parameters) && {
      tools: parameters.includes("tools"),
      thinking: parameters.includes("reasoning"),
    }),
    ...(cost !== undefined && { price: cost }),
  };
}

/** OpenRouter tells dollars for one token, as texts. */
function priceIn(pricing: unknown): ModelFacts["price"] {
  if (!isRecord(pricing)) return undefined;
  const [input, output] = [Number(pricing.prompt ?? Number.NaN), Number(pricing.completion ?? Number.NaN)];
  if (!(input >= 0 && output >= 0)) return undefined;
  const read = Number(pricing.input_cache_read ?? pricing.prompt);
  const write = Number(pricing.input_cache_write ?? pricing.prompt);
  return price(input * 1e6, output * 1e6, read * 1e6, write * 1e6);
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
