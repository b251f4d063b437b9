// /cost: what the session has used, by model.

import type { ModelCost } from "@stet/protocol/api/session-state";
import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import { cacheShare } from "../../models/model-facts.ts";
import type { App } from "../app.ts";

export async function cost(app: App): Promise<void> {
  const { id } = app.conversation;
  if (id === "") return app.tell("This session has used nothing yet.");
  const used = await app.api.call("sessionCost", { params: { session_id: id } });
  if (isFault(used)) return app.tellFault(used);
  const { models } = used;
  if (models.length === 0) return app.tell("This session has used nothing yet.");
  const sum = models.reduce((all, { cost_usd }) => all + cost_usd, 0);
  const isKnown = models.every(({ cost_known }) => cost_known);
  const total = `In all ${dollars(sum, isKnown)}, with what was said on ways that were left.`;
  app.tell([...models.map(line), ...(models.length > 1 ? [total] : [])].join("\n"));
}

function line({ model, answers, input, output, cache_read, cache_write, cost_usd, cost_known }: ModelCost) {
  const prompt = input + cache_read + cache_write;
  const cached = cacheShare(cache_read, prompt);
  const parts = [
    `${answers} ${answers === 1 ? "answer" : "answers"}`,
    `${numberText(prompt)} tokens in${cached === undefined ? "" : ` (${cached} from the cache)`}`,
    `${numberText(output)} out`,
    dollars(cost_usd, cost_known),
  ];
  return `${visibleName(model)}: ${parts.join(", ")}`;
}

export function dollars(amount: number, isKnown: boolean): string {
  if (!isKnown) return amount === 0 ? "no known price" : `at least $${amount.toFixed(4)}`;
  return `$${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)}`;
}
