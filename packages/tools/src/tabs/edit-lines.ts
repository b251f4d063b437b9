// What insert_lines, replace_lines and delete_lines have in common: one edit of a range of lines.
//
// The version must be the current one. With a match text it may be older: then the lines are those of that version at which
// the text stands, followed to where they are now. All line numbers here are 0-based, as the model counts; the edit itself
// counts from 1.

import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { type History, textAt } from "@stet/text/history";
import { countLines, lineContent, linesOf } from "@stet/text/lines";
import { findText } from "@stet/text/match-text";
import { revise } from "@stet/text/revise";
import type { TurnEdit } from "@stet/workspace/turns/turns";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import { excerptOf } from "../locate/excerpt.ts";
import { followedEdits, lineNow } from "../locate/followed-edits.ts";
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
  /** Whether the lines are elsewhere than they were said to be. */
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
  const refused = (fault: Fault, there = edit, at = revision) => withPlace(context, fault, tab, there, at);
  // Only with a match text may the version be another than the current one.
  if (request.version !== tab.info.version && matchText === undefined)
    return refused(versionMismatch(tab, request.version));
  const unfit = checkEdit(tab.history, revision, edit);
  if (unfit !== undefined) return refused(unfit);
  const meant = matchText === undefined ? edit : quotedLines(tab, request.version, revision, edit, matchText);
  if (isFault(meant)) return refused(meant);
  const place = placeOf(tab.history, revision, meant);
  if (isFault(place)) return refused(changedSince(place, tab, request.version), meant);
  const made = {
    revision: tab.history.revision,
    policy: { kind: "strict" as const },
    edits: place.edits,
    // What goes was shown, or the call says that it need not be.
    rewrite: edit.op !== "insert",
  };
  const refusal = () => {
    const unseen = request.remove_unseen === true ? [] : unseenLines(context, tab, place, matchText);
    return unseen.length === 0 ? undefined : notShown(unseen);
  };
  const history = await carryOut(context, tab, made, { isDryRun: request.dry_run ?? false, refusal });
  if (isFault(history)) return refused(history, movedTo(edit, place), tab.history.revision);
  const { start, end } = place;
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

/**
 * The edit with the lines at which the match text stands: in the revision that the version stands for, or now where that is not
 * known. A number that is off counts as a slip where all that goes is quoted; then the quote says what is meant.
 */
function quotedLines(
  tab: SeenTab,
  version: string,
  revision: number,
  edit: LinesEdit,
  matchText: string,
): LinesEdit | Fault {
  const seen = textAt(tab.history, revision);
  const text = isFault(seen) ? tab.history.text : seen;
  const quoted = linesOf(matchText).length;
  const wanted = edit.op === "insert" ? edit.after - quoted + 1 : edit.start;
  const line = findText(text, matchText, isFault(seen) ? 0 : wanted + 1);
  if (isFault(line)) return unfitMatch(line);
  const start = line - 1;
  if (edit.op === "insert") return { ...edit, after: start + quoted - 1 };
  const end = start + edit.end - edit.start;
  if (end - start < quoted || (start === edit.start && !isFault(seen))) {
    return end < countLines(text) ? { ...edit, start, end } : outOfRange(start, end, countLines(text));
  }
  if (isFault(seen)) {
    return versionMismatch(
      tab,
      version,
      "That version was not read in this conversation. Call read_document, or quote in match_text every line that the edit replaces.",
    );
  }
  return new Fault(
    "conflict",
    `match_text stands at line ${start}, not at line ${edit.start}, and does not quote the whole range. Nothing was changed.`,
    `Repeat the edit with start_line=${start} if that is meant, or quote every line of the range in match_text.`,
    { start_line: start, current_version: version },
  );
}

/** The lines of the newest text that go, and the edits that do it; of an insertion the end is the line before its start. */
interface EditPlace extends LineSpan {
  readonly edits: readonly LineEdit[];
}

function placeOf(history: History, revision: number, edit: LinesEdit): EditPlace | Fault {
  const lineEdit = lineEditOf(edit);
  if (revision === history.revision || revision === unknownRevision) {
    if (edit.op === "insert") return { start: edit.after + 1, end: edit.after, edits: [lineEdit] };
    return { start: edit.start, end: edit.end, edits: [lineEdit] };
  }
  const followed = followedEdits(history, revision, lineEdit);
  if (isFault(followed)) return followed;
  return { start: followed.from - 1, end: followed.to - 1, edits: followed.edits };
}

function lineEditOf(edit: LinesEdit): Extract<LineEdit, { op: "insert" | "replace" | "delete" }> {
  if (edit.op === "insert") return { op: "insert", after: edit.after + 1, content: edit.content };
  const lines = { from: edit.start + 1, to: edit.end + 1 };
  return edit.op === "delete"
    ? { op: "delete", ...lines }
    : { op: "replace", ...lines, content: edit.content };
}

/** Lines that would go, and that the model neither was shown nor quotes. */
function unseenLines(
  { sight }: TabsContext,
  tab: SeenTab,
  { start, end }: EditPlace,
  matchText: string | undefined,
): LineSpan[] {
  if (start > end) return [];
  const { text } = tab.history;
  const quoted = matchText === undefined ? [] : linesOf(matchText).map((line) => line.trim());
  const skipped = Math.max(0, quoted.indexOf(lineContent(text, start).trim()));
  let first = start;
  while (first <= end && quoted[first - start + skipped] === lineContent(text, first).trim()) first += 1;
  return filledLines(text, sight.unknown(tab, { start: first, end }));
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
  tab: SeenTab,
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

/** The conflict in this dialect's words: its lines count from 0. */
function changedSince(fault: Fault, tab: SeenTab, version: string): Fault {
  if (fault.error !== "conflict") return fault;
  return new Fault(
    "conflict",
    `match_text stands in version ${version}, but its lines were changed since. Nothing was changed.`,
    "Look at details.now, and repeat the edit with the current version and the lines that are there.",
    { current_version: tab.info.version },
  );
}

function unfitMatch({ error, message, suggestion, details: given }: Fault): Fault {
  const { lines, match_text, ...more } = given;
  const details = { ...more, match_text: String(match_text ?? "").slice(0, longestShown) };
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

/** With the lines that stand now where the edit was meant to be, for writing it again. They count as shown. */
function withPlace(
  { sight }: TabsContext,
  { error, message, suggestion, details }: Fault,
  tab: SeenTab,
  edit: LinesEdit,
  revision: number,
): Fault {
  const total = countLines(tab.history.text);
  if (total === 0) return new Fault(error, message, suggestion, details);
  const [first, last] = edit.op === "insert" ? [edit.after, edit.after] : [edit.start, edit.end];
  // Where the lines have moved to since that version, as far as that is known.
  const moved = lineNow(tab.history, revision, Math.max(0, first) + 1) ?? Math.max(0, first) + 1;
  const from = Math.min(moved, total);
  const to = Math.min(from + Math.max(0, last - first), from + around, total);
  const rows = excerptOf(sight, tab, [{ from, to }], { around, longest: longestShown });
  const now = {
    start_line: (rows[0]?.line ?? 1) - 1,
    end_line: (rows.at(-1)?.line ?? 1) - 1,
    document_lines: total,
    content: rows.map((row) => row.content).join("\n"),
  };
  return new Fault(error, message, suggestion, { ...details, current_version: tab.info.version, now });
}

/** The edit with the lines of the newest text. */
function movedTo(edit: LinesEdit, { start, end }: EditPlace): LinesEdit {
  return edit.op === "insert" ? { ...edit, after: end } : { ...edit, start, end };
}
