// List prices in US dollars for a million tokens, from the generated table (model-table.ts). A user's configuration comes
// first; a model that is not in the table has no price, and says so, rather than a wrong one.

import type { ModelPrice as Price } from "@stet/protocol/model-stream";
import { tableEntry, tableExamples } from "./model-table.ts";

export type { ModelPrice as Price } from "@stet/protocol/model-stream";

/** The date of the table's prices. A test compares it with the table, which is not read for it. */
export const pricesAsOf = "2026-09-23";

export const freePrice: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function priceOf(provider: string, model: string): Price | undefined {
  const { prices, long } = tableEntry(provider, model) ?? {};
  const usual = prices && fourPrices(prices);
  const [above, ...others] = long ?? [];
  const dearer = fourPrices(others);
  if (usual === undefined || above === undefined || dearer === undefined) return usual;
  return { ...usual, long: { above, ...dearer } };
}

/** Names that the table has prices for, as examples of what a provider has: those with the highest version first. */
export function pricedModels(provider: string): string[] {
  return [...tableExamples(provider)];
}

/** Where writing the cache has no price of its own, it costs what input costs. */
export function price(input: number, output: number, cacheRead: number, cacheWrite: number = input): Price {
  return { input, output, cacheRead, cacheWrite };
}

function fourPrices([input, output, cacheRead, cacheWrite]: readonly number[]): Price | undefined {
  if (input === undefined || output === undefined || cacheRead === undefined) return undefined;
  return price(input, output, cacheRead, cacheWrite);
}
