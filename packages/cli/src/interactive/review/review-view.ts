// The review as rows for a screen: where the person is, the files with what is open in them, the hunk with why it was made and
// by which turn, and the keys.
//
//   Review  2 of 5  notes/harbour.md:12            3 decided
//     a.md                                   +1 −1  1 hunk
//   ▸ notes/harbour.md                       +4 −2  2 hunks
//   ──────────────────────────────────────────────────────────
//   ... the hunk, scrolled ...
//   a message or a question
//   a accept  r reject  s skip …
//
// On a small screen the files go first, then the rule; title, hunk and keys stay down to five rows.

import type { FileReview } from "@stet/protocol/api/review";
import { visible, visibleName } from "@stet/protocol/visible";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { wrapText } from "@stet/tui/text/wrap";
import { type HunkInFile, type HunkLine, hunkLines, nameOf } from "../../hunk-lines.ts";
import type { OpenReview } from "../../review-decisions.ts";
import { keyActions } from "../keys/actions.ts";
import type { KeyBindings } from "../keys/bindings.ts";
import { keyName } from "../keys/key-ids.ts";
import { bothEnds, hintRow, ruleRow } from "../screen/panel-rows.ts";
import type { Theme } from "../theme/theme.ts";
import { CodeLines } from "../transcript/code-block.ts";
import { languageName, languageRules } from "../transcript/code-languages.ts";
import { lineRows } from "../transcript/diff-rows.ts";
import { briefActions, type ReviewAction } from "./review-keys.ts";
import { countsOf, type ReviewSession } from "./review-session.ts";

const leastContext = 1;
const mostContext = 8;
/** Screens below this have no list of files. */
const rowsForFiles = 14;

export interface HunkRows {
  readonly rows: readonly string[];
  /** Index of the first row that is changed. */
  readonly firstChanged: number;
}

export function titleRow(session: ReviewSession, width: number, theme: Theme): string {
  const { current, open, at, decided } = session;
  const name = theme.emphasis("bold", theme.fg("accent", "Review"));
  if (current === undefined) return truncateCells(name, width);
  const where = `${visibleName(nameOf(current.file))}:${current.hunk.new_start}`;
  const left = `${name} ${at + 1} of ${open.length}  ${theme.emphasis("bold", where)}`;
  const right = decided === 0 ? "" : theme.fg("muted", `${decided} decided`);
  return bothEnds(truncateCells(left, width), right, width);
}

/** The files around the current one, and a rule; nothing where there is no room or only one file. */
export function fileRows(session: ReviewSession, width: number, height: number, theme: Theme): string[] {
  const files = session.review?.files ?? [];
  if (height < rowsForFiles) return [];
  if (files.length < 2) return [ruleRow("", width, theme)];
  const most = Math.max(2, Math.floor(height / 5));
  const at = files.findIndex(({ document }) => document === session.current?.file.document);
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), files.length - most));
  const shown = files.slice(from, from + most);
  const rows = shown.map((file, index) => fileRow(file, from + index === at, width, theme));
  const hidden = files.length - shown.length;
  const rest = hidden === 0 ? "" : theme.fg("muted", `${files.length} files, ${hidden} not shown`);
  return [...rows, ruleRow(rest, width, theme)];
}

function fileRow(file: FileReview, isCurrent: boolean, width: number, theme: Theme): string {
  const { hunks, added, removed } = countsOf(file);
  const size = `${theme.fg("toolDiffAdded", `+${added}`)} ${theme.fg("toolDiffRemoved", `\u2212${removed}`)}`;
  const count = theme.fg("muted", `${hunks} ${hunks === 1 ? "hunk" : "hunks"}`);
  const name = visibleName(nameOf(file));
  const left = isCurrent
    ? `${theme.symbol("selected")} ${theme.emphasis("bold", name)}`
    : `  ${theme.fg("muted", name)}`;
  return bothEnds(truncateCells(left, width), `${size}  ${count}`, width);
}

export interface HunkViewOptions {
  readonly width: number;
  /** Rows that there are for it. */
  readonly height: number;
  readonly theme: Theme;
}

/** The rows of the hunk that was drawn last: a long one is not drawn anew for every key and every event. */
export class HunkDrawing {
  #kept: { readonly of: readonly unknown[]; readonly drawn: HunkRows } | undefined;

