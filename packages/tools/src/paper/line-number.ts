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
import { Fault } from "@stet/protocol/fault";
import type { History } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { type LinesMiss, locateNumber } from "../locate/locate-lines.ts";
import { isShownWhole } from "./long-line.ts";
import type { CurrentLine, Paper } from "./paper.ts";

/** What a refusal shows of a line. */
const refusalChars = 500;

const reAnchor =
  "Find the line with search_paper() or get_context_lines(), then edit the number shown there.";

/** Where the line is now that the model means by a number. */
export function lineNow(paper: Paper, history: History, line: number): number | Fault {
  const seen = paper.seen(history);
  const found = locateNumber(paper.sight, seen, { line, since: paper.snapshot.revision });
  if (typeof found === "number") return found;
  if (found.reason === "outside") return outOfRange(line, history.text.lines);
  const current = linesNow(history, found);
  if (found.reason === "changed") {
    return new Fault(
      found.code,
      `Line ${line} is not the line that you saw any more: it was changed since. Nothing was changed.`,
      `Look again before you decide. ${reAnchor}`,
      { current },
    );
  }
  const now = found.places[1]?.from ?? line;
  const what = wasShown(paper, history, line)
    ? `Lines have moved since line ${line} was shown`
    : `Lines have moved since the turn began, and line ${line} was not shown after that`;
  return new Fault(
    found.code,
    `${what}${now === line ? "" : `; what was line ${line} is line ${now} now`}. Nothing was changed.`,
    `Look at current, and call again with the number of the line that you mean. ${reAnchor}`,
    { current },
  );
}

function wasShown(paper: Paper, history: History, line: number): boolean {
  const found = paper.sight.numbered(paper.seen(history), line, line);
  return typeof found !== "string" && found.isShown;
}

function linesNow(history: History, { places }: Pick<LinesMiss, "places">): CurrentLine[] {
  const inside = places.flatMap(({ from }) => (from <= history.text.lines ? [from] : []));
  return [...new Set(inside)].map((lineNumber) => ({
    lineNumber,
    content: cutTextCounted(lineContent(history.text, lineNumber - 1), refusalChars),
  }));
}

/** Why the line that was found must not be replaced: it was not shown, or only a part of it. */
export function unseenLine(paper: Paper, history: History, line: number, now: number): Fault {
  const content = lineContent(history.text, now - 1);
  if (!wasShown(paper, history, line)) {
    const current = linesNow(history, { places: [{ from: now, to: now }] });
    return new Fault(
      "partly_read",
      `Line ${line} was not shown to you: replacing it would lose what it holds. Nothing was changed.`,
      current[0]?.content === content
        ? "Look at current, and call again if that is the line that you mean."
        : "Look at current. To replace all of the line, call again with remove_unseen: true.",
      { current },
    );
  }
  const look = isShownWhole(content)
    ? `Call get_context_lines({lineNumber: ${line}, before: 0, after: 0}) to see all of it first. `
    : "It is too long to be shown whole. ";
  return new Fault(
    "partly_read",
    `Line ${line} has ${content.length} characters, and only a part of it was shown: replacing it would lose the rest.`,
    `${look}To replace all of it unseen, call again with remove_unseen: true.`,
  );
}

export function outOfRange(line: number | string, rows: number): Fault {
  return new Fault(
    "invalid_line_range",
    `Line number ${line} out of range. Paper has only ${rows} ${rows === 1 ? "line" : "lines"}.`,
    "Try search_paper('keyword') to find exact line number first",
    { rows },
  );
}

/** The lines that a refusal shows as they are now. */
export function currentLines({ details }: Fault): readonly CurrentLine[] {
  return Array.isArray(details.current) ? details.current : [];
}
