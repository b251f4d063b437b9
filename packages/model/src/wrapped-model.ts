// A model around another one: the same facts, read each time, since a router's change with the model that answers.

import type { AssistantMessage } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";

export function wrapModel(inner: () => Model, stream: Model["stream"]): Model {
  return {
    get provider() {
      return inner().provider;
    },
    get name() {
      return inner().name;
    },
    get contextWindow() {
      return inner().contextWindow;
    },
    get maxOutput() {
      return inner().maxOutput;
    },
    get abilities() {
      return inner().abilities ?? {};
    },
    get price() {
      return inner().price;
    },
    stream,
  };
}

/** `provider/name`, as a person names it. */
export function fullName({ provider, name }: Pick<Model, "provider" | "name">): string {
  return provider === name ? name : `${provider}/${name}`;
}

/** The model that wrote a message. */
export function authorOf({ provider, model }: AssistantMessage): string {
  return fullName({ provider, name: model });
}