  rows(one: HunkInFile, session: ReviewSession, options: HunkViewOptions): HunkRows {
    const { width, height, theme } = options;
    const of = [one, session.review, session.lines, width, height, theme.name, theme.revision];
    if (this.#kept?.of.every((part, index) => part === of[index]) !== true)
      this.#kept = { of, drawn: hunkRows(one, session, options) };
    return this.#kept.drawn;
  }
}

function hunkRows(one: HunkInFile, { review, lines }: ReviewSession, options: HunkViewOptions): HunkRows {
  const { width, height, theme } = options;
  const about = review === undefined ? [] : aboutRows(one, review, width, theme);
  const room = height - about.length - one.hunk.removed.length - one.hunk.added.length;
  const context = Math.max(leastContext, Math.min(mostContext, Math.floor(room / 2)));
  const { before, changed, after } = hunkLines(one, lines, context);
  const all = [...before, ...changed, ...after];
  const digits = String(all.reduce((most, { number }) => Math.max(most, number), 1)).length;
  const highlight = highlighter(nameOf(one.file), theme);
  const rowsOf = (some: readonly HunkLine[]) =>
    some.flatMap((line) => lineRows(line, digits, theme, width, highlight));
  const above = [...about, ...rowsOf(before)];
  return { rows: [...above, ...rowsOf(changed), ...rowsOf(after)], firstChanged: above.length };
}

/** Colours for unchanged lines of code, by the end of the file's name; undefined where the language is not known. */
function highlighter(name: string, theme: Theme): ((text: string) => string) | undefined {
  const language = languageName(/\.([\w+#-]+)$/.exec(name)?.[1] ?? "");
  if (languageRules(language) === undefined) return undefined;
  const lines = new CodeLines(language, theme);
  return (text) => lines.line(text);
}

/** Which turns made it, why, and what is special about it. */
function aboutRows({ file, hunk }: HunkInFile, review: OpenReview, width: number, theme: Theme): string[] {
  const turns = hunk.turns.flatMap((id) => review.turns.find(({ turn }) => turn === id) ?? []);
  const rows = turns.map(({ summary, hunks }) => {
    const words = visible(summary).trim().split("\n", 1)[0] || "a turn without words";
    const size = hunks === 1 ? "" : theme.fg("dim", ` (${hunks} hunks)`);
    return truncateCells(`${theme.fg("muted", `${theme.symbol("tool")} ${words}`)}${size}`, width);
  });
  for (const rationale of hunk.rationales)
    rows.push(...wrapText(theme.emphasis("italic", visible(rationale).trim()), width));
  const facts = [
    file.is_on_disk ? "on disk already" : "",
    turns.some((turn) => turn.is_whole) ? "decided with its whole turn" : "",
    hunk.oversized_hunk ? "very long" : "",
    file.node === undefined ? "" : visibleName(file.node),
  ];
  const warnings = [
    hunk.origins.includes("user") ? "you changed it, too" : "",
    turns.some((turn) => turn.is_in_doubt) ? "in doubt: changed during a turn, maybe by somebody else" : "",
  ];
  rows.push(...markRows(theme.fg("warning", theme.symbol("warning")), warnings, width));
  rows.push(...markRows(theme.fg("muted", theme.symbol("info")), facts, width));
  return rows;
}

function markRows(sign: string, marks: readonly string[], width: number): string[] {
  const shown = marks.filter((mark) => mark !== "");
  return shown.length === 0 ? [] : wrapText(`${sign} ${shown.join("; ")}`, width);
}

/** What stands there where nothing is open. */
export function emptyRows(session: ReviewSession, width: number, theme: Theme): string[] {
  if (session.review === undefined)
    return [theme.fg("muted", truncateCells("Reading what is open …", width))];
  const rows = wrapText("Nothing is waiting for review.", width);
  if (session.decided === 0) return rows;
  const { decided } = session;
  return [
    ...rows,
    ...wrapText(
      theme.fg(
        "muted",
        `${decided} ${decided === 1 ? "hunk was" : "hunks were"} decided here. u undoes the latest decision; q saves and leaves.`,
      ),
      width,
    ),
  ];
}

/** All keys, one row for each action. */
export function helpRows(keys: KeyBindings, width: number, theme: Theme): string[] {
  const rows = Object.entries(keyActions.review).map(([id, { help }]) => {
    const names = keys.keysOf(id as ReviewAction).map(shortName);
    return [names.join(" "), help] as const;
  });
  const wide = Math.max(...rows.map(([names]) => cellWidth(names)));
  return rows.map(([names, help]) =>
    truncateCells(`${theme.fg("accent", names.padEnd(wide))}  ${help}`, width),
  );
}

/** The most important keys, as many as fit. */
export function keyRow(keys: KeyBindings, width: number, theme: Theme): string {
  const hints = briefActions.flatMap(([action, help]) => {
    const [key] = keys.keysOf(action);
    return key === undefined ? [] : [{ key: shortName(key), help }];
  });
  return hintRow(hints, width, theme, 2);
}

/** A capital letter as it is typed. */
function shortName(id: string): string {
  const letter = /^shift\+(\p{L})$/u.exec(id)?.[1];
  return letter === undefined ? keyName(id) : letter.toUpperCase();
}
