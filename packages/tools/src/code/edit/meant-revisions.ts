// In which revisions of a file a quote or a hunk can have been meant, the likeliest first.
//
// A model quotes what it was shown. What others changed since it has not seen, so a text that fits only there does so by
// chance. What its own calls of this turn changed it knows without being shown: an edit beside this one in the same message,
// or a command that ran a formatter.

import type { CodeContext } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";

export function meantRevisions(
  { seen, turn }: Pick<CodeContext, "seen" | "turn">,
  batch: string,
  { document, history }: OpenFile,
): number[] {
  const newest = history.revision;
  const shown = seen.revisionsFor(batch, document);
  const [known] = shown;
  if (known === undefined) return [newest];
  const since = history.changes.filter(({ revision }) => revision > known);
  const isOwn = since.length > 0 && since.every((change) => change.turn === turn.id);
  return isOwn ? [...shown, newest] : shown;
}
