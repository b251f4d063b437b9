// What can be used here, and for the rest why not: every provider with its state and its models.
//
// Local servers are asked, and so is a provider far away that has its key and address, unless nothing may leave the machine.
// One that does not say which models it has shows those of the configuration and of the price table: examples, since any
// name of the provider's may be used.

import { findLocalServers, type LocalModel } from "./local-servers.ts";
import { publicAddress } from "./own-address.ts";
import { remoteAddressOf } from "./own-machine.ts";
import { pricedModels } from "./prices.ts";
import { findProvider } from "./provider-catalog.ts";
import { accessProvider, listProviders, type ModelSources, type ProviderState } from "./providers.ts";
import { remoteModels } from "./remote-models.ts";

export interface ListedProvider extends ProviderState {
  readonly isLocal: boolean;
  /** With full names, as `resolveModel` takes them. */
  readonly models: readonly LocalModel[];
}

export interface ListOptions {
  readonly timeoutMs?: number;
  /** Whether only servers of this machine are asked. */
  readonly staysOnMachine?: boolean;
}

export async function listModels(
  sources: ModelSources = {},
  { timeoutMs = 300, staysOnMachine = false }: ListOptions = {},
): Promise<ListedProvider[]> {
  const servers = await findLocalServers({ ...sources, timeoutMs, staysOnMachine });
  const states = listProviders(sources);
  return Promise.all(
    states.map(async (state) => {
      if (findProvider(state.name)?.isLocal !== true) {
        const listedModels =
          staysOnMachine && isElsewhere(state, sources) ? [] : await modelsOfServer(state, sources);
        return listed(state, false, withKnown(listedModels, knownModels(state.name, sources)));
      }
      const server = servers.find((found) => found.provider === state.name);
      if (server === undefined) {
        const address = state.baseURL === undefined ? "its address" : publicAddress(state.baseURL);
        const reason = `Nothing answers at ${address}. Start it, or set its address.`;
        return listed({ ...state, isUsable: false, reason }, true, []);
      }
      const empty = server.models.length === 0 ? ", but has no model yet" : "";
      const reason = `It answers at ${publicAddress(server.baseURL)}${empty}.`;
      return listed({ ...state, isUsable: server.models.length > 0, reason }, true, server.models);
    }),
  );
}

function isElsewhere({ name }: ProviderState, sources: ModelSources): boolean {
  return remoteAddressOf(`${name}/any`, sources) !== undefined;
}

/** With full names. */
async function modelsOfServer(
  { name, isUsable }: ProviderState,
  sources: ModelSources,
): Promise<LocalModel[]> {
  const access = isUsable && name !== "practice" ? accessProvider(name, sources) : undefined;
  if (access === undefined || "kind" in access) return [];
  const models = await remoteModels(access, sources.environment ?? process.env);
  return models.map(({ name: model, contextWindow }) => ({
    name: `${name}/${model}`,
    ...(contextWindow !== undefined && { contextWindow }),
  }));
}

/** Configured ones first; examples only where the provider listed none. */
function withKnown(listedModels: readonly LocalModel[], known: readonly LocalModel[]): LocalModel[] {
  if (listedModels.length === 0) return [...known];
  const names = new Set(listedModels.map(({ name }) => name));
  const first = known.filter(({ name }) => names.has(name)).map(({ name }) => name);
  const rank = (model: LocalModel) => (first.includes(model.name) ? first.indexOf(model.name) : first.length);
  return [...listedModels].sort((one, other) => rank(one) - rank(other));
}

function listed(state: ProviderState, isLocal: boolean, models: readonly LocalModel[]): ListedProvider {
  return { ...state, isLocal, models };
}

function knownModels(provider: string, sources: ModelSources): LocalModel[] {
  if (provider === "practice") return [{ name: "practice" }];
  const configured = Object.keys(sources.providers?.[provider]?.models ?? {});
  const names = new Set([...configured, ...pricedModels(provider)]);
  return [...names].map((name) => ({ name: `${provider}/${name}` }));
}
