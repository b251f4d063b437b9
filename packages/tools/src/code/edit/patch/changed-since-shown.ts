// A file goes as a whole, deleted or replaced: only what the model was shown of it may go.

import { Fault } from "@stet/protocol/fault";
import type { CodeContext } from "../../code-context.ts";
import type { OpenFile } from "../../code-files.ts";

/** Why it is not done: somebody else has changed the file since the model was shown it. */
export function changedSinceShown(
  { sight }: Pick<CodeContext, "sight">,
  file: OpenFile,
  done: "deleted" | "replaced",
): Fault | undefined {
  if (!sight.isOutdated(file)) return undefined;
  const { path, history } = file;
  return new Fault(
    "conflict",
    `${path} was changed after you read it, and not by you, so it is not ${done}. Nothing was changed.`,
    `Read ${path} again, and repeat the call if the new text may go, too.`,
    { path, your_version: String(sight.revision(file)), current_version: String(history.revision) },
  );
}
