// Which line numbers the model was shown, at which revision, and where those lines are now.
//
//   moved by others    a shown line that the model cannot know to have moved is followed, exactly
//   known to move      once the model made the move, or was shown anything later, its number may mean the old line or the
//                      line that has the number now: refused, with both
//   changed            a line that is not as it was shown is refused
//   never shown        refused with the line that has had the number since the turn began, unless the call says that it may
//                      go unseen; an empty line holds nothing that could
//   shown in part      refused, unless the call says so
//
// The calls of one message were written before any of them was answered: they know what earlier messages were shown.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { type Change, changesSince, type History, mapSpan, textAt } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { cut } from "./cut.ts";
import { isShownWhole } from "./long-line.ts";

interface ShownRange {
  readonly first: number;
  readonly last: number;
  /** False where the model saw only a part of a line. */
  readonly isWhole: boolean;
}

interface Showing extends ShownRange {
  readonly batch: string;
  readonly revision: number;
  readonly text: Text;
}

export interface CurrentLine {
  readonly lineNumber: number;
  readonly content: string;
}

/** What a refusal shows of a line. */
export const refusalChars = 500;

/** The oldest are forgotten: such a number then counts as never shown. */
const maxShowings = 10_000;

export class ShownLines {
  private readonly turn: string;
  private readonly opened: Pick<History, "revision" | "text">;
  private showings: Showing[] = [];
  /** The newest revision that the model was told of, before the batch that is running and in it. */
  private told: number;
  private toldInBatch: number;
  private batch = "";

  constructor(turn: string, opened: Pick<History, "revision" | "text">) {
    this.turn = turn;
    this.opened = opened;
    this.told = opened.revision;
    this.toldInBatch = opened.revision;
  }

  /** The answer to a call shows these lines as they are at a revision. */
  show(batch: string, history: History, revision: number, lines: readonly CurrentLine[]): void {
    this.tell(batch, revision);
    const text = textAt(history, revision);
    if (isFault(text)) return;
    for (const range of rangesOf(text, lines)) this.showings.push({ ...range, batch, revision, text });
    if (this.showings.length > maxShowings) this.showings = this.showings.slice(-maxShowings / 2);
  }

  /** The answer to a call lets the model know of everything up to a revision. */
  tell(batch: string, revision: number): void {
    this.enter(batch);
    this.toldInBatch = Math.max(this.toldInBatch, revision);
  }

  private enter(batch: string): void {
    if (batch === this.batch) return;
    this.batch = batch;
    this.told = this.toldInBatch;
  }

  /** Where the line is now that the model means by a number. */
  locate(batch: string, history: History, line: number): number | Fault {
    this.enter(batch);
    const showing = this.showings.findLast((one) => one.batch !== batch && contains(one, line));
    if (showing === undefined && line > history.text.lines) return outOfRange(line, history.text.lines);
    const seen = showing ?? this.opened;
    const changes = changesSince(history, seen.revision);
    if (isFault(changes) || (changes[0]?.before ?? history.text) !== seen.text) {
      return forgotten(history, line);
    }
    const place =
      showing === undefined ? followNumber(line - 1, changes) : this.followLine(line - 1, changes);
    if ("changedBy" in place) return changed(history, line, place.changedBy, this.turn);
    const now = place.at + 1;
    if (place.isDoubtful) return moved(history, line, now, showing !== undefined);
    return now;
  }

  /** Why the line that `locate` has found must not be replaced: it was not shown, or only a part of it. */
  unseen(batch: string, history: History, line: number, now: number): Fault | undefined {
    const showing = this.showings.findLast((one) => one.batch !== batch && contains(one, line));
    if (showing === undefined) return notShown(history, line, now);
    if (showing.isWhole || this.isShownWhole(showing, line)) return undefined;
    return partlyShown(line, lineContent(history.text, now - 1));
  }

  private followLine(start: number, changes: readonly Change[]): Place {
    let at = start;
    let isDoubtful = false;
    for (const change of changes) {
      const mapped = mapSpan({ first: at, last: at }, change.splices);
      if ("at" in mapped) return { changedBy: change };
      const isKnown = change.revision <= this.told || change.turn === this.turn;
      if (mapped.first !== at && isKnown) isDoubtful = true;
      at = mapped.first;
    }
    return { at, isDoubtful };
  }

  private isShownWhole({ revision }: Showing, line: number): boolean {
    return this.showings.some(
      (one) => one.isWhole && one.revision === revision && one.batch !== this.batch && contains(one, line),
    );
  }
}

type Place = { readonly at: number; readonly isDoubtful: boolean } | { readonly changedBy: Change };

function contains({ first, last }: ShownRange, line: number): boolean {
  return first <= line && line <= last;
}

/** A number that was never shown: whichever revision it comes from, it must be the same line. */
function followNumber(start: number, changes: readonly Change[]): Place {
  let at = start;
  for (const change of changes) {
    const hadLine = change.before.length > 0 && at < change.before.lines;
    if (!hadLine) continue;
    const mapped = mapSpan({ first: at, last: at }, change.splices);
    if ("at" in mapped) return { changedBy: change };
    at = mapped.first;
  }
  return { at, isDoubtful: at !== start };
}

function linesNow(history: History, ...numbers: readonly number[]): CurrentLine[] {
  const inside = numbers.filter((number) => number <= history.text.lines);
  return [...new Set(inside)].map((lineNumber) => ({
    lineNumber,
    content: cut(lineContent(history.text, lineNumber - 1), refusalChars),
  }));
}

/** Lines as they were shown, as ranges; a line whose content was cut is not whole. */
function rangesOf(text: Text, lines: readonly CurrentLine[]): ShownRange[] {
  const ranges: { first: number; last: number; isWhole: boolean }[] = [];
  for (const { lineNumber, content } of lines) {
    const isWhole = content === lineContent(text, lineNumber - 1);
    const range = ranges.at(-1);
    if (range?.last === lineNumber - 1 && range.isWhole === isWhole) range.last = lineNumber;
    else ranges.push({ first: lineNumber, last: lineNumber, isWhole });
  }
  return ranges;
}

const reAnchor =
  "Find the line with search_paper() or get_context_lines(), then edit the number shown there.";

export function outOfRange(line: number, rows: number): Fault {
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

function changed(history: History, line: number, change: Change, turn: string): Fault {
  const maker =
    change.turn === turn
      ? "an edit of yours"
      : change.origin === "disk"
        ? "a change on disk"
        : change.origin === "user"
          ? "the person"
          : "another turn";
  return new Fault(
    "conflict",
    `Line ${line} is not the line that you saw any more: ${maker} changed it. Nothing was changed.`,
    `Look again before you decide. ${reAnchor}`,
    { current: linesNow(history, line) },
  );
}

function forgotten(history: History, line: number): Fault {
  return new Fault(
    "unknown_revision",
    `What line ${line} was when it was shown is too long ago to know where it is now. Nothing was changed.`,
    reAnchor,
    { current: linesNow(history, line) },
  );
}

function notShown(history: History, line: number, now: number): Fault {
  const [current] = linesNow(history, now);
  const isCut = current?.content !== lineContent(history.text, now - 1);
  return new Fault(
    "partly_read",
    `Line ${line} was not shown to you: replacing it would lose what it holds. Nothing was changed.`,
    isCut
      ? `Look at current. To replace all of the line, call again with remove_unseen: true.`
      : "Look at current, and call again if that is the line that you mean.",
    { current: linesNow(history, now) },
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
