// Undo and redo of changes. Typing is one step per word: a change joins the one before it if it continues it and does not begin
// a new word. What is kept is the text of each change, not of the whole buffer.

import { endOfInsertion, isSamePosition, type Position } from "./text-buffer.ts";

export interface Change {
  readonly from: Position;
  readonly removed: string;
  readonly inserted: string;
}

interface Step {
  change: Change;
  readonly kind: "typing" | "deleting" | "other";
  /** Where the cursor was before it. */
  readonly cursor: Position;
  isOpen: boolean;
}

const maxSteps = 1000;

export class UndoStack {
  readonly #done: Step[] = [];
  readonly #undone: Step[] = [];

  record(change: Change, kind: Step["kind"], cursor: Position): void {
    this.#undone.length = 0;
    const last = this.#done.at(-1);
    const whole =
      last === undefined || !last.isOpen || last.kind !== kind ? undefined : joined(last.change, change);
    if (last !== undefined && whole !== undefined) last.change = whole;
    else this.#done.push({ change, kind, cursor, isOpen: kind !== "other" });
    if (this.#done.length > maxSteps) this.#done.shift();
  }

  /** What comes next is a step of its own: the cursor was moved. */
  close(): void {
    const last = this.#done.at(-1);
    if (last !== undefined) last.isOpen = false;
  }

  /** The change to take back, and where the cursor was before it. */
  undo(): { readonly change: Change; readonly cursor: Position } | undefined {
    const step = this.#done.pop();
    if (step === undefined) return undefined;
    step.isOpen = false;
    this.#undone.push(step);
    return step;
  }

  redo(): Change | undefined {
    const step = this.#undone.pop();
    if (step === undefined) return undefined;
    this.#done.push(step);
    return step.change;
  }

  clear(): void {
    this.#done.length = 0;
    this.#undone.length = 0;
  }
}

function joined(last: Change, next: Change): Change | undefined {
  if (last.removed === "" && next.removed === "") {
    const beginsWord = /\s$/.test(last.inserted) && /^\S/.test(next.inserted);
    if (beginsWord || !isSamePosition(endOfInsertion(last.from, last.inserted), next.from)) return undefined;
    return { from: last.from, removed: "", inserted: last.inserted + next.inserted };
  }
  if (last.inserted === "" && next.inserted === "") {
    const beginsWord = /^\s/.test(last.removed) && /\S$/.test(next.removed);
    if (!beginsWord && isSamePosition(endOfInsertion(next.from, next.removed), last.from))
      return { from: next.from, removed: next.removed + last.removed, inserted: "" };
  }
  return undefined;
}
