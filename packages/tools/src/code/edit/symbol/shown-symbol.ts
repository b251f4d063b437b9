// The file as it was shown, on which an edit of symbols is planned.
//
// A name means the symbol that was shown. As long as nobody touched its lines, it is found there and followed to where it is
// now, whatever happened around it: what someone is writing elsewhere may have made the file unreadable for a while, or
// brought another symbol of that name. Where its lines were touched, or it is there only since then, the edit is refused with
// the symbol as it is now: the same edit goes through when it is made again.

import { Fault, isFault } from "@stet/protocol/fault";
import { textAt } from "@stet/text/history";
import { followedLines } from "../../../locate/followed-edits.ts";
import type { Sight } from "../../../sight/sight.ts";
import type { OpenFile } from "../../code-files.ts";
import { type SymbolItem, symbolsOf } from "../../structure/symbols.ts";
import { findSymbol } from "./find-symbol.ts";

export interface NamedSymbol {
  readonly symbol: string;
  readonly occurrence?: number | undefined;
}

const maxShown = 8000;

export async function asShown(
  sight: Sight,
  file: OpenFile,
  named: readonly NamedSymbol[],
): Promise<OpenFile | Fault> {
  const { path, history } = file;
  const revision = sight.revision(file) ?? history.revision;
  const text = textAt(history, revision);
  if (revision === history.revision || isFault(text) || text === history.text) return file;
  const symbols = await symbolsOf(path, text);
  for (const { symbol, occurrence } of named) {
    const item = findSymbol(path, symbols, symbol, occurrence);
    const lines = isFault(item) ? item : followedLines(history, revision, item);
    if (!isFault(lines)) continue;
    const wanted = isFault(item) ? symbol : item.path;
    const now = findSymbol(path, await symbolsOf(path, history.text), wanted, occurrence);
    if (isFault(item) && isFault(now)) return now;
    return changed(sight, file, wanted, isFault(now) ? lines : now);
  }
  return { ...file, history: { ...history, text, revision } };
}

/** `now` is the symbol as it is, or what is told of the place where it was. */
function changed(sight: Sight, file: OpenFile, symbol: string, now: SymbolItem | Fault): Fault {
  const what = `${symbol} in ${file.path} has changed since it was shown. Nothing was changed.`;
  if (isFault(now)) {
    const suggestion = "Look at details.current, which shows the place as it is now.";
    return new Fault("conflict", what, suggestion, { ...now.details, symbol });
  }
  const { from, to } = now;
  const { text } = file.history;
  const whole = text.sliceString(text.line(from).from, text.line(to).to);
  const current = whole.length > maxShown ? `${whole.slice(0, maxShown)}\n[cut]` : whole;
  sight.show(file, from, to, current === whole);
  return new Fault(
    "conflict",
    `${what} Now it is (lines ${from}-${to}):\n${current}`,
    "Make your edit on this text and send it again.",
    { symbol, current, start: from, end: to },
  );
}
