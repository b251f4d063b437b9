// A model that lets others have the workspace while it thinks: nothing is read or written until its answer is there.

import { wrapModel } from "@stet/model/wrapped-model";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";

export interface Yielding {
  loosen(): void;
  tighten(): Promise<unknown>;
}

export function yieldingModel(model: Model, hold: Yielding): Model {
  return wrapModel(
    () => model,
    (request, signal) => yielding(model.stream(request, signal), hold),
  );
}

async function* yielding(events: AsyncIterable<ModelEvent>, hold: Yielding): AsyncGenerator<ModelEvent> {
  hold.loosen();
  try {
    for await (const event of events) {
      // What comes next may use the workspace.
      if (event.type === "done" || event.type === "error") await hold.tighten();
      yield event;
    }
  } finally {
    await hold.tighten();
  }
}
