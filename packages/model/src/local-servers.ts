// Model servers on this machine, found by asking loopback: Ollama, LM Studio, llama.cpp.
//
// Only addresses of this machine are asked, or those that the user set. Nobody answering within the time is an answer:
// a closed port refuses at once, so the time only matters for something that listens and stays silent. What a server says
// is read up to a bound, and only what has the expected shape counts: another program may well listen on port 8080.

import type { ModelLimits } from "./model-limits.ts";
import { type Environment, findProvider, normalBaseURL } from "./provider-catalog.ts";

export interface LocalModel {
  /** As `resolveModel` takes it: `ollama/qwen3:8b`. */
  readonly name: string;
  readonly contextWindow?: number;
}

export interface LocalServer {
  readonly provider: "ollama" | "lmstudio" | "llamacpp";
  readonly baseURL: string;
  readonly models: readonly LocalModel[];
}

export interface FindOptions {
  readonly environment?: Environment;
  readonly timeoutMs?: number;
}

const providers = ["ollama", "lmstudio", "llamacpp"] as const;
const maxAnswerLength = 1_000_000;

export async function findLocalServers(options: FindOptions = {}): Promise<LocalServer[]> {
  const found = await Promise.all(providers.map((provider) => askServer(provider, options)));
  return found.filter((server) => server !== undefined);
}

/** What the servers said of their models, in the form that `resolveModel` takes. */
export function localLimits(servers: readonly LocalServer[]): Map<string, Partial<ModelLimits>> {
  const limits = new Map<string, Partial<ModelLimits>>();
  for (const { models } of servers) {
    for (const { name, contextWindow } of models) {
      if (contextWindow !== undefined) limits.set(name, { contextWindow });
    }
  }
  return limits;
}

async function askServer(
  provider: LocalServer["provider"],
  options: FindOptions,
): Promise<LocalServer | undefined> {
  const baseURL = addressOf(provider, options.environment ?? process.env);
  if (baseURL === undefined) return undefined;
  const { origin } = new URL(baseURL);
  const get = (path: string) => fetchJson(origin + path, options.timeoutMs ?? 300);
  const models = await listers[provider](get);
  if (models === undefined) return undefined;
  return {
    provider,
    baseURL,
    models: models.map((model) => ({ ...model, name: `${provider}/${model.name}` })),
  };
}

type Get = (path: string) => Promise<unknown>;
type Lister = (get: Get) => Promise<LocalModel[] | undefined>;

const listers: Readonly<Record<LocalServer["provider"], Lister>> = {
  async ollama(get) {
    return list(await get("/api/tags"), "models", (model) => named(model.name));
  },
  async lmstudio(get) {
    // Its own API tells what the OpenAI-like one leaves out, but is not in every release.
    const own = list(await get("/api/v0/models"), "data", (model) =>
      model.type === "embeddings"
        ? undefined
        : named(model.id, model.loaded_context_length ?? model.max_context_length),
    );
    return own ?? list(await get("/v1/models"), "data", (model) => named(model.id));
  },
  async llamacpp(get) {
    const properties = await get("/props");
    if (!isObject(properties)) return undefined;
    const settings = properties.default_generation_settings;
    const window = isObject(settings) ? settings.n_ctx : undefined;
    return list(await get("/v1/models"), "data", (model) => named(model.id, window));
  },
};

function addressOf(provider: LocalServer["provider"], environment: Environment): string | undefined {
  const definition = findProvider(provider);
  if (definition === undefined) return undefined;
  const variable = definition.baseVariables.find((name) => (environment[name] ?? "").trim() !== "");
  const given = (variable === undefined ? undefined : environment[variable]) ?? definition.defaultBaseURL;
  const url = given === undefined ? "" : normalBaseURL(definition, given);
  return URL.canParse(url) ? url : undefined;
}

async function fetchJson(url: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
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
  const items = isObject(answer) ? answer[field] : undefined;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item) => (isObject(item) ? (read(item) ?? []) : []));
}

function named(name: unknown, contextWindow?: unknown): LocalModel | undefined {
  if (typeof name !== "string" || name === "") return undefined;
  return typeof contextWindow === "number" && contextWindow > 0 ? { name, contextWindow } : { name };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
