// The providers that can be named (catalog/), and any other package of the AI SDK.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { UnusableProvider } from "../failure/failure.ts";
import { clientSettings } from "./client-settings.ts";
import { cloudProviders } from "./cloud-providers.ts";
import { compatibleProviders } from "./compatible-providers.ts";
import { keyProviders } from "./key-providers.ts";
import type { ProviderClientOptions, ProviderDefinition } from "./provider-definition.ts";

export type {
  Environment,
  ProviderClientOptions,
  ProviderDefinition,
  ProviderField,
} from "./provider-definition.ts";

export const builtInProviders: readonly ProviderDefinition[] = [
  ...keyProviders,
  ...cloudProviders,
  ...compatibleProviders,
];

export function findProvider(name: string): ProviderDefinition | undefined {
  return builtInProviders.find((provider) => provider.name === name || aliases[name] === provider.name);
}

const aliases: Readonly<Record<string, string>> = {
  "openai-responses": "openai",
  gemini: "google",
  "azure-openai": "azure",
  "amazon-bedrock": "bedrock",
  "google-vertex": "vertex",
  grok: "xai",
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

/** A provider is a function with properties, a module a plain object. */
function hasProperties(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

function isLanguageModel(value: unknown): value is LanguageModelV4 {
  return hasProperties(value) && value.specificationVersion === "v4" && typeof value.doStream === "function";
}
