// What a request cost, from its usage and a price for a million tokens.

import { type Cost, noCost, type Usage } from "@stet/protocol/message";
import type { Price } from "./prices.ts";

export function costOf(usage: Usage, price: Price): Cost {
  const promptLength = usage.input + usage.cacheRead + usage.cacheWrite;
  const rate = price.long !== undefined && promptLength > price.long.above ? price.long : price;
  const input = (usage.input * rate.input) / 1e6;
  const output = (usage.output * rate.output) / 1e6;
  const cacheRead = (usage.cacheRead * rate.cacheRead) / 1e6;
  const cacheWrite = (usage.cacheWrite * rate.cacheWrite) / 1e6;
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}

export function usageWithCost(usage: Usage, price: Price | undefined): Usage {
  if (price !== undefined) return { ...usage, cost: costOf(usage, price) };
  return { ...usage, cost: totalTokens(usage) === 0 ? noCost : { ...noCost, isUnknown: true } };
}

export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
