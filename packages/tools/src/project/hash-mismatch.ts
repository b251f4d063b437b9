// What a model is told when lines are not what their hash says: where the lines with that hash are by now, and the rows around,
// so that the edit can be repeated from the message alone.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { type History, rebaseSplices, textAt } from "@stet/text/history";
import { countLines, lineContent } from "@stet/text/lines";
import { rowsAround } from "../rows-around.ts";

interface HashedEdit {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly expected_hash: string;
}

/** Lines with the hash are looked for so far away, and so many of them are told. */
const nearby = 200;
const maxPlaces = 3;

export function hashMismatch(history: History, seen: number, edit: HashedEdit): Fault {
  const { file_path, start_line, end_line } = edit;
  const { text } = history;
  const total = countLines(text);
  const count = end_line - start_line;
  const places = placesNow(history, seen, edit);
  const [nearest, ...others] = places;
  const named = places.map((at) => (count === 0 ? `${at}` : `${at}-${at + count}`));
  const where = nearest === undefined ? "" : ` Lines with that hash are now at ${named.join(", ")}.`;
  const found =
    nearest === undefined || others.length > 0
      ? {}
      : { found_at: { start_line: nearest, end_line: nearest + count } };
  const spans = [Math.min(start_line, total), ...places].map((from) => ({
    from,
    to: from + Math.max(0, count),
  }));
  const shown = {
    ...found,
    around: rowsAround(spans, total, (line) => lineContent(text, line - 1)).join("\n"),
  };
  if (start_line > end_line || end_line > total) {
    return new Fault(
      "invalid_line_range",
      `Lines ${start_line}-${end_line} of ${file_path} cannot have that hash: the file has ${total} lines. Nothing was changed.${where}`,
      "Use the numbers of these lines as details.around shows them. To insert behind the last line, leave expected_hash out.",
      { ...shown, requested_start: start_line, requested_end: end_line, document_lines: total },
    );
  }
  const lines: string[] = [];
  for (let line = start_line; line <= end_line; line += 1) lines.push(lineContent(text, line - 1));
  return new Fault(
    "conflict",
    `Lines ${start_line}-${end_line} of ${file_path} are not what the hash says: they have changed, or the range is another one.${where}`,
    nearest === undefined
      ? "Look at details.current, and repeat the edit with details.current_hash if that is what you mean to change."
      : "Look at details.around, and repeat the edit where the lines are that you mean.",
    {
      ...shown,
      current: lines.join("\n"),
      current_hash: hashLines(text, start_line, end_line),
      start_line,
      end_line,
    },
  );
}

/**
 * Where the lines with that hash are in the newest revision, the nearest first: those of the revision that was shown, which is
 * the one that the hash came from, followed to where they are now. Only if there are none, lines of the newest one.
 */
function placesNow(
  history: History,
  seen: number,
  { start_line, end_line, expected_hash }: HashedEdit,
): number[] {
  const shown = textAt(history, seen);
  if (start_line > end_line || isFault(shown)) return [];
  const count = end_line - start_line;
  const followed = placesIn(shown, start_line, count, expected_hash).flatMap((at) => {
    const target = { first: at - 1, last: at - 1 + count };
    const now = rebaseSplices(history, seen, [{ at: at - 1, removed: count + 1, lines: [], target }]);
    return isFault(now) ? [] : now.map((splice) => splice.at + 1);
  });
  return followed.length > 0 ? followed : placesIn(history.text, start_line, count, expected_hash);
}

function placesIn(text: Text, start: number, count: number, hash: string): number[] {
  const total = countLines(text);
  const found: number[] = [];
  const take = (at: number) => {
    const isThere = at >= 1 && at + count <= total;
    if (found.length < maxPlaces && isThere && hashLines(text, at, at + count) === hash) found.push(at);
  };
  take(start);
  for (let distance = 1; distance <= nearby; distance += 1) {
    take(start - distance);
    take(start + distance);
  }
  return found;
}
