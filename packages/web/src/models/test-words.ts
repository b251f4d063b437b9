// How a model answered a test, in a sentence.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { shownDuration } from "../agent/turn-words.ts";
import { shownCost } from "../agent/use-words.ts";

export type ModelTest = Reply<Routes["testModel"]>;

export function testWords({ text, first_token_ms: first, duration_ms: whole, cost }: ModelTest): string {
  const said = text.trim() === "" ? "without a word" : `“${text.trim()}”`;
  const began = `it began after ${shownDuration(first)} and was done after ${shownDuration(whole)}`;
  const price = cost === null || cost === 0 ? "" : `, for ${shownCost(cost)}`;
  return `It answered ${said}: ${began}${price}.`;
}
