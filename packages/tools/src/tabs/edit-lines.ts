// What insert_lines, replace_lines and delete_lines have in common: one edit of a range of lines.
//
// The version must be the current one. With a match text it may be older: then the lines are those of that version at which
// the text stands, followed to where they are now. Lines count from 1 here, and from 0 in what the model says and is told.

import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { type History, textAt } from "@stet/text/history";
import { countLines, lineContent, linesOf } from "@stet/text/lines";
import { revise } from "@stet/text/revise";
import type { TurnEdit } from "@stet/workspace/turns/turns";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import { excerptOf } from "../locate/excerpt.ts";
import { followedEdits, type LineRange, lineNow, type RangeEdit } from "../locate/followed-edits.ts";
import { matchTextLines } from "../locate/match-text.ts";
import type { LineSpan } from "../sight/spans.ts";
import { confirmHint, filledLines } from "../sight/unseen-text.ts";
import { outOfRange, type SeenTab, spanNames, tabIn, versionMismatch, versionName } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

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
  /** Where the edit begins, from 0: the first line that it replaces, removes or brings. */
  readonly start: number;
  /** The last line that it replaces or removes, counted before the edit. */
  readonly end: number;
  /** Whether the lines are elsewhere than they were said to be. */
  readonly isMoved: boolean;
  /** Lines of the document. */
  readonly before: number;
  readonly after: number;
}

/** The lines that an edit names; of an insertion the one that it comes behind. */
function linesIn(edit: RangeEdit): LineRange {
  return edit.op === "insert" ? { from: edit.after, to: edit.after } : edit;
}

export async function editLines(
  context: TabsContext,
  request: LinesRequest,
  edit: RangeEdit,
): Promise<EditedLines | Fault> {
  const tab = tabIn(context, request.tab_id);
  if (isFault(tab)) return tab;
  const { info, history } = tab;
  const matchText = request.match_text === "" ? undefined : request.match_text;
  const isCurrent = request.version === info.version;
  const revision = isCurrent
    ? history.revision
    : context.sight.issued(tab, versionName(tab, request.version));
  const refused = (fault: Fault, there = linesIn(edit), since = revision) =>
    withLines(context, fault, tab, there, since);
  // Only with a match text may the version be another than the current one.
  if (!isCurrent && matchText === undefined) return refused(versionMismatch(tab, request.version));
  const unfit = checkEdit(history, revision, edit);
  if (unfit !== undefined) return refused(unfit);
  const aimed = matchText === undefined ? edit : quotedLines(tab, request.version, revision, edit, matchText);
  if (isFault(aimed)) return refused(aimed);
  const followed = followedEdits(history, revision ?? history.revision, aimed);
  if (isFault(followed)) return refused(changedSince(followed, tab, request.version), linesIn(aimed));
  const { from, to, edits } = followed;
  const made = {
    revision: history.revision,
    policy: { kind: "strict" as const },
    edits,
    // What goes was shown, or the call says that it need not be.
    rewrite: edit.op !== "insert",
  };
  const refusal = () => {
    const unseen = request.remove_unseen === true ? [] : unseenLines(context, tab, { from, to }, matchText);
    return unseen.length === 0 ? undefined : notShown(unseen);
  };
  const revised = await carryOut(context, tab, made, { isDryRun: request.dry_run ?? false, refusal });
  if (isFault(revised))
    return refused(revised, edit.op === "insert" ? { from: to, to } : { from, to }, history.revision);
  const named = edit.op === "insert" ? edit.after + 1 : edit.from;
  const common = {
    tab_id: info.tab_id,
    start: from - 1,
    end: to - 1,
    isMoved: from !== named,
    before: countLines(history.text),
    after: countLines(revised.text),
  };
  if (request.dry_run) return { ...common, version: info.version, status: "dry_run" };
  const now = tabIn(context, info.tab_id);
  if (isFault(now)) return now;
  context.sight.wrote(now, history.revision);
  return { ...common, version: now.info.version, status: "success" };
}

/** Against the text that the line numbers were meant for, where that is known. */
function checkEdit(history: History, revision: number | undefined, edit: RangeEdit): Fault | undefined {
  if (edit.op === "insert" && edit.content === "") {
    return new Fault(
      "content_required",
      "There is nothing to insert: the content is empty.",
      'Give the lines to insert; for one empty line give "\\n".',
    );
  }
  const seen = revision === undefined ? undefined : textAt(history, revision);
  const isKnown = seen !== undefined && !isFault(seen);
  const lines = countLines(isKnown ? seen : history.text);
  const { from, to } = linesIn(edit);
  const least = edit.op === "insert" ? 0 : 1;
  if (from >= least && from <= to && (!isKnown || to <= lines)) return undefined;
  if (edit.op !== "insert") return outOfRange(from - 1, to - 1, lines);
  const last = lines === 0 ? "" : ` to ${lines - 1}, the last line`;
  return new Fault(
    "invalid_line_range",
    `There is no line ${from - 1} to insert after: the document has ${lines} lines.`,
    `Use -1 for the start of the document${last}.`,
    { requested_start: from - 1, requested_end: from - 1, document_lines: lines },
  );
}

/**
 * The edit with the lines at which the match text stands: in the revision that the version stands for, or now where that is not
 * known. A number that is off counts as a slip where all that goes is quoted; then the quote says what is meant.
 */
