// The overview as a list of rows, each of a known height, so that a thousand hunks cost no more than those in sight.

import type { OpenTurn, ReviewHunk } from "@stet/protocol/api/review";
import { diffWords, type WordChange } from "@stet/text/words";
import type { DecidedHunk } from "./hunk-ranges.ts";

export interface ReviewedFile {
  readonly document: number;
  readonly title: string;
  readonly file_path: string | null;
  readonly hunks: readonly ReviewHunk[];
}

export interface DecidedFile {
  readonly document: number;
  readonly file_path: string | null;
  readonly title: string;
  readonly decided: readonly DecidedHunk[];
}

export type PanelRow =
  | { readonly kind: "turn"; readonly key: string; readonly turn: OpenTurn; readonly count: number }
  | {
      readonly kind: "file";
      readonly key: string;
      readonly file: ReviewedFile;
      readonly turn: string;
      /** Those of the turn above it. */
      readonly ids: readonly string[];
      readonly isFolded: boolean;
      readonly isWhole: boolean;
    }
  /** Said once for all hunks of a file that have the same reason. */
  | {
      readonly kind: "why";
      readonly key: string;
      readonly why: string;
      readonly turn: string;
      readonly title: string;
      readonly ids: readonly string[];
      /** Whether they are decided together here: of all that is in the file, the file's row does that. */
      readonly isGroup: boolean;
    }
  | {
      readonly kind: "hunk";
      readonly title: string;
      readonly key: string;
      readonly document: number;
      readonly hunk: ReviewHunk;
      readonly turn: string;
      readonly isWhole: boolean;
    }
  | { readonly kind: "decidedHead"; readonly key: string }
  | {
      readonly kind: "decided";
      readonly key: string;
      readonly document: number;
      readonly path: string | null;
      readonly title: string;
      readonly hunk: DecidedHunk;
    };

/** In pixels; a finger needs more room than a pointer. */
const isForFinger = globalThis.matchMedia?.("(pointer: coarse), (max-width: 640px)").matches ?? false;
export const rowHeights: Readonly<Record<PanelRow["kind"], number>> = {
  turn: 56,
  file: isForFinger ? 44 : 36,
  why: isForFinger ? 44 : 26,
  hunk: isForFinger ? 44 : 28,
  decidedHead: 40,
  decided: isForFinger ? 44 : 28,
};

/** Of one document; the rest is a matter of its own diff. */
const maxDecidedShown = 200;

export function panelRows(
  files: readonly ReviewedFile[],
  turns: readonly OpenTurn[],
  decided: readonly DecidedFile[],
  folded: ReadonlySet<string>,
  /** Only these turns; all of them, unless it is given. */
  chosen?: ReadonlySet<string>,
): PanelRow[] {
  const rows: PanelRow[] = [];
  const groups = groupByTurn(files);
  for (const [name, inTurn] of groups) {
    if (chosen?.has(name) === false) continue;
    const turn = turns.find((candidate) => candidate.turn === name) ?? unknownTurn(name);
    const count = inTurn.reduce((sum, { hunks }) => sum + hunks.length, 0);
    rows.push({ kind: "turn", key: name, turn, count });
    for (const file of inTurn) {
      const key = `${name}:${file.document}`;
      const isFolded = folded.has(key);
      const isWhole = turn.is_whole;
      const ids = file.hunks.map(({ hunk_id }) => hunk_id);
      rows.push({ kind: "file", key, file, turn: name, ids, isFolded, isWhole });
      if (isFolded) continue;
      rows.push(...hunkRows(file, name, isWhole));
    }
  }
  const undoable = decided.flatMap(({ document, file_path: path, title, decided: hunks }) =>
    hunks.slice(0, maxDecidedShown).map((hunk): PanelRow => {
      return { kind: "decided", key: `decided:${hunk.hunk_id}`, document, path, title, hunk };
    }),
  );
  if (undoable.length > 0) rows.push({ kind: "decidedHead", key: "decided" }, ...undoable);
  return rows;
}

/** By reason: a rename is one thing to decide on, with exceptions. */
function hunkRows({ document, title, hunks }: ReviewedFile, turn: string, isWhole: boolean): PanelRow[] {
  const byReason = Map.groupBy(hunks, (hunk) => whyOf(hunk, turn));
  return [...byReason].flatMap(([why, group]) => {
    const ids = group.map(({ hunk_id }) => hunk_id);
    const isGroup = !isWhole && ids.length > 1 && ids.length < hunks.length;
    const head = { kind: "why" as const, key: `${turn}:${ids[0]}:why`, why, turn, title, ids, isGroup };
    const rows = group.map((hunk): PanelRow => {
      return { kind: "hunk", key: `${turn}:${hunk.hunk_id}`, document, title, hunk, turn, isWhole };
    });
    return why === "" ? rows : [head, ...rows];
  });
}

