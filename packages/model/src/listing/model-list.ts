// What can be used here, and for the rest why not: every provider with its state and its models.
//
// Local servers are asked, and so is a provider far away that has its key and address, unless nothing may leave the machine.
// One that does not say which models it has shows those of the configuration and of the price table: examples, since any
// name of the provider's may be used.

import { publicAddress } from "../network/own-address.ts";
import { remoteAddressOf } from "../network/own-machine.ts";
import {
  accessProvider,
  configuredPrice,
  listProviders,
  type ModelSources,
  type ProviderState,
} from "../providers.ts";
import { knownFacts } from "../table/model-limits.ts";
import { freePrice, pricedModels } from "../table/prices.ts";
import { answerMs, findLocalServers, type LocalModel, type LocalServer } from "./local-servers.ts";
import { type RemoteModel, remoteModels } from "./remote-models.ts";

export interface ListedProvider extends ProviderState {
  readonly isLocal: boolean;
  /** With full names, as `resolveModel` takes them. */
  readonly models: readonly LocalModel[];
  /** Whether the models are those that the provider named; else they are examples. */
  readonly isListed: boolean;
}

export interface ListOptions {
  readonly timeoutMs?: number;
  /** Whether only servers of this machine are asked. */
  readonly staysOnMachine?: boolean;
  /** The name of the one provider that is asked for. */
  readonly only?: string;
}

/** Of a provider that cannot be used yet: enough to recognise it by. */
const mostExamples = 5;

export async function listModels(
  sources: ModelSources = {},
  { timeoutMs = answerMs, staysOnMachine = false, only }: ListOptions = {},
): Promise<ListedProvider[]> {
  const states = listProviders(sources).filter(({ name }) => only === undefined || name === only);
  const asksLocal = states.some(({ definition }) => definition?.isLocal === true);
  const servers = asksLocal ? findLocalServers({ ...sources, timeoutMs, staysOnMachine }) : [];
  return Promise.all(
    states.map(async (state) => {
      if (state.definition?.isLocal === true) return localProvider(state, await servers, sources);
      const named = staysOnMachine && isElsewhere(state, sources) ? [] : await modelsOfServer(state, sources);
      return {
        ...state,
        isLocal: false,
        isListed: named.length > 0,
        models: modelsOf(state, named, sources),
      };
    }),
  );
}

function localProvider(
  state: ProviderState,
  servers: readonly LocalServer[],
  sources: ModelSources,
): ListedProvider {
  const server = servers.find((found) => found.provider === state.name);
  if (server === undefined) {
    const address = state.baseURL === undefined ? "its address" : publicAddress(state.baseURL);
    const reason = `Nothing answers at ${address}. Start it, or set its address.`;
    return {
      ...state,
      isUsable: false,
      reason,
      field: "server",
      isLocal: true,
      isListed: false,
      models: modelsOf(state, [], sources),
    };
  }
  const isEmpty = server.models.length === 0;
  const models = server.models.map((model) =>
    withConfiguration({ price: freePrice, ...model }, state, sources),
  );
  return {
    ...state,
    isUsable: !isEmpty,
    reason: `It answers at ${publicAddress(server.baseURL)}${isEmpty ? ", but has no model yet" : ""}.`,
    ...(isEmpty && { field: "model" as const }),
    isLocal: true,
    isListed: !isEmpty,
    models,
  };
}

function isElsewhere({ name }: ProviderState, sources: ModelSources): boolean {
  return remoteAddressOf(`${name}/any`, sources) !== undefined;
}

async function modelsOfServer(
  { name, isUsable }: ProviderState,
  sources: ModelSources,
): Promise<readonly RemoteModel[]> {
  const access = isUsable && name !== "practice" ? accessProvider(name, sources) : undefined;
  if (access === undefined || "kind" in access) return [];
  return remoteModels(access, sources.environment ?? process.env);
}

/** Configured ones and those of the table first; where the provider named none, these are examples. */
function modelsOf(
  state: ProviderState,
  named: readonly RemoteModel[],
  sources: ModelSources,
): readonly LocalModel[] {
  const { name: provider, isUsable } = state;
  if (provider === "practice") return [{ name: "practice" }];
  const configured = Object.keys(sources.providers?.[provider]?.models ?? {});
  const examples = isUsable ? pricedModels(provider) : pricedModels(provider).slice(0, mostExamples);
  const known = [...new Set([...configured, ...examples])];
  const models = named.length > 0 ? named : known.map((name) => ({ name }));
  const ranks = new Map(known.map((name, index) => [name, index]));
  const rank = ({ name }: RemoteModel) => ranks.get(name) ?? known.length;
  return models
    .toSorted((one, other) => rank(one) - rank(other))
    .map((model) => {
      const facts = withoutUnknown(model);
      return withConfiguration(
        { ...knownFacts(provider, model.name), ...facts, name: `${provider}/${model.name}` },
        state,
        sources,
      );
    });
}

/** What a server leaves open does not hide what the table knows. */
function withoutUnknown(model: RemoteModel): Partial<RemoteModel> {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined));
}

function withConfiguration(model: LocalModel, { name }: ProviderState, sources: ModelSources): LocalModel {
  const configured = sources.providers?.[name]?.models?.[model.name.slice(name.length + 1)];
  if (configured === undefined) return model;
  const { price, ...facts } = configured;
  return {
    ...model,
    ...withoutUnknown({ name: model.name, ...facts }),
    ...(price === undefined ? {} : { price: configuredPrice(price) }),
  };
}
