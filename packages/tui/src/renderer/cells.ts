// A prepared row as cells, and the shortest way from one style to the next.

import { Scanner } from "../text/graphemes.ts";
import { StyleState } from "../text/style-state.ts";

export interface Cell {
  readonly text: string;
  readonly width: number;
  /** What opens its style and hyperlink from a plain state; empty for a plain cell. */
  readonly style: string;
}

export interface RowCells {
  /** By column; the second column of a wide character has none. */
  readonly cells: readonly (Cell | undefined)[];
  /** Columns up to the last one that is not a plain space. */
  readonly width: number;
}

export function cellsOf(row: string): RowCells {
  const cells: (Cell | undefined)[] = [];
  const state = new StyleState();
  const scanner = new Scanner(row);
  let width = 0;
  let last = -1;
  while (scanner.next()) {
    if (scanner.kind === "escape") {
      state.apply(scanner.token);
      continue;
    }
    if (scanner.width === 0) {
      // A mark without a cell of its own belongs to the one before it.
      const before = cells[last];
      if (before !== undefined) cells[last] = { ...before, text: before.text + scanner.token };
      continue;
    }
    last = cells.length;
    cells.push({ text: scanner.token, width: scanner.width, style: state.opening });
    for (let more = 1; more < scanner.width; more++) cells.push(undefined);
    if (scanner.token !== " " || state.opening !== "") width = cells.length;
  }
  return { cells, width };
}

export function isSameCell(one: Cell | undefined, other: Cell | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.text === other.text &&
    one.style === other.style &&
    one.width === other.width
  );
}

const closeHyperlink = "\u001b]8;;\u001b\\";
const colourOnly = /^(?:3[0-7]|9[0-7]|38[;:][0-9;:]+)$/;

/** What leads from one style to another, both given by what opens them. */
export function styleChange(from: string, to: string): string {
  if (from === to) return "";
  const [oldCodes, oldLink] = parts(from);
  const [codes, link] = parts(to);
  const linkChange = oldLink === link ? "" : link === "" ? closeHyperlink : link;
  if (oldCodes === codes) return linkChange;
  if (codes === "") return `${linkChange}\u001b[m`;
  if (oldCodes === "" || (isColourOnly(oldCodes) && isColourOnly(codes)))
    return `${linkChange}\u001b[${codes}m`;
  if (codes.startsWith(`${oldCodes};`)) return `${linkChange}\u001b[${codes.slice(oldCodes.length + 1)}m`;
  return `${linkChange}\u001b[0;${codes}m`;
}

/** Only a foreground, and nothing after it. */
function isColourOnly(codes: string): boolean {
  if (!colourOnly.test(codes)) return false;
  if (!codes.startsWith("38;")) return true;
  return codes.split(";").length === (codes.startsWith("38;5;") ? 3 : 5);
}

function parts(opening: string): [codes: string, link: string] {
  if (!opening.startsWith("\u001b[")) return ["", opening];
  const end = opening.indexOf("m");
  return [opening.slice(2, end), opening.slice(end + 1)];
}
