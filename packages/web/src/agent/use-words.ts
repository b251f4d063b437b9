// What a conversation has used, in words.

import type { SessionUse } from "@stet/protocol/api/sessions";

export function useWords({ context_tokens: taken, context_window: room, ...use }: SessionUse): string {
  const full =
    room === null
      ? `${count(taken)} tokens of context`
      : `${count(taken)} of ${count(room)} tokens of context (${Math.round((100 * taken) / room)} %)`;
  return `${full}. ${count(use.input)} tokens read, ${count(use.output)} written, ${costSoFar(use)} so far.`;
}

interface PromptUse {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
}

/** How much of what was read came from the provider's cache, in percent; none where the provider has no cache or did not say. */
export function cacheShare(usage: PromptUse | null | undefined): number | undefined {
  if (usage == null || usage.cache_read === 0) return undefined;
  return Math.round((100 * usage.cache_read) / (usage.input + usage.cache_read + usage.cache_write));
}

export function cacheWords(usage: PromptUse | null | undefined): string {
  const share = cacheShare(usage);
  return share === undefined ? "" : `${share} % of what the last turn read came from the provider's cache.`;
}

/** What is not known is not nothing. */
function costSoFar({ cost_usd, cost_known }: Pick<SessionUse, "cost_usd" | "cost_known">): string {
  if (cost_known) return shownCost(cost_usd);
  return cost_usd === 0 ? "price unknown" : `${shownCost(cost_usd)} and what has no known price`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

export function shownCost(dollars: number): string {
  if (dollars === 0) return "$0";
  return dollars < 0.01 ? "under $0.01" : `$${dollars.toFixed(2)}`;
}
