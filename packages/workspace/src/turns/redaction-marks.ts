// A redacted text must not come back as an edit: where a secret was shown as `[redacted:kind]`, writing that mark would destroy it.

import { Fault, isFault } from "@stet/protocol/fault";
import { redactionMarks } from "@stet/protocol/redact";
import type { History } from "@stet/text/history";

/** What an edit made, or why it is refused. */
export function withoutMarks<Made extends { readonly history: History }>(made: Made | Fault): Made | Fault {
  return isFault(made) ? made : (markRefusal(made.history) ?? made);
}

/** Where the newest change writes a mark that the text before did not have. */
function markRefusal({ changes }: History): Fault | undefined {
  const newest = changes.at(-1);
  if (newest === undefined) return undefined;
  const written = new Set<string>();
  newest.change.iterChanges((_from, _to, _fromNew, _toNew, inserted) => {
    for (const mark of redactionMarks(inserted.toString())) written.add(mark);
  });
  if (written.size === 0) return undefined;
  const before = newest.before.toString();
  const stray = [...written].filter((mark) => !before.includes(mark));
  if (stray.length === 0) return undefined;
  return new Fault(
    "redacted_text",
    `The new text contains ${stray.join(", ")}. That is what a secret is shown as, not what the file holds: writing it would replace the secret.`,
    "Leave the lines with the secret as they are, and edit only the others. If the secret itself has to change, ask the person to do it.",
    { marks: stray },
  );
}
