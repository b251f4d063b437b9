// Kitty's graphics protocol: a picture's bytes are sent once, under an id, in chunks; then it is placed as often as needed.
// With Unicode placeholders each cell of a placement is a character that names the picture (by its foreground colour), the
// placement (by its underline colour) and the row and column (by marks), so it scrolls and is cut as text is. Every command is
// quiet (`q=2`): no answer comes that could be taken for input.

import type { CellArea } from "./picture.ts";

const chunkLength = 4096;

/** Sends the bytes of a PNG. */
export function kittyTransmit(id: number, png: Uint8Array): string {
  const data = Buffer.from(png).toString("base64");
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < data.length; at += chunkLength) {
    const isLast = at + chunkLength >= data.length;
    const keys = at === 0 ? `a=t,f=100,i=${id},q=2,m=${isLast ? 0 : 1}` : `q=2,m=${isLast ? 0 : 1}`;
    parts.push(`\u001b_G${keys};${data.slice(at, at + chunkLength)}\u001b\\`);
  }
  return parts.join("");
}

/** Shows it at the cursor, which stays where it is. */
export function kittyPlace(id: number, placement: number, { columns, rows }: CellArea): string {
  return `\u001b_Ga=p,i=${id},p=${placement},c=${columns},r=${rows},C=1,q=2\u001b\\`;
}

/** Makes a placement for placeholders; it is shown where they are. */
export function kittyPlaceVirtually(id: number, placement: number, { columns, rows }: CellArea): string {
  return `\u001b_Ga=p,U=1,i=${id},p=${placement},c=${columns},r=${rows},q=2\u001b\\`;
}

/** Takes the picture away, its placements and its bytes. */
export function kittyDelete(id: number): string {
  return `\u001b_Ga=d,d=I,i=${id},q=2\u001b\\`;
}

const placeholder = "\u{10eeee}";

/** The marks that stand for 0, 1, 2 and so on, as the protocol lists them; ranges are written as their ends. */
const marks = (
  "305 30d 30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1 5a8 5a9 5ab 5ac 5af 5c4 " +
  "610-617 657-65b 65d 65e 6d6-6dc 6df-6e2 6e4 6e7 6e8 6eb 6ec 730 732 733 735 736 73a 73d 73f-741 743 745 747 749 74a " +
  "7eb-7f1 7f3 816-819 81b-823 825-827 829-82d 951 953 954 f82 f83 f86 f87 135d-135f 17dd 193a 1a17 1a75-1a7c 1b6b " +
  "1b6d-1b73 1cd0-1cd2 1cda 1cdb 1ce0 1dc0 1dc1 1dc3-1dc9 1dcb 1dcc 1dd1-1de6 1dfe 20d0 20d1 20d4-20d7 20db 20dc 20e1 " +
  "20e7 20e9 20f0 2cef-2cf1 2de0-2dff a66f a67c a67d a6f0 a6f1 a8e0-a8f1 aab0 aab2 aab3 aab7 aab8 aabe aabf aac1 " +
  "fe20-fe26 10a0f 10a38 1d185-1d189 1d1aa-1d1ad 1d242-1d244"
)
  .split(" ")
  .flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map((digits) => Number.parseInt(digits, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });

/** As many rows and columns can be named. */
export const mostPlaceholders = marks.length;

/** The rows of a placement. Each cell names itself, so that any part of them can be written again. */
export function placeholderRows(id: number, placement: number, { columns, rows }: CellArea): string[] {
  const opening = `\u001b[38;2;${(id >> 16) & 255};${(id >> 8) & 255};${id & 255};58;2;0;0;${placement & 255}m`;
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from(
      { length: columns },
      (_, column) => placeholder + (marks[row] ?? "") + (marks[column] ?? ""),
    );
    return `${opening}${cells.join("")}\u001b[39;59m`;
  });
}
