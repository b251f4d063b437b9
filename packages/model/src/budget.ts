// Hard caps in tokens and money for a tree of agents.
//
// What an agent spends, it spends for all its ancestors too, and the tightest cap on the way up holds. A request that would
// begin above a cap does not begin: its stream fails with kind `budget`. A request that has begun is not cut off, so a cap
// can be passed by at most the requests that are then running. Wrap each model with its budget first and with retries
// around that: then every attempt is counted, and a spent budget is not retried.

import { addUsage, noUsage, type Usage } from "@stet/protocol/message";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { failureEvent } from "./adapter/ended-message.ts";
import { totalTokens, usageWithCost } from "./table/cost.ts";
import type { Price } from "./table/prices.ts";
import { wrapModel } from "./wrapped-model.ts";

export interface BudgetLimits {
  readonly maxTokens?: number;
  /** In US dollars. */
  readonly maxCost?: number;
}

export class Budget {
  readonly name: string;
  readonly limits: BudgetLimits;
  readonly #parent: Budget | undefined;
  #spent: Usage = noUsage;

  constructor(name: string, limits: BudgetLimits = {}, parent?: Budget) {
    this.name = name;
    this.limits = limits;
    this.#parent = parent;
  }

  /** Of this agent and all below it. */
  get spent(): Usage {
    return this.#spent;
  }

  child(name: string, limits: BudgetLimits = {}): Budget {
    return new Budget(name, limits, this);
  }

  charge(usage: Usage): void {
    this.#spent = addUsage(this.#spent, usage);
    this.#parent?.charge(usage);
  }

  get capsMoney(): boolean {
    return this.limits.maxCost !== undefined || this.#parent?.capsMoney === true;
  }

  /** Why the next request must not begin. */
  exhausted(): ModelFailure | undefined {
    const { maxTokens, maxCost } = this.limits;
    const tokens = totalTokens(this.#spent);
    const cost = this.#spent.cost.total;
    if (maxTokens !== undefined && tokens >= maxTokens) {
      return spentFailure(this.name, `${tokens} of ${maxTokens} tokens are used`);
    }
    if (maxCost !== undefined && cost >= maxCost) {
      return spentFailure(this.name, `$${cost.toFixed(4)} of $${maxCost.toFixed(4)} are spent`);
    }
    return this.#parent?.exhausted();
  }
}

export function withBudget(model: Model, budget: Budget): Model {
  return wrapModel(
    () => model,
    (request, signal) => charged(model, budget, model.price, request, signal),
  );
}

async function* charged(
  model: Model,
  budget: Budget,
  price: Price | undefined,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const refused = budget.exhausted() ?? unpriced(model, budget, price);
  if (refused !== undefined) {
    yield { type: "start", provider: model.provider, model: model.name };
    yield failureEvent({ provider: model.provider, model: model.name }, refused);
    return;
  }
  let written = 0;
  let isCharged = false;
  try {
    for await (const event of model.stream(request, signal)) {
      if ("delta" in event) written += event.delta.length;
      if (event.type === "done" || event.type === "error") {
        const { usage } = event.message;
        budget.charge(totalTokens(usage) > 0 ? usage : estimate(request, written, price));
        isCharged = true;
      }
      yield event;
    }
  } finally {
    // A consumer that leaves early has still been served.
    if (!isCharged) budget.charge(estimate(request, written, price));
  }
}

/** For an answer that ended without its count: four characters to a token, and nothing if nothing came. */
function estimate(request: ModelRequest, written: number, price: Price | undefined): Usage {
  if (written === 0) return noUsage;
  const asked = request.system.length + JSON.stringify(request.messages).length;
  const usage = { ...noUsage, input: Math.ceil(asked / 4), output: Math.ceil(written / 4) };
  return usageWithCost(usage, price);
}

function unpriced(model: Model, budget: Budget, price: Price | undefined): ModelFailure | undefined {
  if (price !== undefined || !budget.capsMoney) return undefined;
  return {
    kind: "budget",
    message: `No price is known for ${model.provider}/${model.name}, so a limit in money cannot be kept. Set providers.${model.provider}.models.${model.name}.price, or limit the tokens with maxTokens instead.`,
  };
}

function spentFailure(name: string, what: string): ModelFailure {
  return { kind: "budget", message: `The budget of ${name} is spent: ${what}. Raise the limit to go on.` };
}
