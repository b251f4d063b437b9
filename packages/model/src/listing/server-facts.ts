// What a model's own server tells of it (window, price, abilities), asked before the first request of a turn.
//
// - A turn waits for it, for a second at most: a server of this machine that loads a model is busy. No reply means no facts.
// - Replies, and their absence, are cached for a minute: a local server may load its model with another window at any time.
// - No request is sent for a model whose window is known already, nor for a package of the AI SDK, and none elsewhere
//   where nothing may leave the machine.
// - A model that only may be needed (a fallback, the remote one of hybrid_auto) is asked about by its first request.

import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { remoteAddressOf } from "../network/own-machine.ts";
import {
  accessProvider,
  isModelFailure,
  type ModelSources,
  type ProviderAccess,
  resolveModel,
} from "../providers.ts";
import { limitsOf, type ModelFacts } from "../table/model-limits.ts";
import { wrapModel } from "../wrapped-model.ts";
import { isLocalProvider, localFacts } from "./local-servers.ts";
import { remoteModels } from "./remote-models.ts";

export interface FactsOptions {
  /** Whether only a server of this machine may be asked. */
  readonly staysOnMachine?: boolean;
  /** Whether to ask at once, not only with the first request. */
  readonly isFirst?: boolean;
}

interface CachedFacts {
  readonly until: number;
  readonly facts: Promise<ModelFacts | undefined>;
}

const keepMs = 60_000;
const maxCached = 100;
const timeoutMs = 1000;
const cache = new Map<string, CachedFacts>();

/** The model of this name, with what its server tells of it. */
export async function resolveWithFacts(
  name: string,
  sources: ModelSources,
  options: FactsOptions = {},
): Promise<Model | ModelFailure> {
  const plain = await resolveModel(name, sources);
  if (isModelFailure(plain) || plain.provider === "practice") return plain;
  let current: Model = plain;
  let isAsked = false;
  const inform = async () => {
    if (isAsked) return;
    isAsked = true;
    const facts = await factsOf(plain, sources, options.staysOnMachine ?? false);
    const better = facts === undefined ? plain : await resolveModel(name, sources, facts);
    if (!isModelFailure(better)) current = better;
  };
  if (options.isFirst) {
    await inform();
    return current;
  }
  return wrapModel(
    () => current,
    async function* (request: ModelRequest, signal?: AbortSignal): AsyncGenerator<ModelEvent> {
      await inform();
      yield* current.stream(request, signal);
    },
  );
}

function factsOf(
  { provider, name }: Model,
  sources: ModelSources,
  staysOnMachine: boolean,
): Promise<ModelFacts | undefined> {
  const access = accessProvider(provider, sources);
  if ("kind" in access || access.baseURL === undefined || isKnown(access, name, sources))
    return Promise.resolve(undefined);
  if (staysOnMachine && remoteAddressOf(`${provider}/${name}`, sources) !== undefined)
    return Promise.resolve(undefined);
  const key = JSON.stringify([provider, access.baseURL, access.apiKey, name]);
  const known = cache.get(key);
  if (known !== undefined && known.until > Date.now()) return known.facts;
  const facts = isLocalProvider(provider)
    ? localFacts(provider, name, { ...sources, timeoutMs })
    : remoteModels(access, sources.environment ?? process.env, timeoutMs).then((models) =>
        models.find((model) => model.name === name),
      );
  cache.delete(key);
  cache.set(key, { until: Date.now() + keepMs, facts });
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return facts;
}

/** By the configuration, or by the table of limits: the providers in that table have no better facts. */
function isKnown({ definition }: ProviderAccess, model: string, sources: ModelSources): boolean {
  const { contextWindow, price } = sources.providers?.[definition.name]?.models?.[model] ?? {};
  if (definition.family !== "openai-compatible")
    return (contextWindow ?? limitsOf(model, definition.name)) !== undefined;
  return contextWindow !== undefined && (price !== undefined || definition.isLocal);
}
