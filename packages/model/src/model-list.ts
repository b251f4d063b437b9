// What can be used here, and for the rest why not: every provider with its state and the models that are known of it.
//
// Local servers are asked; nobody else is. A provider far away can be used when it has a key, and whether the key is good
// shows at the first request. Its models are examples: any name of the provider's may be used.

import { findLocalServers, type LocalModel } from "./local-servers.ts";
import { pricedModels } from "./prices.ts";
import { findProvider } from "./provider-catalog.ts";
import { listProviders, type ModelSources, type ProviderState } from "./providers.ts";

export interface ListedProvider extends ProviderState {
  readonly isLocal: boolean;
  /** With full names, as `resolveModel` takes them. */
  readonly models: readonly LocalModel[];
}

export async function listModels(sources: ModelSources = {}, timeoutMs = 300): Promise<ListedProvider[]> {
  const environment = sources.environment ?? process.env;
  const servers = await findLocalServers({ environment, timeoutMs });
  return listProviders(sources).map((state) => {
    if (findProvider(state.name)?.isLocal !== true)
      return listed(state, false, knownModels(state.name, sources));
    const server = servers.find((found) => found.provider === state.name);
    if (server === undefined) {
      const reason = `Nothing answers at ${state.baseURL ?? "its address"}. Start it, or set its address.`;
      return listed({ ...state, isUsable: false, reason }, true, []);
    }
    const reason = `It answers at ${server.baseURL}${server.models.length === 0 ? ", but has no model yet" : ""}.`;
    return listed({ ...state, isUsable: server.models.length > 0, reason }, true, server.models);
  });
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
