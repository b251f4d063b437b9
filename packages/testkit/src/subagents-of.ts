// Subagents over a model that plays replies, and over the practice model.

import { Subagents, type SubagentsOptions } from "@stet/agent/subagents";
import { Budget, type BudgetLimits } from "@stet/model/budget";
import { speak } from "@stet/model/practice/stream";
import { subagentAnswer } from "@stet/model/practice/subagent";
import type { Model } from "@stet/protocol/model-stream";

export function subagentsOf(
  model: Model,
  { limits = {}, ...options }: Partial<SubagentsOptions> & { limits?: BudgetLimits } = {},
): { subagents: Subagents; budget: Budget } {
  const budget = new Budget("turn", limits);
  return { subagents: new Subagents({ model, budget, ...options }), budget };
}

/** What the practice model says to subagent requests, without waiting between words. */
export function practiceSubagentModel(): Model {
  const speaker = { provider: "practice", name: "practice" };
  return {
    ...speaker,
    contextWindow: 1_000_000,
    maxOutput: 32_768,
    stream: (request, signal) =>
      speak(speaker, request, () => subagentAnswer(request) ?? [], { wordDelayMs: 0, signal }),
  };
}
