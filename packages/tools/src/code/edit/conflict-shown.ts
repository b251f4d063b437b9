// A conflict that was found when an edit was made shows the lines around as they are now, in `details.current`, with the anchors
// or numbers of these lines. They count as shown: the next call refers to them.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";

/** The fault itself, once its lines are known to be shown. */
export function conflictShown(
  { sight, files }: Pick<CodeContext, "sight" | "files">,
  fault: Fault,
  path: unknown = fault.details.path,
): Fault {
  const file = typeof path === "string" ? files.open(path) : undefined;
  const { current } = fault.details;
  if (file === undefined || isFault(file) || !Array.isArray(current)) return fault;
  for (const row of current) {
    const line = /^[* ]?(\d+)(?:[a-z]{2})?\|/.exec(String(row))?.[1];
    if (line !== undefined) sight.show(file, Number(line), Number(line), false);
  }
  return fault;
}
