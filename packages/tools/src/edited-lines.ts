// What an edit did, by lines. The change itself says it; only what it puts in the place of something is compared.

import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { diffLines, diffTexts } from "@stet/text/diff";
import { changesSince, type History } from "@stet/text/history";
import { rawLines, type Splice } from "@stet/text/lines";
import { formatUnified } from "@stet/text/unified";

/** From the text before, which is that of another file where this one was moved. */
export function editedLines(was: History, now: History, before: Text = was.text): Splice[] {
  const changes = changesSince(now, was.revision);
  const [change] = isFault(changes) ? [] : changes;
  if (isFault(changes) || changes.length !== 1 || change?.before !== before)
    return diffTexts(before, now.text);
  return change.splices.flatMap(({ at, removed, lines }) =>
    diffLines(rawLines(before, at, at + removed), lines).map((diff) => ({
      at: at + diff.at,
      removed: diff.removed,
      lines: lines.slice(diff.newAt, diff.newAt + diff.added),
    })),
  );
}

/** As a unified diff. */
export function editDiff(path: string, was: History, now: History): string {
  return formatUnified({ path, before: was.text, after: now.text, splices: editedLines(was, now) });
}

export function creationDiff(path: string, { text }: History): string {
  return formatUnified({ path, before: Text.empty, after: text, splices: diffTexts(Text.empty, text) });
}
