// Hunks by their names outside their documents: `h_<document>_<hunk>`.

import { Fault } from "@stet/protocol/fault";

/** Hunk names sorted into documents, or a fault for the first that is not a hunk's name. */
export function byDocument(ids: Iterable<string>): Map<number, Set<number>> | Fault {
  const documents = new Map<number, Set<number>>();
  for (const id of ids) {
    const match = /^h_([0-9]{1,15})_([0-9]{1,15})$/.exec(id);
    if (match === null) return unknownHunks([id]);
    const document = Number(match[1]);
    const hunks = documents.get(document) ?? new Set();
    documents.set(document, hunks.add(Number(match[2])));
  }
  return documents;
}

export function unknownHunks(ids: readonly string[]): Fault {
  const names = ids.slice(0, 5).join(", ");
  const message =
    ids.length === 1 ? `The hunk ${names} is not open.` : `${ids.length} hunks are not open: ${names}.`;
  return new Fault(
    "unknown_hunk",
    `${message} It may have been decided already, or its lines are as they were.`,
    "List the open hunks and use the ids shown there. Nothing was changed.",
    { hunk_ids: ids },
  );
}
