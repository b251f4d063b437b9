// The file as the model was shown it, where that is what an edit of symbols has to be planned on.
//
// A name means the symbol that was shown. As long as nobody touched its lines, it is found there and followed to where it is
// now, whatever happened around it: what someone is writing elsewhere may have made the file unreadable for a while, or
// brought another symbol of that name. Where its lines were touched, the file as it is now decides.

import { Fault, isFault } from "@stet/protocol/fault";
import { rebaseSplices, textAt } from "@stet/text/history";
import type { OpenFile } from "../../code-files.ts";
import { symbolsOf } from "../../structure/symbols.ts";
import { findSymbol } from "./find-symbol.ts";

export interface NamedSymbol {
  readonly symbol: string;
  readonly occurrence?: number | undefined;
}

/**
 * Undefined where nothing has changed since, or where what is named was touched. A name that means another symbol by now is
 * refused.
 */
export async function asShown(
  file: OpenFile,
  revision: number | undefined,
  named: readonly NamedSymbol[],
): Promise<OpenFile | Fault | undefined> {
  const { path, history } = file;
  if (revision === undefined || revision >= history.revision) return undefined;
  const text = textAt(history, revision);
  if (isFault(text)) return undefined;
  const symbols = await symbolsOf(path, text);
  let isFollowed = true;
  for (const { symbol, occurrence } of named) {
    const item = findSymbol(path, symbols, symbol, occurrence);
    if (isFault(item)) return undefined;
    const target = { first: item.from - 1, last: item.to - 1 };
    const rebased = rebaseSplices(history, revision, [{ at: target.first, removed: 0, lines: [], target }]);
    if (!isFault(rebased)) continue;
    isFollowed = false;
    const now = findSymbol(path, await symbolsOf(path, history.text), symbol, occurrence);
    if (!isFault(now) && now.path !== item.path) return isAnother(path, item.path, now.path, rebased);
  }
  return isFollowed ? { ...file, history: { ...history, text, revision } } : undefined;
}

function isAnother(path: string, was: string, now: string, { details }: Fault): Fault {
  return new Fault(
    "conflict",
    `${was} in ${path} has changed since it was shown, and that name means ${now} now. Nothing was changed.`,
    "Look at details.current, which shows the place as it is now; name the symbol by its full path.",
    { ...details, symbol: was, found: now },
  );
}
