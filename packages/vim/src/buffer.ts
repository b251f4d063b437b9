// The text of a vim buffer: lines without their ends, never none; what undo and redo bring back; marks that move along.
//
// Every change is a splice of lines. Splices between `begin` and `commit` are undone as one. Each line has an identity, which
// it keeps as long as it says the same: of equal lines the keys say which one goes, and texts alone do not.

import { Fault } from "@stet/protocol/fault";
import { commonEnds } from "@stet/text/common-ends";

export interface Position {
  readonly line: number;
  readonly col: number;
}

interface Splice {
  readonly at: number;
  readonly removed: VimLines;
  readonly added: VimLines;
}

/** Lines, and for each of them its identity. */
export interface VimLines {
  readonly lines: readonly string[];
  readonly ids: readonly number[];
}

interface UndoGroup {
  readonly splices: readonly Splice[];
  /** Where the cursor was before. */
  readonly cursor: Position;
}

export const maxBufferLength = 5 * 1024 * 1024;

/** Lines that all commands of a call may move around: a bound on work, not on what can be edited. */
const maxWork = 50_000_000;

export class VimBuffer {
  lines: string[];
  ids: number[];
  readonly marks = new Map<string, Position>();
  /** Lines that :global has yet to visit, in order; they move along. */
  pending: number[] = [];
  work = 0;
  #length: number;
  #nextId: number;
  #undone: UndoGroup[] = [];
  #done: UndoGroup[] = [];
  #open: { splices: Splice[]; cursor: Position; whereIs: () => Position } | undefined;

  constructor(lines: readonly string[]) {
    this.lines = lines.length === 0 ? [""] : [...lines];
    this.ids = Array.from(this.lines.keys());
    this.#nextId = this.ids.length;
    this.#length = this.lines.reduce((sum, line) => sum + line.length + 1, 0);
  }

  get last(): number {
    return this.lines.length - 1;
  }

  line(index: number): string {
    return this.lines[index] ?? "";
  }

  /** The text as it is now; later changes do not reach it. */
  snapshot(): VimLines {
    return { lines: [...this.lines], ids: [...this.ids] };
  }

  /** A copy that later changes do not reach. */
  copy(): VimBuffer {
    const copy = new VimBuffer(this.lines);
    copy.ids = [...this.ids];
    copy.#nextId = this.#nextId;
    for (const [name, position] of this.marks) copy.marks.set(name, position);
    copy.#undone = [...this.#undone];
    copy.#done = [...this.#done];
    return copy;
  }

  /** What is undone as one begins here; `whereIs` tells where the cursor is when text first changes. */
  begin(whereIs: () => Position): void {
    this.#open ??= { splices: [], cursor: whereIs(), whereIs };
  }

  commit(): void {
    if (this.#open !== undefined && this.#open.splices.length > 0) {
      const { splices, cursor } = this.#open;
      this.#done.push({ splices, cursor });
      this.#undone = [];
    }
    this.#open = undefined;
  }

  /** `sources`: which of the removed lines, counted from 0, each of the lines is, where that is known. */
  splice(
    at: number,
    removed: number,
    lines: readonly string[],
    sources?: readonly number[],
  ): Fault | undefined {
    // Where all lines go, an empty one is left.
    const added = lines.length === 0 && removed >= this.lines.length ? [""] : lines;
    const taken = this.lines.slice(at, at + removed);
    let length = this.#length;
    for (const line of taken) length -= line.length + 1;
    for (const line of added) length += line.length + 1;
    const tooMuchWork = this.charge(removed + added.length + 1);
    if (tooMuchWork !== undefined) return tooMuchWork;
    if (length > maxBufferLength) return tooLong(length);
    const takenIds = this.ids.slice(at, at + removed);
    const ids =
      sources?.map((index) => takenIds[index] ?? this.#newId()) ?? this.#idsOf(taken, takenIds, added);
    const splice = { at, removed: { lines: taken, ids: takenIds }, added: { lines: added, ids } };
    this.#put(splice);
    if (this.#open?.splices.length === 0) this.#open.cursor = this.#open.whereIs();
    this.#open?.splices.push(splice);
    return undefined;
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId - 1;
  }

  /** Equal lines at the same position keep their identity: as many as there are at the start, then at the end. */
  #idsOf(old: readonly string[], ids: readonly number[], lines: readonly string[]): number[] {
    const shift = lines.length - old.length;
    const { start, end: same } = commonEnds(old, lines);
    const end = lines.length - same;
    return lines.map((line, index) => {
      const from = index >= end ? index - shift : index;
      const isSame = index < start || index >= end || (shift === 0 && old[index] === line);
      return isSame ? (ids[from] ?? this.#newId()) : this.#newId();
    });
  }

  /** Counts work, in lines; refused where one call does too much of it. */
  charge(lines: number): Fault | undefined {
    this.work += lines;
    return this.work > maxWork ? tooMuch() : undefined;
  }

  #put({ at, removed, added }: Splice): void {
    const count = removed.lines.length;
    if (count === added.lines.length) {
      for (const [index, line] of added.lines.entries()) this.lines[at + index] = line;
      for (const [index, id] of added.ids.entries()) this.ids[at + index] = id;
    } else {
      this.lines.splice(at, count, ...added.lines);
      this.ids.splice(at, count, ...added.ids);
    }
    this.#length = Math.max(0, this.#length + total(added.lines) - total(removed.lines));
    this.#moveMarks(at, count, added.lines.length);
  }

  #moveMarks(at: number, removed: number, added: number): void {
    if (removed === added) return;
    const shift = added - removed;
    for (const [name, position] of this.marks) {
      if (position.line >= at + removed) this.marks.set(name, { ...position, line: position.line + shift });
      else if (position.line >= at + added) this.marks.delete(name);
    }
    if (this.pending.length === 0) return;
    this.work += this.pending.length;
    this.pending = this.pending.flatMap((line) => {
      if (line >= at + removed) return [line + shift];
      return line >= at + added ? [] : [line];
    });
  }

