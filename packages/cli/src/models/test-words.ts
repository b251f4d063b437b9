// How a model answered a very short request, as a sentence.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { visibleName } from "@stet/protocol/visible";

export function testWords({
  model,
  text,
  first_token_ms: first,
  duration_ms: whole,
  cost,
}: Reply<Routes["testModel"]>): string {
  const price = cost === null || cost === 0 ? "" : `, for $${cost.toPrecision(2)}`;
  const said = text.trim() === "" ? "without a word" : `"${visibleName(text.trim())}"`;
  return `${visibleName(model)} answered ${said}: its first word after ${seconds(first)}, all of it after ${seconds(whole)}${price}.`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
