// A file goes as a whole, deleted or replaced: only what the model was shown of it may go.

import { Fault, isFault } from "@stet/protocol/fault";
import { changesSince } from "@stet/text/history";
import type { CodeContext } from "../../code-context.ts";
import type { OpenFile } from "../../code-files.ts";

/** Why it is not done: somebody else has changed the file since the model was shown it. */
export function changedSinceShown(
  { seen, turn }: Pick<CodeContext, "seen" | "turn">,
  batch: string,
  { document, path, history }: OpenFile,
  done: "deleted" | "replaced",
): Fault | undefined {
  const shown = seen.revisionFor(batch, document);
  if (shown === undefined) return undefined;
  const since = changesSince(history, shown);
  if (!isFault(since) && since.every((change) => change.turn === turn.id)) return undefined;
  return new Fault(
    "conflict",
    `${path} was changed after you read it, and not by you, so it is not ${done}. Nothing was changed.`,
    `Read ${path} again, and repeat the call if the new text may go, too.`,
    { path, your_version: String(shown), current_version: String(history.revision) },
  );
}
