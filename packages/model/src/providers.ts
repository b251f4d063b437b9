// Models by name.
//
//   name = "practice"                    the embedded model
//        | PROVIDER "/" MODEL            built in: openai, openai-chat, anthropic, google, openai-compatible, ollama, lmstudio, llamacpp
//        | CONFIGURED "/" MODEL          a provider of the user's configuration: an address, or any AI SDK package
//
// What cannot be used is refused here, before any request, as a ModelFailure with one sentence that says what to do.
// Resolving loads nothing; the first request does. `preloadProvider` lets a program load while it does something else.

import type { Model, ModelAbilities, ModelFailure } from "@stet/protocol/model-stream";
import { type HarmonyGuard, mayLeakHarmony } from "./harmony.ts";
import { limitsOf, type ModelFacts, unknownLocalLimits, unknownRemoteLimits } from "./model-limits.ts";
import { hasCredentials, publicAddress } from "./own-address.ts";
import { freePrice, type Price, price, priceOf } from "./prices.ts";
import {
  builtInProviders,
  createFromPackage,
  type Environment,
  findProvider,
  normalBaseURL,
  type ProviderClientOptions,
  type ProviderDefinition,
} from "./provider-catalog.ts";
import { sdkModel } from "./sdk-adapter.ts";

/** A provider as the user configured it. Never read from a project's folder before it is trusted. */
export interface ProviderConfiguration {
  readonly apiKey?: string | undefined;
  /** Another environment variable to take the key from. */
  readonly keyVariable?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An AI SDK provider package; without it a name that is not built in is an OpenAI-compatible server. */
  readonly package?: string | undefined;
  readonly timeout?: TimeoutConfiguration | undefined;
  readonly models?: Readonly<Record<string, ModelConfiguration>> | undefined;
}

export interface TimeoutConfiguration {
  /** Until the answer begins. */
  readonly firstTokenMs?: number | undefined;
  /** Between two pieces of it. */
  readonly idleMs?: number | undefined;
}

export interface ModelConfiguration extends ModelAbilities {
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ConfiguredPrice | undefined;
}

/** In US dollars for a million tokens; the cache costs what input costs unless it is said. */
export interface ConfiguredPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export interface ModelSources {
  readonly environment?: Environment;
  readonly providers?: Readonly<Record<string, ProviderConfiguration>>;
  readonly firstTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Watches arguments for leaked protocol text, and counts it; without it each model has its own. */
  readonly harmony?: HarmonyGuard;
}

export interface ProviderState {
  readonly name: string;
  readonly isUsable: boolean;
  /** Why not, or where its key and address come from, as a sentence. */
  readonly reason: string;
  readonly baseURL?: string;
}

/** How a provider is reached: what is set in the configuration and in the environment, taken together. */
export interface ProviderAccess {
  readonly definition: ProviderDefinition;
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** The environment variable that the key comes from. */
  readonly keyVariable?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Access {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly keyVariable?: string;
}

export function isModelFailure(value: Model | ModelFailure): value is ModelFailure {
  return "kind" in value;
}

/** `facts` are those of the model's server; the configuration takes precedence over them, and they over the tables. */
export async function resolveModel(
  name: string,
  sources: ModelSources = {},
  facts: ModelFacts = {},
): Promise<Model | ModelFailure> {
  const trimmed = name.trim();
  if (trimmed === "practice" || trimmed.startsWith("practice/")) return (await practice()).practiceModel();
  const slash = trimmed.indexOf("/");
  if (slash <= 0 || slash === trimmed.length - 1) {
    return unknownModel(
      `"${name}" is not a model's name. Write PROVIDER/MODEL, as in anthropic/claude-sonnet-4-5.`,
    );
  }
  const providerName = trimmed.slice(0, slash);
  const model = trimmed.slice(slash + 1);
  const access = accessProvider(providerName, sources);
  return "kind" in access ? access : makeModel(access, model, sources, facts);
}

/** For requests to a provider that are not a conversation. */
export function accessProvider(name: string, sources: ModelSources = {}): ProviderAccess | ModelFailure {
  const definition = defineProvider(name, sources);
  if (definition === undefined) {
    const known = builtInProviders.map((provider) => provider.name).join(", ");
    return unknownModel(
      `There is no provider called ${name}. Known are ${known} and practice; configure any other under providers.`,
    );
  }
  const access = accessOf(definition, sources);
  if ("kind" in access) return access;
  const headers = sources.providers?.[definition.name]?.headers;
  return { definition, ...access, ...(headers !== undefined && { headers }) };
}

/** Starts loading what the first request of this model will need. */
export async function preloadProvider(name: string, sources: ModelSources = {}): Promise<void> {
  const providerName = name.split("/", 1)[0] ?? "";
  if (providerName === "practice") {
    await practice();
    return;
  }
  const definition = defineProvider(providerName, sources);
  // Creating a client sends nothing; whatever is wrong is the failure of the first request.
  await definition
    ?.create({ provider: providerName, model: "none", apiKey: "none", baseURL: "http://127.0.0.1" })
    .catch(() => undefined);
}

/** For each provider whether it can be used here, and if not, why. Sends no request: see `findLocalServers` for that. */
export function listProviders(sources: ModelSources = {}): ProviderState[] {
  const names = new Set([
    ...builtInProviders.map((provider) => provider.name),
    ...Object.keys(sources.providers ?? {}),
  ]);
  const states = [...names].flatMap((name) => {
    const definition = defineProvider(name, sources);
    return definition === undefined ? [] : [stateOf(definition, sources)];
  });
  const reason = "It is part of Stet, needs no key, and understands simple requests only.";
  return [{ name: "practice", isUsable: true, reason }, ...states];
}

function stateOf(definition: ProviderDefinition, sources: ModelSources): ProviderState {
  const access = accessOf(definition, sources);
  if ("kind" in access) return { name: definition.name, isUsable: false, reason: access.message };
  const missing = missingPackage(sources.providers?.[definition.name]?.package);
  if (missing !== undefined) return { name: definition.name, isUsable: false, reason: missing };
  const key = access.keyVariable === undefined ? "" : ` Its key comes from ${access.keyVariable}.`;
  return {
    name: definition.name,
    isUsable: true,
    reason: `It is asked at ${access.baseURL === undefined ? "its own address" : publicAddress(access.baseURL)}.${key}`,
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
  };
}

function missingPackage(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    import.meta.resolve(name);
    return undefined;
  } catch {
    return `The package ${name} is not installed. Install it, or give the address of its file.`;
  }
}

