// Refusals that every way of editing shares.

import { Fault } from "@stet/protocol/fault";

/** An edit of a file that is not there; `how` says how a new one is made in this mode. */
export function notFound(path: string, how: string): Fault {
  return new Fault("file_not_found", `File not found: ${path}`, `Check the path. ${how}`, { path });
}

export function noChange(path: string): Fault {
  return new Fault(
    "no_change",
    `Edits to ${path} resulted in no changes being made.`,
    "Check whether it was made already; if not, give lines that differ from those in the file.",
    { path },
  );
}
