// What the model has been shown of each document: which revision its anchors and numbers refer to, and which lines it knows.
//
// All calls of one message were written before any of them was answered, so they refer to what was shown before that
// message. An answer to an edit shows the new state, which the next message may refer to.

import type { History } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { type LineSpan, ReadLines } from "../read-lines.ts";
import { Shown } from "../shown.ts";

export class Seen {
  private readonly shown = new Shown();
  private readonly lines = new ReadLines();

  /** These lines, 1-based and inclusive, were shown whole as they are at the newest revision. */
  show(document: number, history: History, from: number, to: number): void {
    this.shown.show(document, history.revision);
    this.lines.show(document, history, { start: from - 1, end: to - 1 });
  }

  showAll(document: number, history: History): void {
    this.show(document, history, 1, countLines(history.text));
  }

  /** The model made an edit: it knows what it wrote and where that moved the rest. */
  wrote(document: number, before: History, after: History): void {
    this.shown.show(document, after.revision);
    this.lines.carry(document, before, after);
  }

  /** The revision that a call of this batch refers to; undefined where the document was never shown. */
  revisionFor(batch: string, document: number): number | undefined {
    return this.shown.seenBy(batch, document);
  }

  /** Lines that the model does not know as they are now, 0-based and inclusive. */
  unknown(document: number, history: History): LineSpan[] {
    return this.lines.unknown(document, history);
  }
}
