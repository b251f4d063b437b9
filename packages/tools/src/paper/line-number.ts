// Which line a number of the model means.
//
//   moved by others    a shown line that the model cannot know to have moved is followed, exactly
//   known to move      once the model made the move, or was shown anything later, its number may mean the old line or the
//                      line that has the number now: refused, with both
//   changed            a line that is not as it was shown is refused
//   never shown        refused with the line that has had the number since the turn began, unless the call says that it may
//                      go unseen; an empty line holds nothing that could
//   shown in part      refused, unless the call says so

import { cutTextCounted } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import { changesSince, type History, mapSpan } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { isShownWhole } from "./long-line.ts";
import type { CurrentLine, Paper } from "./paper.ts";

/** What a refusal shows of a line. */
const refusalChars = 500;

/** Where the line is now that the model means by a number. */
export function lineNow(paper: Paper, history: History, line: number): number | Fault {
  const found = paper.sight.numbered(paper.seen(history), line, line);
  if (found === "changed") return changed(history, line);
  if (found !== "outside" && found.isShown)
    return found.isDoubtful ? moved(history, line, found.from, true) : found.from;
  return neverShown(paper, history, line);
}

/** A number that was never shown: whichever revision since the turn began it comes from, it must be the same line. */
function neverShown({ snapshot }: Paper, history: History, line: number): number | Fault {
  if (line > history.text.lines) return outOfRange(line, history.text.lines);
  const changes = changesSince(history, snapshot.revision);
  if (isFault(changes)) return changes;
  let at = line - 1;
  for (const { before, splices } of changes) {
    const hadLine = before.length > 0 && at < before.lines;
    if (!hadLine) continue;
    const mapped = mapSpan({ first: at, last: at }, splices);
    if ("at" in mapped) return changed(history, line);
    at = mapped.first;
  }
  return at === line - 1 ? line : moved(history, line, at + 1, false);
}

/** Why the line that was found must not be replaced: it was not shown, or only a part of it. */
export function unseenLine(paper: Paper, history: History, line: number, now: number): Fault {
  const found = paper.sight.numbered(paper.seen(history), line, line);
  const wasShown = typeof found !== "string" && found.isShown;
  return wasShown ? partlyShown(line, lineContent(history.text, now - 1)) : notShown(history, line, now);
}

function linesNow(history: History, ...numbers: readonly number[]): CurrentLine[] {
  const inside = numbers.filter((number) => number <= history.text.lines);
  return [...new Set(inside)].map((lineNumber) => ({
    lineNumber,
    content: cutTextCounted(lineContent(history.text, lineNumber - 1), refusalChars),
  }));
}

const reAnchor =
  "Find the line with search_paper() or get_context_lines(), then edit the number shown there.";

export function outOfRange(line: number | string, rows: number): Fault {
  return new Fault(
    "invalid_line_range",
    `Line number ${line} out of range. Paper has only ${rows} ${rows === 1 ? "line" : "lines"}.`,
    "Try search_paper('keyword') to find exact line number first",
    { rows },
  );
}

function moved(history: History, line: number, now: number, wasShown: boolean): Fault {
  const where = now === line ? "" : `; what was line ${line} is line ${now} now`;
  const what = wasShown
    ? `Lines have moved since line ${line} was shown${where}.`
    : `Lines have moved since the turn began, and line ${line} was not shown after that${where}.`;
  return new Fault(
    "stale_anchor",
    `${what} Nothing was changed.`,
    `Look at current, and call again with the number of the line that you mean. ${reAnchor}`,
    { current: linesNow(history, line, now) },
  );
}

function changed(history: History, line: number): Fault {
  return new Fault(
    "conflict",
    `Line ${line} is not the line that you saw any more: it was changed since. Nothing was changed.`,
    `Look again before you decide. ${reAnchor}`,
    { current: linesNow(history, line) },
  );
}

function notShown(history: History, line: number, now: number): Fault {
  const current = linesNow(history, now);
  const isCut = current[0]?.content !== lineContent(history.text, now - 1);
  return new Fault(
    "partly_read",
    `Line ${line} was not shown to you: replacing it would lose what it holds. Nothing was changed.`,
    isCut
      ? `Look at current. To replace all of the line, call again with remove_unseen: true.`
      : "Look at current, and call again if that is the line that you mean.",
    { current },
  );
}

function partlyShown(line: number, content: string): Fault {
  const look = isShownWhole(content)
    ? `Call get_context_lines({lineNumber: ${line}, before: 0, after: 0}) to see all of it first. `
    : "It is too long to be shown whole. ";
  return new Fault(
    "partly_read",
    `Line ${line} has ${content.length} characters, and only a part of it was shown: replacing it would lose the rest.`,
    `${look}To replace all of it unseen, call again with remove_unseen: true.`,
  );
}

/** The lines that a refusal shows as they are now. */
export function currentLines({ details }: Fault): readonly CurrentLine[] {
  return Array.isArray(details.current) ? details.current : [];
}
