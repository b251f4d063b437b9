// The providers in the order in which a person wants them: what answers on this machine, what is ready, all others.

import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import { candidateOf, rank } from "../palette/fuzzy.ts";
import { titleOf } from "./model-words.ts";

export interface ProviderGroups {
  readonly here: readonly ProviderView[];
  readonly ready: readonly ProviderView[];
  readonly others: readonly ProviderView[];
}

export function groupsOf(providers: readonly ProviderView[]): ProviderGroups {
  const all = providers.filter(({ kind }) => kind !== "practice");
  const isHere = ({ kind, is_ready }: ProviderView) => kind === "local" && is_ready;
  return {
    here: all.filter(isHere),
    ready: all.filter((provider) => provider.is_ready && !isHere(provider)),
    others: all.filter((provider) => !provider.is_ready),
  };
}

export function findProviders(query: string, providers: readonly ProviderView[]): ProviderView[] {
  const known = providers.map((provider) => candidateOf(provider, `${titleOf(provider)} ${provider.name}`));
  return rank(query, known).map(({ item }) => item);
}

/** The one to begin with: a favourite, else one that calls tools, and rather none that only makes vectors. */
export function firstModelOf(
  { models }: Pick<ProviderView, "models">,
  favourites: readonly string[],
): ListedModel | undefined {
  const speaking = models.filter(({ name }) => !/embed|rerank|bge-|minilm/i.test(name));
  return (
    models.find(({ name }) => favourites.includes(name)) ??
    speaking.find(({ tools }) => tools === "native") ??
    speaking[0] ??
    models[0]
  );
}

/** "qwen3:8b, small and 3 more". */
export function nameList(names: readonly string[], most = 3): string {
  const some = names.slice(0, most).join(", ");
  return names.length <= most ? some : `${some} and ${names.length - most} more`;
}
