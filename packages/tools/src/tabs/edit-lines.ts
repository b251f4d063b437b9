// What insert_lines, replace_lines and delete_lines have in common: one edit of a range of lines.
//
// The version must be the current one. With a match text it may be older: then the text that was quoted says where the
// lines are now, and they must still be what they were. All line numbers here are 0-based, as the model counts; the edit
// itself counts from 1.

import { Fault, isFault } from "@stet/protocol/fault";
import { type History, textAt } from "@stet/text/history";
import { countLines, lineContent, linesOf } from "@stet/text/lines";
import { findText } from "@stet/text/match-text";
import { followQuote, lineNow, type PlacedEdit, revise } from "@stet/text/revise";
import type { TurnTab } from "@stet/workspace/tabs/tabs";
import type { TurnEdit } from "@stet/workspace/turns/turns";
import { abbreviatedChange } from "../code/edit/abbreviated.ts";
import type { LineSpan } from "../sight/spans.ts";
import { confirmHint, filledLines } from "../sight/unseen-text.ts";
import { outOfRange, type SeenTab, tabIn, versionMismatch, versionName } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export type LinesEdit =
  /** After line -1 is the start of the document. */
  | { readonly op: "insert"; readonly after: number; readonly content: string }
  | { readonly op: "replace"; readonly start: number; readonly end: number; readonly content: string }
  | { readonly op: "delete"; readonly start: number; readonly end: number };

export interface LinesRequest {
  readonly tab_id?: string | undefined;
  readonly version: string;
  readonly dry_run?: boolean | undefined;
  readonly match_text?: string | undefined;
  readonly remove_unseen?: boolean | undefined;
}

export interface EditedLines {
  readonly tab_id: string;
  readonly version: string;
  readonly status: "success" | "dry_run";
  /** Where the edit begins: the first line that it replaces, removes or brings. */
  readonly start: number;
  /** The last line that it replaces or removes, counted before the edit. */
  readonly end: number;
  /** Whether the match text found the lines elsewhere than they were said to be. */
  readonly isMoved: boolean;
  /** Lines of the document. */
  readonly before: number;
  readonly after: number;
}

/** No revision has this number. */
const unknownRevision = -1;

export async function editLines(
  context: TabsContext,
  request: LinesRequest,
  edit: LinesEdit,
): Promise<EditedLines | Fault> {
  const tab = tabIn(context, request.tab_id);
  if (isFault(tab)) return tab;
  const matchText = request.match_text === "" ? undefined : request.match_text;
  const revision = revisionOf(context, tab, request.version);
  // Only with a match text may the version be another than the current one.
  if (request.version !== tab.info.version && matchText === undefined)
    return withPlace(context, versionMismatch(tab, request.version), tab, edit, revision);
  const unfit = checkEdit(tab.history, revision, edit);
  if (unfit !== undefined) return withPlace(context, unfit, tab, edit, revision);
  const place = placeOf(tab.history, revision, edit, matchText);
  if (isFault(place)) return withPlace(context, place, tab, edit, revision);
  const { start, end } = place;
  const made = {
    revision,
    policy: matchText === undefined ? { kind: "strict" as const } : { kind: "strict" as const, matchText },
    edits: [lineEditOf(edit)],
    // What goes was shown, or the call says that it need not be.
    rewrite: edit.op !== "insert",
  };
  const refusal = () => {
    const unseen = request.remove_unseen === true ? [] : unseenLines(context, tab, place, matchText);
    return unseen.length === 0 ? undefined : notShown(unseen);
  };
  const history = await carryOut(context, tab, made, { isDryRun: request.dry_run ?? false, refusal });
  if (isFault(history)) {
    const fault = retold(history, tab, request.version, edit, place);
    return withPlace(context, fault, tab, movedTo(edit, place), tab.history.revision);
  }
  const before = countLines(tab.history.text);
  const after = countLines(history.text);
  const isMoved = start !== (edit.op === "insert" ? edit.after + 1 : edit.start);
  const common = { tab_id: tab.info.tab_id, start, end, isMoved, before, after };
  if (request.dry_run) return { ...common, version: tab.info.version, status: "dry_run" };
  const now = tabIn(context, tab.info.tab_id);
  if (isFault(now)) return now;
  context.sight.wrote(now, tab.history.revision);
  return { ...common, version: now.info.version, status: "success" };
}

/** The revision that the model's version stands for. */
function revisionOf({ sight }: TabsContext, tab: SeenTab, version: string): number {
  if (version === tab.info.version) return tab.history.revision;
  return sight.issued(tab, versionName(tab, version)) ?? unknownRevision;
}

