// The lines above and below the editor, with words in them.

import { truncateCells } from "../text/slice.ts";
import { cellWidth } from "../text/width.ts";

export interface EditorBorder {
  /** In the line above, on the left and on the right. */
  readonly title: string;
  readonly rightTitle: string;
  /** In the line below, on the left. */
  readonly footer: string;
  readonly colour: (text: string) => string;
  readonly line: string;
  /** Before the first row of the text. */
  readonly prefix: string;
}

export const plainBorder: EditorBorder = {
  title: "",
  rightTitle: "",
  footer: "",
  colour: (text) => text,
  line: "─",
  prefix: "",
};

/** A line of this width with words near its ends; the left ones are cut last. */
export function borderRow(border: EditorBorder, left: string, right: string, width: number): string {
  const { line, colour } = border;
  const room = width - 4;
  const leftText = room < 1 ? "" : truncateCells(left, room);
  const leftCells = leftText === "" ? 0 : cellWidth(leftText) + 2;
  const rightCells = right === "" ? 0 : cellWidth(right) + 2;
  const showsRight = rightCells > 0 && leftCells + rightCells + 3 <= width;
  const start = leftText === "" ? "" : `${colour(line)} ${leftText} `;
  const end = showsRight ? ` ${right} ${colour(line)}` : "";
  const used = (leftText === "" ? 0 : leftCells + 1) + (showsRight ? rightCells + 1 : 0);
  return start + colour(line.repeat(Math.max(0, width - used))) + end;
}
