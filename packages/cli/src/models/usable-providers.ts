// Which providers are worth listing: those that can be used, the likeliest first.

import type { ProviderView } from "@stet/protocol/api/models";

/**
 * Known to work here: a server that answers, a list of models, a key. A cloud that would take whatever credentials the machine
 * has may be ready, too, but nobody knows before it is asked.
 */
export function isProven(provider: ProviderView, current = ""): boolean {
  const { name, kind, is_ready: isReady, is_local: isLocal, lists_models: isListed, keys } = provider;
  if (!isReady || kind === "practice") return false;
  return isLocal || isListed || keys.length > 0 || kind !== "cloud" || current.startsWith(`${name}/`);
}

/** Servers of this machine first, the practice model and what was never tried last. */
export function byLikelihood(providers: readonly ProviderView[], current = ""): ProviderView[] {
  const rank = (provider: ProviderView) =>
    provider.kind === "practice" ? 2 : !isProven(provider, current) ? 3 : provider.is_local ? 0 : 1;
  return [...providers].sort((one, other) => rank(one) - rank(other));
}