/** Against the text that the line numbers were meant for, where that is known. */
function checkEdit(history: History, revision: number, edit: LinesEdit): Fault | undefined {
  if (edit.op === "insert" && edit.content === "") {
    return new Fault(
      "content_required",
      "There is nothing to insert: the content is empty.",
      'Give the lines to insert; for one empty line give "\\n".',
    );
  }
  const seen = textAt(history, revision);
  const total = isFault(seen) ? Number.POSITIVE_INFINITY : countLines(seen);
  const isInRange =
    edit.op === "insert"
      ? edit.after >= -1 && edit.after < total
      : edit.start >= 0 && edit.start <= edit.end && edit.end < total;
  if (isInRange) return undefined;
  const lines = isFault(seen) ? countLines(history.text) : total;
  if (edit.op !== "insert") return outOfRange(edit.start, edit.end, lines);
  const last = lines === 0 ? "" : ` to ${lines - 1}, the last line`;
  return new Fault(
    "invalid_line_range",
    `There is no line ${edit.after} to insert after: the document has ${lines} lines.`,
    `Use -1 for the start of the document${last}.`,
    { requested_start: edit.after, requested_end: edit.after, document_lines: lines },
  );
}

/** The lines of the newest text that go; of an insertion the end is the line before its start. */
interface EditPlace extends LineSpan {
  /** Lines of the match text that stand before the start, because the edit only wrote them again as they are. */
  readonly skipped: number;
}

function placeOf(
  history: History,
  revision: number,
  edit: LinesEdit,
  matchText: string | undefined,
): EditPlace | Fault {
  if (matchText === undefined) return placeAt(edit, edit.op === "insert" ? edit.after + 1 : edit.start);
  const followed = followQuote(history, revision, lineEditOf(edit), matchText);
  if (followed !== undefined && !isFault(followed)) {
    const { edit: moved, skipped } = followed;
    if (moved.op === "insert") return { start: moved.after, end: moved.after - 1, skipped };
    return { start: moved.from - 1, end: moved.to - 1, skipped };
  }
  const quoted = linesOf(matchText).length;
  const wanted = lineNow(history, revision, (edit.op === "insert" ? edit.after : edit.start) + 1);
  const line = findText(history.text, matchText, edit.op === "insert" ? wanted - quoted + 1 : wanted);
  if (isFault(line)) return retoldMatch(line);
  return placeAt(edit, edit.op === "insert" ? line - 1 + quoted : line - 1);
}

function placeAt(edit: LinesEdit, start: number): EditPlace {
  const count = edit.op === "insert" ? 0 : edit.end - edit.start + 1;
  return { start, end: start + count - 1, skipped: 0 };
}

function lineEditOf(edit: LinesEdit): PlacedEdit {
  switch (edit.op) {
    case "insert":
      return { op: "insert", after: edit.after + 1, content: edit.content };
    case "replace":
      return { op: "replace", from: edit.start + 1, to: edit.end + 1, content: edit.content };
    case "delete":
      return { op: "delete", from: edit.start + 1, to: edit.end + 1 };
  }
}

/** Lines that would go, and that the model neither was shown nor quotes. */
function unseenLines(
  { sight }: TabsContext,
  tab: SeenTab,
  { start, end, skipped }: EditPlace,
  matchText: string | undefined,
): LineSpan[] {
  const { text } = tab.history;
  const quoted = matchText === undefined ? [] : linesOf(matchText).slice(skipped);
  const isQuoted = (line: number) => quoted[line - start]?.trim() === lineContent(text, line).trim();
  let first = start;
  while (first <= end && isQuoted(first)) first += 1;
  const unknown = sight.unknown(tab, { start: first, end });
  return filledLines(text, unknown);
}

function notShown(unseen: readonly LineSpan[]): Fault {
  const count = unseen.reduce((sum, span) => sum + span.end - span.start + 1, 0);
  const which = unseen.slice(0, 10).map((span) => {
    return span.start === span.end ? `${span.start}` : `${span.start}-${span.end}`;
  });
  return new Fault(
    "partly_read",
    `${count === 1 ? "A line that would go was" : `${count} lines that would go were`} not shown to you whole: ` +
      `${which.join(", ")}. Nothing was changed.`,
    `Look at details.now and read_document, then repeat the edit; for a part of a long line use find_and_replace; ${confirmHint}.`,
    { unread_ranges: unseen.slice(0, 10).map((span) => ({ start_line: span.start, end_line: span.end })) },
  );
}

