// How much a model thinks, said with every request. Nothing is said to a model that is known not to think.

import type { Model, ThinkingLevel } from "@stet/protocol/model-stream";
import { wrapModel } from "./wrapped-model.ts";

export function withThinking(model: Model, level: ThinkingLevel | ""): Model {
  if (level === "") return model;
  return wrapModel(
    () => model,
    (request, signal) =>
      model.stream(model.abilities?.thinking === false ? request : { ...request, thinking: level }, signal),
  );
}
