// Pieces of a row by cells. A piece opens the style and hyperlink that were open where it begins and closes them at its end. A
// wide character that a border of the piece would cut is replaced by a space for each of its cells inside.

import { Scanner } from "./graphemes.ts";
import { StyleState } from "./style-state.ts";
import { cellWidth, defaultTabWidth, expandTabs, isPrintableAscii } from "./width.ts";

/** The cells from `start` up to, not with, `end`. */
export function sliceCells(text: string, start: number, end: number): string {
  if (end <= start) return "";
  if (isPrintableAscii(text)) return text.slice(Math.max(0, start), end);
  return cut(expandTabs(text, defaultTabWidth), Math.max(0, start), end);
}

/** The whole text where it fits; otherwise as much as fits before an ellipsis, which has the style of where it stands. */
export function truncateCells(text: string, width: number, ellipsis = "…"): string {
  if (width <= 0) return "";
  if (text.length <= width && isPrintableAscii(text)) return text;
  const plain = expandTabs(text, defaultTabWidth);
  if (fits(plain, width)) return text;
  const ellipsisWidth = cellWidth(ellipsis);
  if (ellipsisWidth > width) return cut(plain, 0, width);
  return cut(plain, 0, width - ellipsisWidth, ellipsis);
}

/** Spaces up to a width; a text that is wider stays as it is. */
export function padCells(text: string, width: number): string {
  const missing = width - cellWidth(text);
  return missing > 0 ? text + " ".repeat(missing) : text;
}

/** Reads no further than it must: a long text is not measured to its end. */
function fits(text: string, width: number): boolean {
  const scanner = new Scanner(text);
  let column = 0;
  while (scanner.nextRun()) {
    column += scanner.width;
    if (column > width) return false;
  }
  return true;
}

function cut(text: string, start: number, end: number, suffix = ""): string {
  const state = new StyleState();
  const scanner = new Scanner(text);
  const parts: string[] = [];
  let column = 0;
  let isOpen = false;
  while (column < end && scanner.nextRun()) {
    if (scanner.kind === "escape") {
      const sequence = scanner.token;
      state.apply(sequence);
      // Strings such as the cursor marker and pictures go with the cell they stand before.
      if (isOpen || (column >= start && !isStyle(sequence))) parts.push(sequence);
      continue;
    }
    if (scanner.kind === "control") continue;
    const next = column + scanner.width;
    if (next > start || (scanner.width === 0 && column > start)) {
      if (!isOpen) parts.push(state.opening);
      isOpen = true;
      const from = Math.max(column, start);
      const to = Math.min(next, end);
      if (scanner.isRun) parts.push(text.slice(scanner.start + from - column, scanner.start + to - column));
      else parts.push(from === column && to === next ? scanner.token : " ".repeat(to - from));
    }
    column = next;
  }
  if (column === end && suffix === "") parts.push(trailing(text, scanner));
  if (!isOpen && suffix !== "") {
    parts.push(state.opening);
    isOpen = true;
  }
  parts.push(suffix);
  if (isOpen) parts.push(state.closing);
  return parts.join("");
}

/** Marks that belong to the last cell, and a cursor marker behind it when the text ends there. */
function trailing(text: string, scanner: Scanner): string {
  let marker = "";
  while (scanner.next()) {
    if (scanner.kind === "escape") {
      if (text.startsWith("\u001b_", scanner.start)) marker += scanner.token;
    } else if (scanner.kind !== "control") return "";
  }
  return marker;
}

function isStyle(sequence: string): boolean {
  return sequence.startsWith("\u001b[") || sequence.startsWith("\u001b]8;");
}
