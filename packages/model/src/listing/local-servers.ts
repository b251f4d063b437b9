// Model servers on this machine, found by asking loopback: Ollama, LM Studio, llama.cpp, vLLM.
//
// Only addresses of this machine are asked, or those that the user set. No reply within the timeout counts as no server: a
// closed port refuses at once, so the timeout only matters for something that listens and never replies. What a server says
// is read up to a bound, and only what has the expected shape counts: another program may well listen on port 8080.

import { isRecord } from "@stet/protocol/json-record";
import { withKey } from "../access/provider-access.ts";
import { networkFetch } from "../network/model-fetch.ts";
import { isOwnMachine } from "../network/own-address.ts";
import { remoteAddressOf } from "../network/own-machine.ts";
import { ollamaFacts, ollamaModels } from "../ollama/ollama-facts.ts";
import { accessProvider, type ModelSources } from "../providers.ts";
import { type ModelFacts, unknownLocalLimits } from "../table/model-limits.ts";

export interface LocalModel extends ModelFacts {
  /** As `resolveModel` takes it: `ollama/qwen3:8b`. */
  readonly name: string;
}

export interface LocalServer {
  readonly provider: LocalProvider;
  readonly baseURL: string;
  readonly models: readonly LocalModel[];
}

export interface ProbeOptions extends Pick<ModelSources, "environment" | "providers" | "storedKeys"> {
  readonly timeoutMs?: number;
  /** Whether a server that the user set elsewhere is left alone. */
  readonly staysOnMachine?: boolean;
}

const providers = ["ollama", "lmstudio", "llamacpp", "vllm"] as const;
export type LocalProvider = (typeof providers)[number];
const maxAnswerLength = 1_000_000;
/** A server on a busy machine, or one that loads a model, takes a while. */
export const answerMs = 2000;

export async function findLocalServers(options: ProbeOptions = {}): Promise<LocalServer[]> {
  const found = await Promise.all(providers.map((provider) => askServer(provider, options)));
  return found.filter((server) => server !== undefined);
}

export function isLocalProvider(name: string): name is LocalProvider {
  return providers.some((provider) => provider === name);
}

/** The server's facts about one model; undefined where no server replies or none knows the model. */
export async function localFacts(
  provider: LocalProvider,
  model: string,
  options: ProbeOptions = {},
): Promise<ModelFacts | undefined> {
  const server = reach(provider, options);
  return server === undefined ? undefined : kinds[provider].facts(server, model);
}

async function askServer(provider: LocalProvider, options: ProbeOptions): Promise<LocalServer | undefined> {
  const server = reach(provider, options);
  if (server === undefined) return undefined;
  const models = await kinds[provider].list(server);
  if (models === undefined) return undefined;
  return {
    provider,
    baseURL: server.baseURL,
    models: models.map((model) => ({ ...model, name: `${provider}/${model.name}` })),
  };
}

/** Gets a path of the server, or posts to it where there is something to say. */
type Ask = (path: string, body?: unknown) => Promise<unknown>;

interface ServerKind {
  list(server: Reached): Promise<LocalModel[] | undefined>;
  facts(server: Reached, model: string): Promise<ModelFacts | undefined>;
}

const lmstudio: ServerKind = {
  async list({ ask }) {
    // Its own API tells what the OpenAI-like one leaves out, but is not in every release.
    const own = list(await ask("/api/v0/models"), "data", (model) =>
      model.type === "embeddings" ? undefined : named(model.id, studioFacts(model)),
    );
    return own ?? list(await ask("/v1/models"), "data", (model) => named(model.id));
  },
  async facts({ ask }, name) {
    const models = list(await ask("/api/v0/models"), "data", (model) => named(model.id, studioFacts(model)));
    return models?.find((model) => model.name === name);
  },
};