/** The state of an open document is newer than the list of all of them. */
export function allDecided(open: readonly DecidedFile[], told: readonly DecidedFile[]): DecidedFile[] {
  const known = new Set(open.map(({ document }) => document));
  return [...open, ...told.filter(({ document }) => !known.has(document))];
}

/** A hunk that several turns made stands under each of them: each can be decided by itself. */
function groupByTurn(files: readonly ReviewedFile[]): Map<string, ReviewedFile[]> {
  const groups = new Map<string, ReviewedFile[]>();
  for (const file of files) {
    const byTurn = new Map<string, ReviewHunk[]>();
    for (const hunk of file.hunks) {
      for (const turn of hunk.turns.length === 0 ? [""] : hunk.turns) {
        const hunks = byTurn.get(turn) ?? [];
        hunks.push(hunk);
        byTurn.set(turn, hunks);
      }
    }
    for (const [turn, hunks] of byTurn) groups.set(turn, [...(groups.get(turn) ?? []), { ...file, hunks }]);
  }
  return groups;
}

function unknownTurn(turn: string): OpenTurn {
  return { turn, job_id: null, session_id: null, summary: "", is_whole: false, is_on_disk: false, hunks: 0 };
}

export interface RowsInSight {
  readonly first: number;
  readonly last: number;
  /** Where the first row begins, and how high all of them are. */
  readonly top: number;
  readonly height: number;
}

const beyond = 240;

/** Where each row begins, and behind the last one where it ends. */
export function rowTops(rows: readonly PanelRow[]): Float64Array {
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((row, index) => {
    tops[index + 1] = (tops[index] ?? 0) + rowHeights[row.kind];
  });
  return tops;
}

export function rowsInSight(tops: Float64Array, scrolled: number, height: number): RowsInSight {
  const count = tops.length - 1;
  const first = Math.max(0, firstAbove(tops, Math.max(0, scrolled - beyond)) - 1);
  const last = Math.min(count, firstAbove(tops, scrolled + height + beyond));
  return { first: Math.min(first, count), last, top: tops[first] ?? 0, height: tops[count] ?? 0 };
}

function firstAbove(tops: Float64Array, value: number): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Why it was made, as the agent says; and of one that is hard to judge, that it is. */
export function whyOf(hunk: ReviewHunk, turn: string): string {
  const { oversized_hunk: isLarge, removed, added, turns } = hunk;
  const size = isLarge === true ? [`Large: ${Math.max(removed.length, added.length)} lines`] : [];
  const shared = turns.length > 1 ? ["Another request changed this, too"] : [];
  return [...size, ...reasonsOf(hunk, turn).slice(0, 1), ...shared].join(" · ");
}

/** What the agent said of it when a turn made it. */
export function reasonsOf({ reasons }: ReviewHunk, turn: string): readonly string[] {
  return reasons.find((one) => one.turn === turn)?.rationales ?? [];
}

const maxCompared = 400;
const maxShown = 140;
/** What is kept of the words before the first difference. */
const maxSkipped = 40;
const maxLead = 12;

const previews = new WeakMap<ReviewHunk, readonly WordChange[]>();

/** The first words that differ, with a little of what stands before them. */
export function previewOf(hunk: ReviewHunk): readonly WordChange[] {
  const known = previews.get(hunk) ?? comparedStart(hunk);
  previews.set(hunk, known);
  return known;
}

function sameStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function comparedStart({ removed, added }: ReviewHunk): WordChange[] {
  const [was, is] = [removed.join("\n"), added.join("\n")];
  // In a long line the words that differ may come late.
  const start = Math.max(0, sameStart(was, is) - maxSkipped);
  const before = was.slice(start, start + maxCompared);
  const after = is.slice(start, start + maxCompared);
  const shown: WordChange[] = [];
  let length = 0;
  for (const { kind, text } of diffWords(before, after)) {
    const isLeading = shown.length === 0 && kind === "same";
    const flat = text.replace(/\s+/g, " ");
    const part = isLeading ? leadOf(flat) : flat;
    if (length + part.length > maxShown) {
      shown.push({ kind, text: `${part.slice(0, maxShown - length)}…` });
      break;
    }
    shown.push({ kind, text: part });
    length += part.length;
  }
  return shown;
}

/** Whole words where one of them fits, so that the change itself is never cut off by what stands before it. */
function leadOf(text: string): string {
  if (text.length <= maxLead) return text;
  const end = text.slice(-maxLead);
  const space = end.indexOf(" ");
  return `…${space !== -1 && space < end.length - 1 ? end.slice(space + 1) : end}`;
}
