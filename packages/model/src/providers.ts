// Models by name.
//
//   name = "practice"                    the embedded model
//        | PROVIDER "/" MODEL            built in: openai, openai-chat, anthropic, google, openai-compatible, ollama, lmstudio, llamacpp
//        | CONFIGURED "/" MODEL          a provider of the user's configuration: an address, or any AI SDK package
//
// What cannot be used is refused here, before any request, as a ModelFailure with one sentence that says what to do.
// Resolving loads nothing; the first request does.

import type { Model, ModelAbilities, ModelFailure, ModelField } from "@stet/protocol/model-stream";
import { rotatingModel } from "./access/key-rotation.ts";
import { accessOf, keyWords, secretsIn } from "./access/provider-access.ts";
import { type StoredKey, type StoredKeys, secretParts } from "./access/stored-keys.ts";
import { type HarmonyGuard, mayLeakHarmony } from "./adapter/harmony.ts";
import { type SdkModelSetup, sdkModel } from "./adapter/sdk-adapter.ts";
import {
  builtInProviders,
  createFromPackage,
  type Environment,
  findProvider,
  type ProviderClientOptions,
  type ProviderDefinition,
} from "./catalog/provider-catalog.ts";
import { publicAddress } from "./network/own-address.ts";
import { limitsOf, type ModelFacts, unknownLocalLimits, unknownRemoteLimits } from "./table/model-limits.ts";
import { freePrice, type Price, price, priceOf } from "./table/prices.ts";
import { withTextTools } from "./text-tools/text-tools.ts";

/** A provider as the user configured it. Never read from a project's folder before it is trusted. */
export interface ProviderConfiguration {
  readonly apiKey?: string | undefined;
  /** Another environment variable to take the key from. */
  readonly keyVariable?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An AI SDK provider package; without it a name that is not built in is an OpenAI-compatible server. */
  readonly package?: string | undefined;
  /** The provider's own options, such as a region, by the names of its fields. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** Where `stet login --device` gets its tokens. */
  readonly oauth?: OauthConfiguration | undefined;
  readonly timeout?: TimeoutConfiguration | undefined;
  readonly models?: Readonly<Record<string, ModelConfiguration>> | undefined;
}

/** A provider's OAuth device flow. */
export interface OauthConfiguration {
  readonly deviceURL: string;
  readonly tokenURL: string;
  readonly clientId: string;
  readonly scope?: string | undefined;
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
  /** The keys that were kept on this machine; read when a provider is asked for. */
  readonly storedKeys?: StoredKeys | undefined;
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
  /** The environment variable that its key comes from. */
  readonly keyVariable?: string;
  /** What to mend where it cannot be used. */
  readonly field?: ModelField;
  /** Undefined for the practice model. */
  readonly definition?: ProviderDefinition;
}

/** How a provider is reached: what is set in the configuration and in the environment, taken together. */
export interface ProviderAccess {
  readonly definition: ProviderDefinition;
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** The environment variable that the key comes from. */
  readonly keyVariable?: string;
  /** Keys that were kept here: where there are any, they are used, and `apiKey` is undefined until `withKey`. */
  readonly storedKeys?: readonly StoredKey[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The provider's own options, by the names of its fields. */
  readonly options?: Readonly<Record<string, string>>;
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
  const { name } = definition;
  if ("kind" in access) {
    const { field = "address" } = access.mend ?? {};
    return { name, isUsable: false, reason: access.message, field, definition };
  }
  const missing = missingPackage(sources.providers?.[name]?.package);
  if (missing !== undefined) return { name, isUsable: false, reason: missing, field: "package", definition };
  const key = keyWords(access);
  return {
    name,
    isUsable: true,
    definition,
    reason: `It is asked at ${access.baseURL === undefined ? "its own address" : publicAddress(access.baseURL)}.${key}`,
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
    ...(access.keyVariable !== undefined && { keyVariable: access.keyVariable }),
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
  const common = { name, title: name, isLocal: false, keyVariables: [], baseVariables: [], needsKey: false };
  if (packageName !== undefined) {
    const create = (options: ProviderClientOptions) => createFromPackage(packageName, options);
    return { ...common, kind: "package", fields: [], family: "other", create };
  }
  const compatible = findProvider("openai-compatible");
  return compatible === undefined ? undefined : { ...compatible, ...common };
}

function makeModel(access: ProviderAccess, name: string, sources: ModelSources, facts: ModelFacts): Model {
  const { definition } = access;
  const provider = definition.name;
  const configured = sources.providers?.[provider];
  const override = configured?.models?.[name];
  const firstTimeoutMs = configured?.timeout?.firstTokenMs ?? sources.firstTimeoutMs;
  const idleTimeoutMs = configured?.timeout?.idleMs ?? sources.idleTimeoutMs;
  const window = override?.contextWindow ?? facts.contextWindow;
  // The table is not read for a model that is known without it.
  const table = window === undefined ? limitsOf(name, provider) : undefined;
  const known = table ?? (definition.isLocal ? unknownLocalLimits : unknownRemoteLimits);
  const knownPrice = override?.price === undefined ? undefined : configuredPrice(override.price);
  const charge = knownPrice ?? (definition.isLocal ? freePrice : (facts.price ?? priceOf(provider, name)));
  const client: ProviderClientOptions = {
    provider,
    model: name,
    ...(sources.environment !== undefined && { environment: sources.environment }),
    ...(access.apiKey !== undefined && { apiKey: access.apiKey }),
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
    ...(access.options !== undefined && { options: access.options }),
    ...(configured?.headers !== undefined && { headers: configured.headers }),
    window: { most: window ?? known.contextWindow, isFixed: override?.contextWindow !== undefined },
  };
  const setup: Omit<SdkModelSetup, "load"> = {
    provider,
    name,
    contextWindow: window ?? known.contextWindow,
    maxOutput: override?.maxOutput ?? facts.maxOutput ?? known.maxOutput,
    abilities: {
      tools: override?.tools ?? facts.tools,
      images: override?.images ?? facts.images,
      thinking: override?.thinking ?? facts.thinking,
    },
    family: definition.family,
    ...(access.baseURL !== undefined && { baseURL: access.baseURL }),
    ...(access.keyVariable !== undefined && { keyVariable: access.keyVariable }),
    ...(charge !== undefined && { price: charge }),
    ...(sources.harmony !== undefined && mayLeakHarmony(name) && { harmony: sources.harmony }),
    ...(firstTimeoutMs !== undefined && { firstTimeoutMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  };
  const make = (own: ProviderClientOptions) =>
    sdkModel({ ...setup, secrets: secretsIn(own, definition), load: () => definition.create(own) });
  const plain = make(client);
  const { storedKeys } = access;
  if (storedKeys === undefined) return withTextTools(plain, access.baseURL);
  const rotating = rotatingModel(storedKeys, plain, (secret, key) => {
    return make({ ...client, ...secretParts(key, secret, access.options) });
  });
  return withTextTools(rotating, access.baseURL);
}

export function configuredPrice({ input, output, cacheRead, cacheWrite }: ConfiguredPrice): Price {
  return price(input, output, cacheRead ?? input, cacheWrite);
}

function practice() {
  return import("./practice/practice-model.ts");
}

function unknownModel(message: string): ModelFailure {
  return { kind: "not_found", message };
}
