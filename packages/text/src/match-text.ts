// Finding a quoted text again after the document drifted: exactly one place, or a fault.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { countLines, lineContent, linesOf } from "./lines.ts";

/**
 * The counted line (1-based) on which `quoted` begins. It stays at `wanted` where it still stands there; otherwise
 * it must occur exactly once. A quote of several lines must match them whole, except the start of the first, and the end of
 * the last; where a line break ends the quote, that is the end of the last one. A blank line is blank.
 */
export function findText(text: Text, quoted: string, wanted: number): number | Fault {
  const parts = linesOf(quoted);
  const first = parts[0];
  if (first === undefined || quoted.trim() === "") {
    return new Fault(
      "content_required",
      "The match text is empty.",
      "Quote the first line that the edit targets, or leave the match text out.",
    );
  }
  const total = countLines(text);
  const isClosed = /[\r\n]$/.test(quoted);
  const standsAt = (line: number) => agrees(text, parts, isClosed, line, total);
  if (wanted >= 1 && wanted <= total && standsAt(wanted)) return wanted;
  const found: number[] = [];
  for (let line = 1; line <= total; line += 1) {
    if (lineContent(text, line - 1).includes(first) && standsAt(line)) found.push(line);
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    return new Fault(
      "no_match",
      `The match text ${JSON.stringify(first.slice(0, 80))} is nowhere in the document.`,
      "Read the document again; the text may have been changed or removed.",
      { match_text: quoted },
    );
  }
  return new Fault(
    "ambiguous_match",
    `The match text ${JSON.stringify(first.slice(0, 80))} occurs ${found.length} times.`,
    "Quote more of the text so that only one place fits, or read the document again and use its revision.",
    { match_text: quoted, lines: found.slice(0, 20), total: found.length },
  );
}

function agrees(
  text: Text,
  parts: readonly string[],
  isClosed: boolean,
  line: number,
  total: number,
): boolean {
  if (line + parts.length - 1 > total) return false;
  return parts.every((part, index) => {
    const content = lineContent(text, line - 1 + index);
    if (parts.length === 1) return isClosed ? content.endsWith(part) : content.includes(part);
    const isEdge = index === 0 || (index === parts.length - 1 && !isClosed);
    if (part === "" || !isEdge) return content === part;
    return index === 0 ? content.endsWith(part) : content.startsWith(part);
  });
}
