// The providers that can be named, and what each needs to be used: its package, its key, its address.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { UnusableProvider } from "./failure.ts";
import { modelFetch } from "./model-fetch.ts";
import { packetMergingFetch } from "./packet-merge.ts";
import type { Family } from "./sdk-prompt.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProviderDefinition {
  readonly name: string;
  readonly family: Family;
  /** The first that is set counts. Empty: the provider needs no key. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly baseVariables: readonly string[];
  readonly defaultBaseURL?: string;
  /** On this machine, for routing and for limits. */
  readonly isLocal: boolean;
  create(options: ProviderClientOptions): Promise<LanguageModelV4>;
}

export interface ProviderClientOptions {
  readonly provider: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names the person's proxies. */
  readonly environment?: Environment;
}

export const builtInProviders: readonly ProviderDefinition[] = [
  {
    name: "openai",
    family: "openai-responses",
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    baseVariables: ["OPENAI_BASE_URL"],
    defaultBaseURL: "https://api.openai.com/v1",
    isLocal: false,
    create: async (options) => (await openai(options, "openai-responses")).responses(options.model),
  },
  {
    name: "openai-chat",
    family: "openai-chat",
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    baseVariables: ["OPENAI_BASE_URL"],
    defaultBaseURL: "https://api.openai.com/v1",
    isLocal: false,
    create: async (options) => (await openai(options, "openai-chat")).chat(options.model),
  },
  {
    name: "anthropic",
    family: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    baseVariables: ["ANTHROPIC_BASE_URL"],
    defaultBaseURL: "https://api.anthropic.com/v1",
    isLocal: false,
    async create(options) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(clientSettings(options, "anthropic"))(options.model);
    },
  },
  {
    name: "google",
    family: "google",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    needsKey: true,
    baseVariables: ["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    defaultBaseURL: "https://generativelanguage.googleapis.com/v1beta",
    isLocal: false,
    async create(options) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(clientSettings(options, "google"))(options.model);
    },
  },
  {
    name: "openai-compatible",
    family: "openai-compatible",
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY", "OPENAI_API_KEY"],
    needsKey: false,
    baseVariables: ["OPENAI_COMPATIBLE_BASE_URL", "OPENAI_BASE_URL"],
    isLocal: false,
    create: compatible,
  },
  localProvider("ollama", ["OLLAMA_BASE_URL", "OLLAMA_HOST"], "http://127.0.0.1:11434/v1"),
  localProvider("lmstudio", ["LMSTUDIO_BASE_URL"], "http://127.0.0.1:1234/v1"),
  localProvider("llamacpp", ["LLAMACPP_BASE_URL"], "http://127.0.0.1:8080/v1"),
];

export function findProvider(name: string): ProviderDefinition | undefined {
  return builtInProviders.find((provider) => provider.name === name || aliases[name] === provider.name);
}

const aliases: Readonly<Record<string, string>> = {
  "openai-responses": "openai",
  gemini: "google",
  claude: "anthropic",
  "lm-studio": "lmstudio",
  "llama.cpp": "llamacpp",
};

/** Brings an address into the form that clients append paths to. `OLLAMA_HOST` may be a bare host and port. */
export function normalBaseURL(provider: ProviderDefinition, given: string): string {
  let url = given.trim().replace(/\/+$/, "");
  if (provider.isLocal && !/^[\w+.-]+:\/\//.test(url)) url = `http://${url}`;
  // What Ollama listens on is not where it can be called.
  if (provider.isLocal) url = url.replace("//0.0.0.0", "//127.0.0.1");
  return provider.isLocal && URL.canParse(url) && new URL(url).pathname === "/" ? `${url}/v1` : url;
}

/** Any other package of the AI SDK: the first of its exports that is called create… makes the provider. */
export async function createFromPackage(
  packageName: string,
  options: ProviderClientOptions,
): Promise<LanguageModelV4> {
  const loaded = await load(packageName);
  const factory = Object.entries(hasProperties(loaded) ? loaded : {}).find(
    ([name, value]) => /^create[A-Z]/.test(name) && typeof value === "function",
  )?.[1];
  if (typeof factory !== "function") {
    throw new UnusableProvider(
      `The package ${packageName} is not an AI SDK provider: it exports no create function.`,
    );
  }
  const provider: unknown = factory({ ...clientSettings(options, "other"), name: options.provider });
  const model: unknown =
    hasProperties(provider) && typeof provider.languageModel === "function"
      ? provider.languageModel(options.model)
      : typeof provider === "function"
        ? provider(options.model)
        : undefined;
  if (isLanguageModel(model)) return model;
  throw new UnusableProvider(
    `The package ${packageName} does not speak version 4 of the AI SDK's provider interface. Install its newest release.`,
  );
}

async function load(packageName: string): Promise<unknown> {
  try {
    return await import(packageName);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    throw new UnusableProvider(
      `The provider package ${packageName} cannot be loaded (${why}). Install it, or give the address of its file.`,
    );
  }
}

function localProvider(name: string, baseVariables: readonly string[], url: string): ProviderDefinition {
  return {
    name,
    family: "openai-compatible",
    keyVariables: [],
    needsKey: false,
    baseVariables,
    defaultBaseURL: url,
    isLocal: true,
    create: compatible,
  };
}

async function openai(options: ProviderClientOptions, family: Family) {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI(clientSettings(options, family));
}

async function compatible(options: ProviderClientOptions): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = {
    ...clientSettings(options, "openai-compatible"),
    baseURL: options.baseURL ?? "",
    includeUsage: true,
  };
  return createOpenAICompatible({ ...settings, name: options.provider })(options.model);
}

function clientSettings(options: ProviderClientOptions, family: Family) {
  return {
    fetch: packetMergingFetch(family, modelFetch(options.environment ?? process.env)),
    ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
    ...(options.baseURL !== undefined && { baseURL: options.baseURL }),
    ...(options.headers !== undefined && { headers: { ...options.headers } }),
  };
}

/** A provider is a function with properties, a module a plain object. */
function hasProperties(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

function isLanguageModel(value: unknown): value is LanguageModelV4 {
  return hasProperties(value) && value.specificationVersion === "v4" && typeof value.doStream === "function";
}