const llamacpp: ServerKind = {
  async list({ ask }) {
    const facts = llamaFacts(await ask("/props"));
    return facts && list(await ask("/v1/models"), "data", (model) => named(model.id, facts));
  },
  // It serves the one model that it was started with, under whatever name.
  facts: async ({ ask }, _name) => llamaFacts(await ask("/props")),
};

const ollama: ServerKind = {
  list: ({ ask, baseURL }) => ollamaModels(ask, isOwnMachine(baseURL)),
  facts: ({ ask, baseURL }, name) => ollamaFacts(ask, name, isOwnMachine(baseURL)),
};

const vllm: ServerKind = {
  async list({ ask }) {
    const models = list(await ask("/v1/models"), "data", vllmModel);
    return models?.length === 0 ? undefined : models;
  },
  async facts({ ask }, name) {
    return list(await ask("/v1/models"), "data", vllmModel)?.find((model) => model.name === name);
  },
};

const kinds: Readonly<Record<LocalProvider, ServerKind>> = { ollama, lmstudio, llamacpp, vllm };

/** Many programs listen on port 8000; only vLLM says how long a conversation may be. */
function vllmModel(model: Record<string, unknown>): LocalModel | undefined {
  const contextWindow = positive(model.max_model_len);
  return contextWindow === undefined ? undefined : named(model.id, { contextWindow });
}

function studioFacts(model: Record<string, unknown>): ModelFacts {
  const { capabilities } = model;
  return {
    contextWindow: positive(model.loaded_context_length) ?? atMost(model.max_context_length),
    ...(typeof model.type === "string" && { images: model.type === "vlm" }),
    // Those that were not trained for tools are offered them in their prompt, and may well use them.
    ...(Array.isArray(capabilities) && capabilities.includes("tool_use") && { tools: true }),
  };
}

function llamaFacts(properties: unknown): ModelFacts | undefined {
  if (!isRecord(properties)) return undefined;
  const { default_generation_settings: settings, modalities, chat_template_caps: caps } = properties;
  return {
    contextWindow: isRecord(settings) ? positive(settings.n_ctx) : undefined,
    ...(isRecord(modalities) && typeof modalities.vision === "boolean" && { images: modalities.vision }),
    ...(isRecord(caps) && typeof caps.supports_tools === "boolean" && { tools: caps.supports_tools }),
  };
}

/** What a model could take is not what it is loaded with: until it is, only a smaller size than the usual one counts. */
function atMost(trained: unknown): number | undefined {
  const window = positive(trained);
  return window && Math.min(window, unknownLocalLimits.contextWindow);
}

interface Reached {
  readonly baseURL: string;
  readonly ask: Ask;
}

/** Undefined where it has no address, or one elsewhere that may not be asked. */
function reach(
  provider: LocalProvider,
  { staysOnMachine, timeoutMs = answerMs, ...sources }: ProbeOptions,
): Reached | undefined {
  if (staysOnMachine && remoteAddressOf(`${provider}/any`, sources) !== undefined) return undefined;
  const access = accessProvider(provider, sources);
  if ("kind" in access || access.baseURL === undefined) return undefined;
  const { baseURL } = access;
  const root = baseURL.replace(/\/v1$/, "");
  const send = networkFetch(sources.environment ?? process.env);
  const ask: Ask = async (path, body) => {
    const usable = await withKey(access);
    if ("kind" in usable) return undefined;
    const { apiKey, headers } = usable;
    return fetchJson(send, root + path, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
  };
  return { baseURL, ask };
}

async function fetchJson(send: typeof fetch, url: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await send(url, request);
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      return undefined;
    }
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.length > maxAnswerLength) return undefined;
    }
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function list(
  answer: unknown,
  field: string,
  read: (model: Record<string, unknown>) => LocalModel | undefined,
): LocalModel[] | undefined {
  const items = isRecord(answer) ? answer[field] : undefined;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item) => (isRecord(item) ? (read(item) ?? []) : []));
}

function named(name: unknown, facts: ModelFacts = {}): LocalModel | undefined {
  return typeof name !== "string" || name === "" ? undefined : { name, ...facts };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
