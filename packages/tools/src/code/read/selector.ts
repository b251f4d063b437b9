// Which lines of a path are meant, written behind it:
//
//   :raw                  as it is, without anchors, numbers or summary
//   :N  :LN               from line N on
//   :A-B  :LA-LB          lines A to B, inclusive
//   :A+C  :LA+LC          C lines from A on
//   :range:raw :raw:range both
//
// Lines count from 1. What looks like none of these belongs to the path: archives and databases have colons of their own.

import { Fault } from "@stet/protocol/fault";

/** Lines, 1-based and inclusive. */
export interface LineRange {
  readonly from: number;
  /** Undefined: as far as one answer reaches. */
  readonly to: number | undefined;
}

export interface SelectedPath {
  readonly path: string;
  /** Undefined: from the start. */
  readonly selector: LineRange | undefined;
  readonly isRaw: boolean;
}

const rangeForm = /^L?(\d+)(?:([-+])L?(\d+))?$/i;

/** Cuts the selector off, or says why it is none that could be meant. */
export function parseSelector(path: string): SelectedPath | Fault {
  const last = cutLast(path);
  if (last === undefined) return { path, selector: undefined, isRaw: false };
  if (last.isRaw) {
    const range = cutLast(last.path);
    if (range === undefined || range.isRaw) return { path: last.path, selector: undefined, isRaw: true };
    return selected(range.path, range.chunk, true);
  }
  const raw = cutLast(last.path);
  return raw?.isRaw ? selected(raw.path, last.chunk, true) : selected(last.path, last.chunk, false);
}

interface CutPath {
  readonly path: string;
  readonly chunk: string;
  readonly isRaw: boolean;
}

function cutLast(path: string): CutPath | undefined {
  const colon = path.lastIndexOf(":");
  if (colon <= 0) return undefined;
  const chunk = path.slice(colon + 1);
  const isRaw = chunk.toLowerCase() === "raw";
  return isRaw || rangeForm.test(chunk) ? { path: path.slice(0, colon), chunk, isRaw } : undefined;
}

function selected(path: string, chunk: string, isRaw: boolean): SelectedPath | Fault {
  const [, first = "", sign, second] = rangeForm.exec(chunk) ?? [];
  const from = Number(first);
  if (from < 1) {
    return new Fault(
      "invalid_line_range",
      `Line selector ${first} is invalid; lines are 1-indexed. Use :1.`,
      `Read ${path}:1 to begin at the first line.`,
      { path, selector: chunk },
    );
  }
  if (sign === undefined || second === undefined) return { path, selector: { from, to: undefined }, isRaw };
  const number = Number(second);
  if (sign === "+") {
    if (number >= 1) return { path, selector: { from, to: from + number - 1 }, isRaw };
    return new Fault(
      "invalid_line_range",
      `Line selector ${chunk} is invalid; the count behind + must be at least 1.`,
      `Use :${from}+1 for one line.`,
      { path, selector: chunk },
    );
  }
  if (number >= from) return { path, selector: { from, to: number }, isRaw };
  return new Fault(
    "invalid_line_range",
    `Line selector ${chunk} is invalid; it ends before it starts.`,
    `Use :${number < 1 ? from : number}-${from}, or :${from} to read on from there.`,
    { path, selector: chunk },
  );
}