  /** Where the cursor goes then; undefined where there is nothing to undo. */
  undo(): Position | undefined {
    const group = this.#done.pop();
    if (group === undefined) return undefined;
    for (const { at, removed, added } of group.splices.toReversed())
      this.#put({ at, removed: added, added: removed });
    this.#undone.push(group);
    return this.#placeOf(group);
  }

  redo(): Position | undefined {
    const group = this.#undone.pop();
    if (group === undefined) return undefined;
    for (const splice of group.splices) this.#put(splice);
    this.#done.push(group);
    return this.#placeOf(group);
  }

  /** Where a change is undone or redone: where the cursor was, if that is there. */
  #placeOf({ splices, cursor }: UndoGroup): Position {
    let top = Number.POSITIVE_INFINITY;
    for (const { at } of splices) top = Math.min(top, at);
    const isBelow = splices[0]?.removed.lines.length === 0 && cursor.line === top - 1;
    return cursor.line === top || isBelow ? cursor : this.firstNonBlank(Math.min(top, this.last));
  }

  firstNonBlank(line: number): Position {
    const text = this.line(line);
    const col = text.search(/\S/);
    return { line, col: col < 0 ? Math.max(0, lastColumn(text)) : col };
  }

  /** The text between two positions, the second one not included. */
  textBetween(from: Position, to: Position): string {
    if (from.line === to.line) return this.line(from.line).slice(from.col, to.col);
    const middle = this.lines.slice(from.line + 1, to.line);
    return [this.line(from.line).slice(from.col), ...middle, this.line(to.line).slice(0, to.col)].join("\n");
  }

  /** Replaces the range between two positions by a text, and returns where it ends. */
  replace(from: Position, to: Position, text: string): Position | Fault {
    const before = this.line(from.line).slice(0, from.col);
    const after = this.line(to.line).slice(to.col);
    const parts = text.split("\n");
    const lastPart = parts.at(-1) ?? "";
    const col = (parts.length === 1 ? before.length : 0) + lastPart.length;
    const lines = [...parts];
    lines[0] = before + (lines[0] ?? "");
    lines[lines.length - 1] = (lines.at(-1) ?? "") + after;
    const fault = this.splice(from.line, to.line - from.line + 1, lines);
    return fault ?? { line: from.line + parts.length - 1, col };
  }
}

function total(lines: readonly string[]): number {
  let sum = 0;
  for (const line of lines) sum += line.length + 1;
  return sum;
}

/** The column of the last character; -1 where there is none. */
export function lastColumn(text: string): number {
  return previousColumn(text, text.length);
}

const mark = /^\p{M}/u;

/** The column of the character behind the one at a column: never inside of one. */
export function nextColumn(text: string, col: number): number {
  let next = col + ((text.codePointAt(col) ?? 0) > 0xffff ? 2 : 1);
  while (next < text.length && mark.test(text.slice(next, next + 2)))
    next += (text.codePointAt(next) ?? 0) > 0xffff ? 2 : 1;
  return Math.min(next, Math.max(text.length, col + 1));
}

/** The column of the character before a column; -1 at the start. */
export function previousColumn(text: string, col: number): number {
  let previous = col - 1;
  while (previous > 0) {
    const unit = text.charCodeAt(previous);
    const isLow = unit >= 0xdc00 && unit < 0xe000;
    if (!isLow && !(unit >= 0x300 && mark.test(text.slice(previous, previous + 2)))) break;
    previous -= 1;
  }
  return previous;
}

/** The column of a character at or before a column. */
export function columnNear(text: string, wanted: number): number {
  const col = Math.max(0, Math.min(wanted, lastColumn(text)));
  return Math.max(0, previousColumn(text, nextColumn(text, col)));
}

export function tooLong(length: number): Fault {
  return new Fault(
    "too_large",
    `This would make a text of ${length} characters; a buffer holds ${maxBufferLength}. None of the keys was carried out.`,
    "Use smaller counts, or edit in several calls.",
    { length },
  );
}

function tooMuch(): Fault {
  return new Fault(
    "too_large",
    "These keys visit too many lines to be carried out at once. None of them was.",
    "Give :s and :g smaller ranges, use smaller counts, or edit in several calls.",
  );
}
