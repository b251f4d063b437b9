// Whether a symbol is still what the model was shown.
//
// A symbol that is different from what it was at the revision that was shown is a conflict, also where lines of it are gone
// only: who writes it anew would bring them back. The conflict tells the current text, so the same edit goes through when it
// is made again. So is one that reads the same and consists of other lines, as where someone put a copy of it in its place. A
// symbol that has only moved, or was never shown, is edited wherever it is.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { type History, rebaseSplices, textAt } from "@stet/text/history";
import type { Sight } from "../../../sight/sight.ts";
import type { OpenFile } from "../../code-files.ts";
import { type SymbolItem, symbolsOf } from "../../structure/symbols.ts";

const maxShown = 8000;

export class ChangedSymbols {
  private readonly sight: Sight;
  /** What conflicts have told, by document and symbol. */
  private readonly told = new Map<string, string>();

  constructor(sight: Sight) {
    this.sight = sight;
  }

  async check(file: OpenFile, symbols: readonly SymbolItem[], item: SymbolItem): Promise<Fault | undefined> {
    const { document, path, history } = file;
    const revision = this.sight.revision(file);
    if (revision === undefined || revision === history.revision) return undefined;
    const shown = textAt(history, revision);
    if (isFault(shown) || shown === history.text) return undefined;
    const same = symbols.filter((other) => other.path === item.path).indexOf(item);
    const was = (await symbolsOf(path, shown)).filter((other) => other.path === item.path)[same];
    if (was === undefined) return undefined;
    const now = wholeText(history.text, item);
    const isSame = wholeText(shown, was) === now && placeNow(history, revision, was) === item.from;
    if (isSame || this.told.get(`${document} ${item.path}`) === now) return undefined;
    this.told.set(`${document} ${item.path}`, now);
    const text = now.length > maxShown ? `${now.slice(0, maxShown)}\n[cut]` : now;
    return new Fault(
      "conflict",
      `${item.path} in ${path} has changed since it was shown. Nothing was changed. Now it is (lines ${item.from}-${item.to}):\n${text}`,
      "Make your edit on this text and send it again.",
      { symbol: item.path, current: text, start: item.from, end: item.to },
    );
  }
}

/** The line where a symbol of a revision begins now; undefined where its lines were touched since. */
function placeNow(history: History, revision: number, { from, to }: SymbolItem): number | undefined {
  const target = { first: from - 1, last: to - 1 };
  const rebased = rebaseSplices(history, revision, [{ at: target.first, removed: 0, lines: [], target }]);
  const now = isFault(rebased) ? undefined : rebased[0]?.target;
  return typeof now === "object" ? now.first + 1 : undefined;
}

function wholeText(text: Text, item: SymbolItem): string {
  return text.sliceString(text.line(item.from).from, text.line(item.to).to);
}
