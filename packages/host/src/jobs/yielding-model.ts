// A model that lets others have the workspace while it thinks: nothing is read or written until its answer is there.

import { wrapModel } from "@stet/model/wrapped-model";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";

/** Where the workspace is shared: lets others have it while a job needs nothing of it. */
export interface WorkspaceLoan {
  release(): void;
  reacquire(): Promise<unknown>;
}

export function yieldingModel(model: Model, loan: WorkspaceLoan): Model {
  return wrapModel(
    () => model,
    (request, signal) => yielding(model.stream(request, signal), loan),
  );
}

async function* yielding(events: AsyncIterable<ModelEvent>, loan: WorkspaceLoan): AsyncGenerator<ModelEvent> {
  loan.release();
  try {
    for await (const event of events) {
      // What comes next may use the workspace.
      if (event.type === "done" || event.type === "error") await loan.reacquire();
      yield event;
    }
  } finally {
    await loan.reacquire();
  }
}
