// List prices in US dollars for a million tokens. A user's configuration comes first; a model that is not here has no
// price, and says so, rather than a wrong one.

import type { ModelPrice as Price } from "@stet/protocol/model-stream";

export type { ModelPrice as Price } from "@stet/protocol/model-stream";

/** When the table was last compared with the providers' pages. */
export const pricesAsOf = "2025-12-31";

export const freePrice: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The first name that the model's name begins with; more exact names therefore come first. */
const table: readonly (readonly [provider: string, model: string, price: Price])[] = [
  ["openai", "gpt-5.2", price(1.75, 14, 0.175)],
  ["openai", "gpt-5-mini", price(0.25, 2, 0.025)],
  ["openai", "gpt-5-nano", price(0.05, 0.4, 0.005)],
  ["openai", "gpt-5-pro", price(15, 120, 15)],
  ["openai", "gpt-5.1", price(1.25, 10, 0.125)],
  ["openai", "gpt-5", price(1.25, 10, 0.125)],
  ["openai", "gpt-4.1-mini", price(0.4, 1.6, 0.1)],
  ["openai", "gpt-4.1-nano", price(0.1, 0.4, 0.025)],
  ["openai", "gpt-4.1", price(2, 8, 0.5)],
  ["openai", "gpt-4o-mini", price(0.15, 0.6, 0.075)],
  ["openai", "gpt-4o", price(2.5, 10, 1.25)],
  ["openai", "o3", price(2, 8, 0.5)],
  ["openai", "o4-mini", price(1.1, 4.4, 0.275)],
  ["anthropic", "claude-opus-4-5", price(5, 25, 0.5, 6.25)],
  ["anthropic", "claude-opus-4", price(15, 75, 1.5, 18.75)],
  ["anthropic", "claude-sonnet-4", price(3, 15, 0.3, 3.75)],
  ["anthropic", "claude-haiku-4-5", price(1, 5, 0.1, 1.25)],
  ["anthropic", "claude-3-5-haiku", price(0.8, 4, 0.08, 1)],
  ["google", "gemini-3-pro", { ...price(2, 12, 0.2), long: { above: 200_000, ...price(4, 18, 0.4) } }],
  [
    "google",
    "gemini-2.5-pro",
    { ...price(1.25, 10, 0.125), long: { above: 200_000, ...price(2.5, 15, 0.25) } },
  ],
  ["google", "gemini-2.5-flash-lite", price(0.1, 0.4, 0.01)],
  ["google", "gemini-2.5-flash", price(0.3, 2.5, 0.03)],
];

export function priceOf(provider: string, model: string): Price | undefined {
  const family = provider === "openai-chat" ? "openai" : provider;
  return table.find(([name, start]) => name === family && startsWithName(model, start))?.[2];
}

/** The names in the table, as examples of what a provider has. */
export function pricedModels(provider: string): string[] {
  const family = provider === "openai-chat" ? "openai" : provider;
  return table.filter(([name]) => name === family).map(([, model]) => model);
}

/** `gpt-5.2` is not a kind of `gpt-5`: a name ends where a dash or nothing follows. */
function startsWithName(model: string, name: string): boolean {
  return model === name || (model.startsWith(name) && model[name.length] === "-");
}

/** Where writing the cache has no price of its own, it costs what input costs. */
export function price(input: number, output: number, cacheRead: number, cacheWrite: number = input): Price {
  return { input, output, cacheRead, cacheWrite };
}
