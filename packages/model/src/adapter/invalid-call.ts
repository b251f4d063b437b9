// A tool call whose arguments cannot be used. It ends the stream as a failure and never becomes a ToolCall, so that nothing
// can execute it: its block has a toolcall_start and no toolcall_end, and the message has no trace of it.
//
// The failure is of kind bad_response and carries what the loop needs to tell the model; `isInvalidCall` finds that out. The
// usual answer is a user message with `failure.message`, and one more request, up to `maxSchemaRetries` times.

import type { ModelFailure } from "@stet/protocol/model-stream";

export interface InvalidCallFailure extends ModelFailure {
  readonly kind: "bad_response";
  readonly invalidCall: {
    readonly id: string;
    readonly name: string;
    /** What the model wrote, cut to 2,000 characters. */
    readonly argumentsText: string;
    readonly problem: string;
  };
}

export function isInvalidCall(failure: ModelFailure): failure is InvalidCallFailure {
  return failure.kind === "bad_response" && "invalidCall" in failure;
}

export function invalidCallFailure(
  call: { readonly id: string; readonly name: string; readonly argumentsText: string },
  problem: string,
  wasCutAtLimit: boolean,
): InvalidCallFailure {
  const why = wasCutAtLimit
    ? "the answer reached its length limit in the middle of the call. Split the work into smaller calls"
    : `${problem}. Write the call again with complete, valid JSON`;
  return {
    kind: "bad_response",
    message: `The arguments of the call to ${call.name} cannot be used, and nothing was done: ${why}.`,
    invalidCall: {
      id: call.id,
      name: call.name,
      argumentsText: call.argumentsText.slice(0, 2000),
      problem: wasCutAtLimit ? "cut at the length limit" : problem,
    },
  };
}
