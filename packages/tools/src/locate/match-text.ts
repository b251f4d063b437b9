// A text that is quoted beside line numbers, and says where they are now: exactly, or nowhere (see tolerance.ts).
//
// A quote of several lines must match them whole, except the start of the first and the end of the last; where a line break
// ends the quote, that is the end of the last one. A blank line is blank.

import type { Text } from "@codemirror/state";
import { countLines, lineContent, linesOf } from "@stet/text/lines";

/** The counted lines, 1-based, on which it begins; only `wanted` where it stands there. */
export function matchTextLines(text: Text, quoted: string, wanted: number): number[] {
  const parts = linesOf(quoted);
  const isClosed = /[\r\n]$/.test(quoted);
  const last = countLines(text) - parts.length + 1;
  const standsAt = (line: number) =>
    line >= 1 &&
    line <= last &&
    parts.every((part, index) => {
      const content = lineContent(text, line - 1 + index);
      if (parts.length === 1) return isClosed ? content.endsWith(part) : content.includes(part);
      const isEdge = index === 0 || (index === parts.length - 1 && !isClosed);
      if (part === "" || !isEdge) return content === part;
      return index === 0 ? content.endsWith(part) : content.startsWith(part);
    });
  if (standsAt(wanted)) return [wanted];
  const found: number[] = [];
  for (let line = 1; line <= last; line += 1) if (standsAt(line)) found.push(line);
  return found;
}
