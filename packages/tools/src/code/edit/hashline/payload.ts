// Payload as it was meant, where a model copied more than it should have. Each repair is certain, and is told.
//
//   prefixes     every line carries the anchor that it was shown with: `41th|text`
//   duplicates   the first lines repeat what stands right before the place, or the last ones what stands right behind it
//
// A text may be meant to be there twice, as a "}" or a repeated call is. So lines are dropped only if they hold a letter or
// digit, if as a whole they stand nowhere else in the file, and if other lines of the payload remain. One line alone may be
// either, a slip or meant: that is asked back.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { anchorAt, anchorLetters, formatAnchor } from "@stet/text/anchors";
import { countLines, lineContent, rawLines, withoutReturn } from "@stet/text/lines";
import { occurrences } from "@stet/text/occurrences";

export interface Repaired {
  readonly payload: readonly string[];
  readonly warnings: readonly string[];
}

/** More lines than that nobody repeats by mistake. */
const maxRepeated = 50;

const prefix = /^[ *+-]?([1-9]\d{0,8})([a-z]{2})\|/;

/** Without the anchors that the lines were copied with. `texts` are those that the model may have copied from. */
export function withoutPrefixes(payload: readonly string[], texts: readonly Text[], line: number): Repaired {
  const filled = payload.filter((text) => text.trim() !== "");
  const matches = filled.map((text) => prefix.exec(text));
  // "1st|2nd" is a row of a table: at least one prefix must be a real anchor.
  const isCopied =
    filled.length > 0 &&
    matches.every((match) => match !== null) &&
    matches.some((match, index) => match !== null && isReal(match, filled[index] ?? "", texts));
  if (!isCopied) return { payload, warnings: [] };
  return {
    payload: payload.map((text) => text.replace(prefix, "")),
    warnings: [
      `line ${line}: the payload was copied with its anchors (such as ${matches[0]?.[0] ?? ""}); they were left out.`,
    ],
  };
}

function isReal(match: RegExpExecArray, text: string, texts: readonly Text[]): boolean {
  const line = Number(match[1]);
  const letters = match[2] ?? "";
  if (anchorLetters(text.slice(match[0].length), line) === letters) return true;
  return texts.some((shown) => line <= countLines(shown) && anchorAt(shown, line).letters === letters);
}

/** The payload that goes between the counted lines `before` and `behind`, without what is there already. */
export function withoutDuplicates(
  payload: readonly string[],
  shown: Text,
  { before, behind }: { readonly before: number; readonly behind: number },
  line: number,
): Repaired | Fault {
  const warnings: string[] = [];
  const leading = repeated(payload, shown, (count, index) => before - count + index + 1);
  let rest = payload.slice(leading);
  const trailing = repeated(rest.toReversed(), shown, (count, index) => behind + count - index - 1);
  if (leading + trailing === 1) {
    return leading === 1
      ? repeatedOnce(line, "first", shown, before)
      : repeatedOnce(line, "last", shown, behind);
  }
  if (leading > 0) warnings.push(dropped(line, "first", leading, "before"));
  if (trailing > 0) {
    rest = rest.slice(0, -trailing);
    warnings.push(dropped(line, "last", trailing, "behind"));
  }
  return { payload: rest, warnings };
}

function repeatedOnce(line: number, which: "first" | "last", shown: Text, neighbour: number): Fault {
  const anchor = formatAnchor(anchorAt(shown, neighbour));
  return new Fault(
    "invalid_patch",
    `line ${line}: the ${which} line of the payload says what ${anchor} beside the place says already. Nothing was changed.`,
    `Leave it out if it shall stand there once. If it shall stand there twice, replace ${anchor} along with the rest.`,
    { line, repeated: anchor },
  );
}

function dropped(line: number, which: string, count: number, where: string): string {
  const lines =
    count === 1 ? `the ${which} payload line repeats` : `the ${which} ${count} payload lines repeat`;
  return `line ${line}: ${lines} what stands right ${where} the place; left out. Payload is only what is new.`;
}

/**
 * How many lines from the start of the payload stand at the place already, where that is certain. `numberOf` is the counted
 * line that the line at an index must equal, if so many are repeated.
 */
function repeated(
  payload: readonly string[],
  shown: Text,
  numberOf: (count: number, index: number) => number,
): number {
  const total = countLines(shown);
  for (let count = Math.min(payload.length - 1, maxRepeated); count > 0; count -= 1) {
    const lines = payload.slice(0, count);
    const first = Math.min(numberOf(count, 0), numberOf(count, count - 1));
    const last = Math.max(numberOf(count, 0), numberOf(count, count - 1));
    if (first < 1 || last > total) continue;
    if (!lines.every((text, index) => lineContent(shown, numberOf(count, index) - 1) === text)) continue;
    if (!lines.some((text) => /[\p{L}\p{N}]/u.test(text))) return 0;
    return standsOnce(shown, first, last, payload.slice(count)) ? count : 0;
  }
  return 0;
}

function standsOnce(shown: Text, first: number, last: number, rest: readonly string[]): boolean {
  const lines = rawLines(shown, 0, shown.lines).map(withoutReturn);
  const block = lines.slice(first - 1, last);
  if (occurrences(lines, block).length > 1) return false;
  // Twice in the payload itself: repeating is the point of the edit.
  const key = block.find((text) => /[\p{L}\p{N}]/u.test(text));
  return key === undefined || !rest.includes(key);
}
