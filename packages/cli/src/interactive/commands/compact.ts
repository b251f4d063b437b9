// /compact: the model sums up the older part of the conversation, and the context has room again.

import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import type { App } from "../app.ts";
import { waitFor } from "./wait-for.ts";

/** Returns whether the context is as small as it gets: false where it was stopped or failed. */
export async function compact(instructions: string, app: App): Promise<boolean> {
  const { id } = app.conversation;
  if (id === "") {
    app.tell("Nothing was said yet, so there is nothing to sum up.");
    return false;
  }
  const body = instructions === "" ? {} : { instructions };
  const compacted = await waitFor(app, "Summing up what was said", (signal) =>
    app.api.call("compactSession", { params: { session_id: id }, body }, signal),
  );
  if (isFault(compacted)) {
    if (compacted.error === "aborted") app.tell("Nothing was summed up.");
    else app.tellFault(compacted);
    return compacted.error === "no_change";
  }
  await app.conversation.refresh();
  const { tokens_before: before, tokens_after: after } = compacted;
  app.tell(`Summed up: ${numberText(before)} tokens became about ${numberText(after)}.`);
  return true;
}
