// Subagents over a model that plays replies.

import { Subagents, type SubagentsOptions } from "@stet/agent/subagents";
import { Budget, type BudgetLimits } from "@stet/model/budget";
import type { Model, ModelRequest } from "@stet/protocol/model-stream";
import { modelOf } from "./model-of.ts";

export function subagentsOf(
  model: Model,
  { limits = {}, ...options }: Partial<SubagentsOptions> & { limits?: BudgetLimits } = {},
): { subagents: Subagents; budget: Budget } {
  const budget = new Budget("turn", limits);
  return { subagents: new Subagents({ model, budget, ...options }), budget };
}

type Result = Record<string, unknown>;

/** Each gives the result that stands for the tool that it is offered. One without says in words that it cannot. */
export function playedSubagents(
  results: Readonly<Record<string, Result | ((request: ModelRequest) => Result)>>,
): Subagents {
  const model = modelOf((request) => {
    const name = request.tools[0]?.name ?? "";
    const result = results[name];
    if (result === undefined) return { text: "I cannot understand a text." };
    return { calls: [{ name, arguments: typeof result === "function" ? result(request) : result }] };
  });
  return subagentsOf(model).subagents;
}