async function carryOut(
  { turn }: TabsContext,
  tab: TurnTab,
  request: TurnEdit,
  { isDryRun, refusal }: { readonly isDryRun: boolean; readonly refusal: () => Fault | undefined },
): Promise<History | Fault> {
  const checked = (history: History) => abbreviatedChange(tab.info.title, history) ?? refusal() ?? history;
  if (isDryRun) {
    const revised = revise(tab.history, { ...request, origin: "agent", turn: turn.id });
    return isFault(revised) ? revised : checked(revised.history);
  }
  return turn.step(() => {
    const report = turn.edit(tab.document, request);
    const history = isFault(report) ? report : turn.read(tab.document);
    return isFault(history) ? history : checked(history);
  });
}

/** The faults of the edit itself, whose lines count from 1 and whose words are not this dialect's. */
function retold(
  fault: Fault,
  tab: TurnTab,
  version: string,
  edit: LinesEdit,
  { start, end }: EditPlace,
): Fault {
  if (fault.error === "unknown_revision") {
    return versionMismatch(
      tab,
      version,
      "That version was not read in this turn. Call read_document, or quote in match_text every line that the edit replaces.",
    );
  }
  if (fault.error === "invalid_line_range" && edit.op !== "insert") {
    return outOfRange(start, end, countLines(tab.history.text));
  }
  if (fault.error === "conflict" && version === tab.info.version && edit.op !== "insert") {
    return new Fault(
      "conflict",
      `match_text stands at line ${start}, not at line ${edit.start}, and does not quote the whole range. Nothing was changed.`,
      `Repeat the edit with start_line=${start} if that is meant, or quote every line of the range in match_text.`,
      { start_line: start, current_version: version },
    );
  }
  if (fault.error === "conflict") {
    const { expected, found } = fault.details;
    return new Fault(
      "conflict",
      `match_text was found at line ${start}, but the lines from there on are no longer those of version ${version}. ` +
        "Nothing was changed.",
      `Call read_document with start_line=${start}, and repeat the edit with the version and lines it returns.`,
      {
        expected: shortened(expected),
        found: shortened(found),
        start_line: start,
        current_version: tab.info.version,
      },
    );
  }
  return fault;
}

function retoldMatch(fault: Fault): Fault {
  const { error, message, suggestion, details: told } = fault;
  const { lines, match_text, ...more } = told;
  const details = { ...more, match_text: shortened(match_text) };
  if (error !== "ambiguous_match") return new Fault(error, message, suggestion, details);
  return new Fault(
    "ambiguous_match",
    `${message} Nothing was changed.`,
    "Quote more of the text in match_text, so that only one place fits; or read the document again and leave match_text out.",
    { ...details, lines: Array.isArray(lines) ? lines.map((line) => Number(line) - 1) : [] },
  );
}

const around = 6;
const longestShown = 500;

/**
 * With the lines that stand now where the edit was meant to be, for writing it again. What a refusal shows whole counts as
 * read: otherwise the next try would be refused for removing lines that this one showed.
 */
function withPlace(
  { sight }: TabsContext,
  fault: Fault,
  tab: SeenTab,
  edit: LinesEdit,
  revision: number,
): Fault {
  const { error, message, suggestion, details } = fault;
  const { text } = tab.history;
  const total = countLines(text);
  if (total === 0) return fault;
  const [first, last] = edit.op === "insert" ? [edit.after, edit.after] : [edit.start, edit.end];
  // Where the lines have moved to since that version, as far as that is known.
  const moved = lineNow(tab.history, revision, Math.max(0, first) + 1);
  const there = moved > 0 ? moved - 1 : Math.max(0, first);
  const from = Math.max(0, Math.min(there, total - 1) - around);
  const to = Math.min(total - 1, Math.min(there + last - first, from + 2 * around) + around);
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) {
    const content = lineContent(text, line);
    lines.push(shortened(content));
    sight.show(tab, line + 1, line + 1, content.length <= longestShown);
  }
  const now = { start_line: from, end_line: to, document_lines: total, content: lines.join("\n") };
  return new Fault(error, message, suggestion, { ...details, current_version: tab.info.version, now });
}

/** The edit with the lines of the newest text. */
function movedTo(edit: LinesEdit, { start, end }: EditPlace): LinesEdit {
  return edit.op === "insert" ? { ...edit, after: end } : { ...edit, start, end };
}

/** A line, or a quotation, may be of any length. */
function shortened(text: unknown): string {
  return String(text ?? "").slice(0, longestShown);
}