function quotedLines(
  tab: SeenTab,
  version: string,
  revision: number | undefined,
  edit: RangeEdit,
  matchText: string,
): RangeEdit | Fault {
  const seen = revision === undefined ? undefined : textAt(tab.history, revision);
  const isKnown = seen !== undefined && !isFault(seen);
  const text = isKnown ? seen : tab.history.text;
  const quoted = linesOf(matchText).length;
  const wanted = edit.op === "insert" ? edit.after - quoted + 1 : edit.from;
  const found = matchText.trim() === "" ? [] : matchTextLines(text, matchText, isKnown ? wanted : 0);
  const [from] = found;
  if (from === undefined || found.length > 1) return unfitMatch(matchText, found);
  if (edit.op === "insert") return { ...edit, after: from + quoted - 1 };
  const to = from + edit.to - edit.from;
  if (to - from < quoted || (from === edit.from && isKnown)) {
    const total = countLines(text);
    return to <= total ? { ...edit, from, to } : outOfRange(from - 1, to - 1, total);
  }
  if (!isKnown) {
    return versionMismatch(
      tab,
      version,
      "That version was not read in this conversation. Call read_document, or quote in match_text every line that the edit replaces.",
    );
  }
  return new Fault(
    "conflict",
    `match_text stands at line ${from - 1}, not at line ${edit.from - 1}, and does not quote the whole range. Nothing was changed.`,
    `Repeat the edit with start_line=${from - 1} if that is meant, or quote every line of the range in match_text.`,
    { start_line: from - 1, current_version: version },
  );
}

function unfitMatch(matchText: string, lines: readonly number[]): Fault {
  const details = { match_text: matchText.slice(0, longestShown) };
  const [first = ""] = linesOf(matchText);
  const name = `The match text ${JSON.stringify(first.slice(0, 80))}`;
  if (matchText.trim() === "") {
    const suggestion = "Quote the first line that the edit targets, or leave the match text out.";
    return new Fault("content_required", "The match text is empty.", suggestion);
  }
  if (lines.length === 0) {
    const suggestion = "Read the document again; the text may have been changed or removed.";
    return new Fault("no_match", `${name} is nowhere in the document.`, suggestion, details);
  }
  return new Fault(
    "ambiguous_match",
    `${name} occurs ${lines.length} times. Nothing was changed.`,
    "Quote more of the text in match_text, so that only one place fits; or read the document again and leave match_text out.",
    { ...details, lines: lines.slice(0, 20).map((line) => line - 1), total: lines.length },
  );
}

/** Lines that would go, and that the model neither was shown nor quotes. */
function unseenLines(
  { sight }: TabsContext,
  tab: SeenTab,
  { from, to }: LineRange,
  matchText: string | undefined,
): LineSpan[] {
  if (from > to) return [];
  const { text } = tab.history;
  const quoted = matchText === undefined ? [] : linesOf(matchText).map((line) => line.trim());
  const bare = (line: number) => lineContent(text, line - 1).trim();
  const skipped = Math.max(0, quoted.indexOf(bare(from)));
  let first = from;
  while (first <= to && quoted[first - from + skipped] === bare(first)) first += 1;
  return filledLines(text, sight.unknown(tab, { start: first - 1, end: to - 1 }));
}

function notShown(unseen: readonly LineSpan[]): Fault {
  const count = unseen.reduce((sum, span) => sum + span.end - span.start + 1, 0);
  return new Fault(
    "partly_read",
    `${count === 1 ? "A line that would go was" : `${count} lines that would go were`} not shown to you whole: ` +
      `${spanNames(unseen.slice(0, 10))}. Nothing was changed.`,
    `Look at details.now and read_document, then repeat the edit; for a part of a long line use find_and_replace; ${confirmHint}.`,
    { unread_ranges: unseen.slice(0, 10).map((span) => ({ start_line: span.start, end_line: span.end })) },
  );
}

async function carryOut(
  { turn }: TabsContext,
  tab: SeenTab,
  request: TurnEdit & { readonly edits: readonly LineEdit[] },
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

/** The conflict in this dialect's words. */
function changedSince(fault: Fault, tab: SeenTab, version: string): Fault {
  if (fault.error !== "conflict") return fault;
  return new Fault(
    "conflict",
    `match_text stands in version ${version}, but its lines were changed since. Nothing was changed.`,
    "Look at details.now, and repeat the edit with the current version and the lines that are there.",
    { current_version: tab.info.version },
  );
}

const around = 6;
const longestShown = 500;

/** With the lines that stand now where the edit was meant to be, for writing it again. They count as shown. */
function withLines(
  { sight }: TabsContext,
  { error, message, suggestion, details }: Fault,
  tab: SeenTab,
  lines: LineRange,
  revision: number | undefined,
): Fault {
  const total = countLines(tab.history.text);
  if (total === 0) return new Fault(error, message, suggestion, details);
  const first = Math.max(1, lines.from);
  // Where the lines have moved to since that version, as far as that is known.
  const moved = revision === undefined ? undefined : lineNow(tab.history, revision, first);
  const from = Math.min(moved ?? first, total);
  const to = Math.min(from + Math.max(0, lines.to - lines.from), from + around, total);
  const rows = excerptOf(sight, tab, [{ from, to }], { around, longest: longestShown });
  const now = {
    start_line: (rows[0]?.line ?? 1) - 1,
    end_line: (rows.at(-1)?.line ?? 1) - 1,
    document_lines: total,
    content: rows.map((row) => row.content).join("\n"),
  };
  return new Fault(error, message, suggestion, { ...details, current_version: tab.info.version, now });
}
