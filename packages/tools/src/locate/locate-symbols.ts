// Symbols that a model names, in the revision that it was shown.
//
// A name means the symbol that was shown. As long as nobody touched its lines, it is found there and followed to where it is
// now, whatever happened around it: what someone is writing elsewhere may have made the file unreadable for a while, or
// brought another symbol of that name. Where its lines were touched, or it is there only since then, that is a miss with
// the symbol as it is now: the same edit goes through when it is made again.

import type { Text } from "@codemirror/state";
import { cutText } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import { type SymbolItem, symbolsOf } from "../code/structure/symbols.ts";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { findSymbol } from "./find-symbol.ts";
import { followedLines } from "./followed-edits.ts";
import { changedSince, isMiss, type Miss } from "./miss.ts";
import { shownText } from "./source-text.ts";

export interface NamedSymbol {
  readonly symbol: string;
  readonly occurrence?: number | undefined;
}

export interface LocatedSymbols {
  readonly revision: number;
  readonly text: Text;
  /** All symbols of that text. */
  readonly symbols: readonly SymbolItem[];
  /** Those that were named, in order. */
  readonly items: readonly SymbolItem[];
}

const maxCurrent = 8000;

export async function locateSymbols(
  sight: Sight,
  document: SeenDocument,
  names: readonly NamedSymbol[],
): Promise<LocatedSymbols | Miss> {
  const { path, history } = document;
  const { revision, text } = shownText(sight, document);
  const isNewest = text === history.text;
  const symbols = await symbolsOf(path, text);
  const items: SymbolItem[] = [];
  for (const { symbol, occurrence } of names) {
    const item = findSymbol(path, symbols, symbol, occurrence);
    if (isNewest && isMiss(item)) return item;
    const lines = isMiss(item) ? item : followedLines(history, revision, item);
    if (!isMiss(item) && !isFault(lines)) {
      items.push(item);
      continue;
    }
    const wanted = isMiss(item) ? symbol : item.path;
    const now = findSymbol(path, await symbolsOf(path, history.text), wanted, occurrence);
    if (!isMiss(now)) return changed(sight, document, wanted, now);
    return isFault(lines) ? { ...changedSince(path, lines), what: changedWords(path, wanted) } : now;
  }
  return { revision, text, symbols, items };
}

function changedWords(path: string, symbol: string): string {
  return `${symbol} in ${path} has changed since it was shown.`;
}

function changed(sight: Sight, document: SeenDocument, symbol: string, { from, to }: SymbolItem): Miss {
  const { text } = document.history;
  const whole = text.sliceString(text.line(from).from, text.line(to).to);
  const current = cutText(whole, maxCurrent);
  sight.show(document, from, to, current === whole);
  return {
    code: "conflict",
    what: changedWords(document.path, symbol),
    suggestion: "Make your edit on this text and send it again.",
    note: `Now it is (lines ${from}-${to}):\n${current}`,
    facts: { symbol, current, start: from, end: to },
  };
}
