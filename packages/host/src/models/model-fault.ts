// A model's failure as a fault, with what of its connection is to be mended.

import { Fault } from "@stet/protocol/fault";
import type { ModelFailure, ModelField } from "@stet/protocol/model-stream";
import { whatHappened } from "@stet/protocol/model-stream";

const steps: Readonly<Record<ModelField, string>> = {
  key: "Correct the key and try again.",
  account: "Add credit there, or use another provider.",
  address: "Correct the address and try again.",
  server: "Start the server and try again.",
  model: "Choose another model.",
  context: "Shorten the conversation, or start a new session.",
  package: "Install the package and try again.",
};

/** For an operation on models: nothing was changed. */
export function faultOfModel(
  failure: ModelFailure,
  { provider, model }: { readonly provider: string; readonly model?: string },
): Fault {
  const { advice = "", mend } = failure;
  const suggestion = advice !== "" ? advice : mend === undefined ? "Try again." : steps[mend.field];
  return new Fault("model_failed", whatHappened(failure), suggestion, {
    provider,
    ...(model === undefined ? {} : { model }),
    ...(mend === undefined ? {} : { field: mend.field }),
  });
}
