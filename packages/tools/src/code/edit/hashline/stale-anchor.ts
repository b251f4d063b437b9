// Why an anchor has no line: it does not fit, or fits two lines.
//
// The lines around are shown with fresh anchors. Where the line that was meant seems to have moved (another line nearby, or
// only one in the file, has the same two letters), that place is shown, too.

import type { Text } from "@codemirror/state";
import { type Anchor, anchorAt, formatAnchor } from "@stet/text/anchors";
import { countLines } from "@stet/text/lines";
import type { Miss } from "../../../locate/miss.ts";
import type { Basis } from "./place-anchors.ts";

const nearby = 50;

const repeat =
  "Repeat the edit with the anchors shown here if these are the lines you mean; otherwise read the file again.";

const at = (lines: readonly number[]) => lines.map((line) => ({ from: line, to: line }));

export function staleAnchor({ path, history }: Basis, anchors: readonly Anchor[]): Miss {
  const { text } = history;
  const total = countLines(text);
  const beyond = anchors.find(({ line }) => line > total);
  const unfit = anchors.filter(
    ({ line, letters }) => line > total || anchorAt(text, line).letters !== letters,
  );
  // Those that fit the newest revision by chance were never told of it.
  const stale = unfit.length > 0 ? unfit : anchors;
  const moved = stale.flatMap((anchor) => movedTo(text, anchor));
  const names = stale.map(formatAnchor);
  const facts = { anchors: names, moved_to: moved };
  if (beyond !== undefined && moved.length === 0) {
    const { line } = beyond;
    return {
      code: "invalid_line_range",
      what: `${path}: Line ${line} does not exist (file has ${total} lines).`,
      suggestion: repeat,
      places: at([total]),
      facts: { ...facts, requested_start: line, requested_end: line, document_lines: total },
    };
  }
  const when = unfit.length > 0 ? "it is now" : "it was shown";
  const where = moved.length === 0 ? "" : ` The line that was meant may be ${moved.join(" or ")} now.`;
  return {
    code: "stale_anchor",
    what: `${path}: ${names.join(" and ")} ${stale.length === 1 ? "does" : "do"} not fit the file as ${when}.${where}`,
    suggestion: repeat,
    places: at([...stale.map(({ line }) => Math.min(line, total)), ...moved]),
    facts,
  };
}

/** The anchor was told for one line, and fits another one, too, since lines have moved. */
export function ambiguousAnchor({ path }: Basis, anchors: readonly Anchor[], lines: readonly number[]): Miss {
  const names = anchors.map(formatAnchor);
  return {
    code: "stale_anchor",
    what: `${path}: lines have moved since ${names.join("..")} was shown, and it fits two places now.`,
    suggestion:
      "Repeat the edit with the anchor shown here at the line that you mean; it is taken as it stands now.",
    places: at(lines),
    facts: { anchors: names, lines },
  };
}

/** Lines with the anchor's letters: the nearest ones around it, or the only one anywhere. */
function movedTo(text: Text, { line, letters }: Anchor): number[] {
  const total = countLines(text);
  const alike: number[] = [];
  for (let other = 1; other <= total; other += 1) {
    if (other !== line && anchorAt(text, other).letters === letters) alike.push(other);
  }
  const [only] = alike;
  if (alike.length === 1 && only !== undefined) return [only];
  return alike
    .filter((other) => Math.abs(other - line) <= nearby)
    .sort((one, other) => Math.abs(one - line) - Math.abs(other - line))
    .slice(0, 2);
}
