// Words as vim moves over them: runs of letters, digits and _, runs of other characters, and empty lines. A WORD is a run of
// anything that is not blank.

import type { Position } from "./buffer.ts";
import { nextColumn, previousColumn } from "./buffer.ts";

/** 0 blank, 1 other, 2 word. */
export function classAt(text: string, col: number, isBig: boolean): number {
  const character = String.fromCodePoint(text.codePointAt(col) ?? 32);
  if (/\s/.test(character)) return 0;
  if (isBig) return 1;
  return /[\p{L}\p{N}\p{M}_]/u.test(character) ? 2 : 1;
}

/** A walk over all characters of the lines; an empty line counts as one position. */
class Walker {
  readonly lines: readonly string[];
  line: number;
  col: number;

  constructor(lines: readonly string[], { line, col }: Position) {
    this.lines = lines;
    this.line = line;
    this.col = col;
  }

  get text(): string {
    return this.lines[this.line] ?? "";
  }

  get position(): Position {
    return { line: this.line, col: this.col };
  }

  get isEmptyLine(): boolean {
    return this.text === "";
  }

  classHere(isBig: boolean): number {
    return this.isEmptyLine ? 0 : classAt(this.text, this.col, isBig);
  }

  /** False at the end. Tells by `crossed` whether it is another line now. */
  forward(): false | "same" | "crossed" {
    const next = nextColumn(this.text, this.col);
    if (next < this.text.length) {
      this.col = next;
      return "same";
    }
    if (this.line + 1 >= this.lines.length) return false;
    this.line += 1;
    this.col = 0;
    return "crossed";
  }

  back(): false | "same" | "crossed" {
    if (this.col > 0) {
      this.col = previousColumn(this.text, this.col);
      return "same";
    }
    if (this.line === 0) return false;
    this.line -= 1;
    this.col = Math.max(0, previousColumn(this.text, this.text.length));
    return "crossed";
  }
}

/** The start of the next word, or the end of the text where there is none; undefined at the last character. */
export function wordForward(
  lines: readonly string[],
  from: Position,
  isBig: boolean,
  /** For the last word of an operator's motion: it does not go on to the next line. */
  endsWithLine = false,
): { readonly to: Position; readonly isAtEnd: boolean } | undefined {
  const walker = new Walker(lines, from);
  const first = walker.classHere(isBig);
  const start = walker.forward();
  if (start === false) return from.col < walker.text.length ? pastEnd(walker) : undefined;
  if (start === "crossed" && endsWithLine) {
    const isEmpty = (lines[from.line] ?? "") === "";
    return { to: isEmpty ? walker.position : endOf(lines, from.line), isAtEnd: false };
  }
  if (first !== 0 && start === "same") {
    while (walker.classHere(isBig) === first) {
      const moved = walker.forward();
      if (moved === false) return pastEnd(walker);
      if (moved === "crossed") {
        if (endsWithLine) return { to: endOf(lines, walker.line - 1), isAtEnd: false };
        break;
      }
    }
  }
  while (walker.classHere(isBig) === 0) {
    if (walker.isEmptyLine) return { to: walker.position, isAtEnd: false };
    if (walker.forward() === false) return pastEnd(walker);
  }
  return { to: walker.position, isAtEnd: false };
}

function pastEnd(walker: Walker): { to: Position; isAtEnd: boolean } {
  return { to: endOf(walker.lines, walker.line), isAtEnd: true };
}

function endOf(lines: readonly string[], line: number): Position {
  return { line, col: (lines[line] ?? "").length };
}

/** The start of this or the word before. */
export function wordBack(lines: readonly string[], from: Position, isBig: boolean): Position | undefined {
  const walker = new Walker(lines, from);
  if (walker.back() === false) return undefined;
  return isOnWord(walker, isBig) ? endOfRun(walker, isBig, () => walker.back()) : walker.position;
}

/** Whether there is a word here or before; else it stops at an empty line, or at the start. */
function isOnWord(walker: Walker, isBig: boolean): boolean {
  while (walker.classHere(isBig) === 0) {
    if (walker.isEmptyLine || walker.back() === false) return false;
  }
  return true;
}

/** The last character of the same class within the line. */
function endOfRun(walker: Walker, isBig: boolean, step: () => ReturnType<Walker["back"]>): Position {
  const here = walker.classHere(isBig);
  let { position } = walker;
  while (step() === "same" && walker.classHere(isBig) === here) position = walker.position;
  return position;
}

/** The end of this or the next word. `isChange` stays on a word of one character, as cw does. */
export function wordEnd(
  lines: readonly string[],
  from: Position,
  isBig: boolean,
  isChange = false,
): Position | undefined {
  const walker = new Walker(lines, from);
  if (!isChange && walker.forward() === false) return undefined;
  while (walker.classHere(isBig) === 0) if (walker.forward() === false) return walker.position;
  return endOfRun(walker, isBig, () => walker.forward());
}

/** The end of the word before. */
export function wordEndBack(lines: readonly string[], from: Position, isBig: boolean): Position | undefined {
  const walker = new Walker(lines, from);
  const first = walker.classHere(isBig);
  let moved = walker.back();
  if (moved === false) return undefined;
  while (moved === "same" && first !== 0 && walker.classHere(isBig) === first) {
    moved = walker.back();
    if (moved === false) return walker.position;
  }
  isOnWord(walker, isBig);
  return walker.position;
}
