// What a model is told of an anchor that does not fit: enough to repeat the edit from the message alone.
//
// The lines around are reprinted with fresh anchors, the one that does not fit marked with `*`. Where the line that was
// meant seems to have moved (another line nearby, or only one in the file, has the same two letters), that place is shown too.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { type Anchor, anchorAt, anchoredContext, formatAnchor } from "@stet/text/anchors";
import { countLines } from "@stet/text/lines";
import type { Basis } from "./place-anchors.ts";

const nearby = 50;
const maxLineLength = 200;

export function staleAnchor({ path, history }: Basis, anchors: readonly Anchor[]): Fault {
  const { text } = history;
  const total = countLines(text);
  const beyond = anchors.find(({ line }) => line > total);
  const unfit = anchors.filter(
    ({ line, letters }) => line > total || anchorAt(text, line).letters !== letters,
  );
  // Those that fit the newest revision by chance were never told of it.
  const stale = unfit.length > 0 ? unfit : anchors;
  const moved = stale.flatMap((anchor) => movedTo(text, anchor));
  const names = stale.map(formatAnchor).join(" and ");
  const details = { path, anchors: stale.map(formatAnchor), moved_to: moved };
  if (beyond !== undefined && moved.length === 0) {
    return new Fault(
      "invalid_line_range",
      [
        `${path}: Line ${beyond.line} does not exist (file has ${total} lines). Nothing was changed.`,
        "The last lines now:",
        ...excerpt(text, [total]),
      ].join("\n"),
      "Repeat the edit with the anchors shown here if these are the lines you mean; otherwise read the file again.",
      { ...details, requested_start: beyond.line, requested_end: beyond.line, document_lines: total },
    );
  }
  const shown = stale.map(({ line }) => Math.min(line, total));
  return new Fault(
    "stale_anchor",
    [
      `${path}: ${names} ${stale.length === 1 ? "does" : "do"} not fit the file as ${unfit.length > 0 ? "it is now" : "it was shown"}. Nothing was changed.`,
      "The lines there now (* is at that number):",
      ...excerpt(text, shown),
      ...(moved.length === 0
        ? []
        : ["The line that was meant may be here (* has the same letters):", ...excerpt(text, moved)]),
    ].join("\n"),
    "Repeat the edit with the anchors shown here if these are the lines you mean; otherwise read the file again.",
    details,
  );
}

/** The anchor was told for one line, and fits another one, too, since lines have moved. */
export function ambiguousAnchor(
  { path, history }: Basis,
  anchors: readonly Anchor[],
  lines: readonly number[],
): Fault {
  const names = anchors.map(formatAnchor);
  return new Fault(
    "stale_anchor",
    [
      `${path}: lines have moved since ${names.join("..")} was shown, and it fits two places now. Nothing was changed.`,
      "These are the two places (*):",
      ...excerpt(history.text, lines),
    ].join("\n"),
    "Repeat the edit with the anchor shown here at the line that you mean; it is taken as it stands now.",
    { path, anchors: names, lines },
  );
}

/** Lines with the anchor's letters: the nearest ones around it, or the only one anywhere. */
function movedTo(text: Text, { line, letters }: Anchor): number[] {
  const total = countLines(text);
  const alike: number[] = [];
  for (let at = 1; at <= total; at += 1) {
    if (at !== line && anchorAt(text, at).letters === letters) alike.push(at);
  }
  const [only] = alike;
  if (alike.length === 1 && only !== undefined) return [only];
  return alike
    .filter((at) => Math.abs(at - line) <= nearby)
    .sort((one, other) => Math.abs(one - line) - Math.abs(other - line))
    .slice(0, 2);
}

function excerpt(text: Text, lines: readonly number[]): string[] {
  const shown = new Map<number, string>();
  for (const line of lines) {
    for (const [index, row] of anchoredContext(text, line).entries()) {
      const at = Math.max(1, line - 2) + index;
      if (row.startsWith("*") || !shown.has(at)) shown.set(at, row);
    }
  }
  const rows: string[] = [];
  let last: number | undefined;
  for (const [at, row] of [...shown].sort(([one], [other]) => one - other)) {
    if (last !== undefined && at > last + 1) rows.push(" …");
    rows.push(row.length > maxLineLength ? `${row.slice(0, maxLineLength)}…` : row);
    last = at;
  }
  return rows;
}