function defineProvider(name: string, sources: ModelSources): ProviderDefinition | undefined {
  const builtIn = findProvider(name);
  const configured = sources.providers?.[name];
  if (configured === undefined || (builtIn !== undefined && configured.package === undefined)) return builtIn;
  const packageName = configured.package;
  const common = { name, isLocal: false, keyVariables: [], baseVariables: [], needsKey: false };
  if (packageName !== undefined) {
    return { ...common, family: "other", create: (options) => createFromPackage(packageName, options) };
  }
  const compatible = findProvider("openai-compatible");
  return compatible === undefined ? undefined : { ...compatible, ...common };
}

function accessOf(definition: ProviderDefinition, sources: ModelSources): Access | ModelFailure {
  const environment = sources.environment ?? process.env;
  const configured = sources.providers?.[definition.name];
  const keyVariables =
    configured?.keyVariable === undefined ? definition.keyVariables : [configured.keyVariable];
  const keyVariable = keyVariables.find((variable) => isSet(environment[variable]));
  const apiKey = (
    configured?.apiKey ?? (keyVariable === undefined ? undefined : environment[keyVariable])
  )?.trim();
  // A provider whose key variable the person named is not to be used without a key.
  if ((definition.needsKey || configured?.keyVariable !== undefined) && apiKey === undefined) {
    return {
      kind: "authentication",
      message: `${definition.name} needs a key. Set ${keyVariables[0] ?? "its variable"}, or providers.${definition.name}.apiKey in your own configuration.`,
    };
  }
  const baseVariable = definition.baseVariables.find((variable) => isSet(environment[variable]));
  const given =
    configured?.baseURL ??
    (baseVariable === undefined ? undefined : environment[baseVariable]) ??
    definition.defaultBaseURL;
  if (given === undefined && definition.family === "openai-compatible") {
    const where = definition.baseVariables[0] ?? `providers.${definition.name}.baseURL`;
    return {
      kind: "invalid_request",
      message: `${definition.name} needs a base URL. Set ${where} to the server's address, as in http://127.0.0.1:8000/v1.`,
    };
  }
  const baseURL = given === undefined ? undefined : normalBaseURL(definition, given);
  if (baseURL !== undefined && !isHttp(baseURL)) {
    return {
      kind: "invalid_request",
      message: `The base URL of ${definition.name}, "${publicAddress(given ?? "")}", is not an address. Write it with http:// or https:// in front.`,
    };
  }
  if (baseURL !== undefined && hasCredentials(baseURL)) {
    return {
      kind: "invalid_request",
      message: `The base URL of ${definition.name} contains a name or a password. Send them as a header instead: providers.${definition.name}.headers.`,
    };
  }
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
    ...(keyVariable !== undefined && configured?.apiKey === undefined && { keyVariable }),
  };
}

function makeModel(access: ProviderAccess, name: string, sources: ModelSources, facts: ModelFacts): Model {
  const { definition } = access;
  const provider = definition.name;
  const configured = sources.providers?.[provider];
  const override = configured?.models?.[name];
  const firstTimeoutMs = configured?.timeout?.firstTokenMs ?? sources.firstTimeoutMs;
  const idleTimeoutMs = configured?.timeout?.idleMs ?? sources.idleTimeoutMs;
  const known = limitsOf(name) ?? (definition.isLocal ? unknownLocalLimits : unknownRemoteLimits);
  const knownPrice = override?.price === undefined ? undefined : configuredPrice(override.price);
  const charge = knownPrice ?? (definition.isLocal ? freePrice : (facts.price ?? priceOf(provider, name)));
  const options: ProviderClientOptions = {
    provider,
    model: name,
    ...(sources.environment !== undefined && { environment: sources.environment }),
    ...(access.apiKey !== undefined && { apiKey: access.apiKey }),
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
    ...(configured?.headers !== undefined && { headers: configured.headers }),
  };
  return sdkModel({
    provider,
    name,
    contextWindow: override?.contextWindow ?? facts.contextWindow ?? known.contextWindow,
    maxOutput: override?.maxOutput ?? facts.maxOutput ?? known.maxOutput,
    abilities: {
      tools: override?.tools ?? facts.tools,
      images: override?.images ?? facts.images,
      thinking: override?.thinking ?? facts.thinking,
    },
    family: definition.family,
    load: () => definition.create(options),
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
    ...(access.keyVariable !== undefined && { keyVariable: access.keyVariable }),
    ...(charge !== undefined && { price: charge }),
    ...(sources.harmony !== undefined && mayLeakHarmony(name) && { harmony: sources.harmony }),
    ...(firstTimeoutMs !== undefined && { firstTimeoutMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  });
}

function configuredPrice({ input, output, cacheRead, cacheWrite }: ConfiguredPrice): Price {
  return price(input, output, cacheRead ?? input, cacheWrite);
}

function practice() {
  return import("./practice/practice-model.ts");
}

function unknownModel(message: string): ModelFailure {
  return { kind: "not_found", message };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
