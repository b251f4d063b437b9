// A text with a cursor: every move and change of the editor, without its keys and its look. Positions are at the boundaries of
// clusters, always.

import { chipCharacter, clusterEnd, clusterFloor, clusterStart, withoutChips } from "./clusters.ts";
import { EditorView } from "./editor-view.ts";
import { KillRing } from "./kill-ring.ts";
import {
  endOfInsertion,
  isSamePosition,
  type Position,
  TextBuffer,
  withPlainLineEnds,
} from "./text-buffer.ts";
import { type Change, UndoStack } from "./undo.ts";
import { isInkCluster, wordEndAfter, wordStartBefore } from "./words.ts";

type ChangeKind = "typing" | "deleting" | "other";

export type Direction =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd";

export class EditorText {
  readonly buffer = new TextBuffer();
  readonly view: EditorView;
  readonly #labels = new Map<string, string>();
  readonly #undo = new UndoStack();
  readonly #kills = new KillRing();
  #cursor: Position = { line: 0, column: 0 };
  #chipCount = 0;
  /** The text that was yanked last, while nothing else was done since. */
  #yank: { readonly from: Position; readonly to: Position; readonly back: number } | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.view = new EditorView(this.buffer, this.#labels);
  }

  get cursor(): Position {
    return this.#cursor;
  }

  /** Moves to the nearest boundary of a cluster. */
  set cursor(position: Position) {
    const line = Math.max(0, Math.min(position.line, this.buffer.lines.length - 1));
    this.#moved({ line, column: clusterFloor(this.buffer.line(line), position.column) });
  }

  /** The labels of the chips, by their characters. */
  get chips(): ReadonlyMap<string, string> {
    return this.#labels;
  }

  /** Replaces everything; undo brings the old text back. Characters of chips stay what they are. */
  setText(text: string): void {
    const whole = withPlainLineEnds(text);
    if (whole !== this.buffer.text) this.#change({ line: 0, column: 0 }, this.buffer.end, whole, "other");
    this.#moved(this.buffer.end);
  }

  /** An empty text with nothing to undo. Chips stay known: what was killed may be yanked into the next text. */
  reset(): void {
    this.#change({ line: 0, column: 0 }, this.buffer.end, "", "other");
    this.#undo.clear();
  }

  insert(text: string, kind: ChangeKind = "other"): void {
    this.replace(this.#cursor, this.#cursor, withoutChips(text), kind);
  }

  /** Puts a chip at the cursor and returns the character that stands for it. */
  insertChip(label: string): string {
    const character = this.addChip(label);
    this.replace(this.#cursor, this.#cursor, character, "other");
    return character;
  }

  /** A character that stands for a label from now on. */
  addChip(label: string): string {
    const character = chipCharacter(this.#chipCount++);
    this.#labels.set(character, label);
    return character;
  }

  replace(from: Position, to: Position, text: string, kind: ChangeKind = "other"): void {
    const whole = withPlainLineEnds(text);
    if (whole === "" && isSamePosition(from, to)) return;
    this.#change(from, to, whole, kind);
    this.#kills.close();
    this.#yank = undefined;
  }

  move(direction: Direction): void {
    this.#moved(this.#target(direction));
  }

  /** Whether there was a row to move to. */
  moveRows(count: number): boolean {
    const to = this.view.moveRows(this.#cursor, count);
    if (to === undefined) return false;
    this.#leave();
    this.#cursor = to;
    return true;
  }

  delete(direction: "left" | "right"): void {
    const other = this.#target(direction);
    const [from, to] = direction === "left" ? [other, this.#cursor] : [this.#cursor, other];
    this.replace(from, to, "", "deleting");
  }

  kill(direction: "lineStart" | "lineEnd" | "wordLeft" | "wordRight" | "blankWordLeft"): void {
    const to =
      direction === "blankWordLeft"
        ? wordStartBefore(this.buffer, this.#cursor, isInkCluster)
        : this.#target(direction);
    const isForwards = direction === "lineEnd" || direction === "wordRight";
    // At the end of a line, the end itself.
    const other = isSamePosition(to, this.#cursor) ? this.#target(isForwards ? "right" : "left") : to;
    const [start, end] = isForwards ? [this.#cursor, other] : [other, this.#cursor];
    if (isSamePosition(start, end)) return;
    const killed = this.buffer.slice(start, end);
    this.#change(start, end, "", "other");
    this.#yank = undefined;
    this.#kills.kill(killed, isForwards ? "forwards" : "backwards");
  }

  yank(): void {
    this.#yankEntry(this.#cursor, this.#cursor, 0);
  }

  yankPop(): void {
    if (this.#yank !== undefined) this.#yankEntry(this.#yank.from, this.#yank.to, this.#yank.back + 1);
  }

  undo(): void {
    const step = this.#undo.undo();
    if (step === undefined) return;
    const { from, removed, inserted } = step.change;
    this.#apply(from, endOfInsertion(from, inserted), removed);
    this.#cursor = step.cursor;
    this.#leave();
  }

  redo(): void {
    const change = this.#undo.redo();
    if (change === undefined) return;
    this.#apply(change.from, endOfInsertion(change.from, change.removed), change.inserted);
    this.#leave();
  }

  #yankEntry(from: Position, to: Position, back: number): void {
    const text = this.#kills.entry(back);
    if (text === undefined) return;
    this.replace(from, to, text);
    this.#yank = { from, to: this.#cursor, back };
  }

  #target(direction: Direction): Position {
    const { line, column } = this.#cursor;
    const text = this.buffer.line(line);
    switch (direction) {
      case "left":
        if (column > 0) return { line, column: clusterStart(text, column) };
        return line === 0 ? this.#cursor : { line: line - 1, column: this.buffer.line(line - 1).length };
      case "right":
        if (column < text.length) return { line, column: clusterEnd(text, column) };
        return line === this.buffer.lines.length - 1 ? this.#cursor : { line: line + 1, column: 0 };
      case "wordLeft":
        return wordStartBefore(this.buffer, this.#cursor);
      case "wordRight":
        return wordEndAfter(this.buffer, this.#cursor);
      case "lineStart":
        return { line, column: 0 };
      case "lineEnd":
        return { line, column: text.length };
      case "textStart":
        return { line: 0, column: 0 };
      case "textEnd":
        return this.buffer.end;
    }
  }

  #moved(to: Position): void {
    this.#cursor = to;
    this.#leave();
    this.view.forgetGoal();
  }

  /** The cursor is elsewhere: what is typed or killed next has nothing to do with what was. */
  #leave(): void {
    this.#undo.close();
    this.#kills.close();
    this.#yank = undefined;
  }

  #change(from: Position, to: Position, text: string, kind: ChangeKind): void {
    const change: Change = { from, removed: this.buffer.slice(from, to), inserted: text };
    this.#undo.record(change, kind, this.#cursor);
    this.#apply(from, to, text);
  }

  #apply(from: Position, to: Position, text: string): void {
    const before = this.buffer.line(from.line);
    const end = this.buffer.replace(from, to, text);
    if (from.line === to.line && end.line === from.line) {
      const change = { column: from.column, removed: to.column - from.column, inserted: text.length };
      this.view.lineChanged(from.line, before, change);
    }
    // What was typed may have joined the cluster behind it.
    const line = this.buffer.line(end.line);
    const floor = clusterFloor(line, end.column);
    this.#cursor = { line: end.line, column: floor === end.column ? floor : clusterEnd(line, floor) };
    this.view.forgetGoal();
    this.#onChange();
  }
}
