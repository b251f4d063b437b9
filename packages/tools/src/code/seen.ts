// What the model has been shown of each document: which revision its anchors and numbers refer to, and which lines it knows.
//
// All calls of one message were written before any of them was answered, so they refer to what was shown before that
// message. An answer to an edit shows the new state, which the next message may refer to.
//
// A line's number is told with a revision. The model may use it long after, when lines above have come or gone: which
// revisions showed a line of that number is remembered, so that the number can be followed to where the line is now.

import type { History } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { type LineSpan, ReadLines } from "../read-lines.ts";
import { Shown } from "../shown.ts";

/** Numbers of lines, 1-based and inclusive, that were told at a revision. */
interface Told {
  readonly revision: number;
  readonly from: number;
  readonly to: number;
}

/** The oldest are forgotten beyond so many a document. */
const maxTold = 1000;

export class Seen {
  private readonly shown = new Shown();
  private readonly lines = new ReadLines();
  private readonly told = new Map<number, Told[]>();

  /** These lines, 1-based and inclusive, were shown whole as they are at the newest revision. */
  show(document: number, history: History, from: number, to: number): void {
    this.lines.show(document, history, { start: from - 1, end: to - 1 });
    this.tell(document, history, from, to);
  }

  showAll(document: number, history: History): void {
    this.show(document, history, 1, countLines(history.text));
  }

  /** The model made an edit: it knows what it wrote and where that moved the rest. */
  wrote(document: number, before: History, after: History): void {
    this.shown.show(document, after.revision);
    this.lines.carry(document, before, after);
  }

  /** The numbers of these lines were told, perhaps not all that is in them. */
  tell(document: number, { revision }: History, from: number, to: number): void {
    this.shown.show(document, revision);
    const list = this.told.get(document) ?? [];
    const last = list.at(-1);
    if (last?.revision === revision && from <= last.to + 1 && to >= last.from - 1) {
      list[list.length - 1] = { revision, from: Math.min(from, last.from), to: Math.max(to, last.to) };
    } else list.push({ revision, from, to });
    if (list.length > maxTold) list.shift();
    this.told.set(document, list);
  }

  /** The revision that a call of this batch refers to; undefined where the document was never shown. */
  revisionFor(batch: string, document: number): number | undefined {
    return this.shown.seenBy(batch, document);
  }

  /** The revisions of which a call of this batch can know something, the newest first. */
  revisionsFor(batch: string, document: number): number[] {
    const known = this.revisionFor(batch, document);
    if (known === undefined) return [];
    const told = (this.told.get(document) ?? []).map(({ revision }) => revision);
    return [...new Set([known, ...told])]
      .filter((revision) => revision <= known)
      .sort((one, other) => other - one);
  }

  /** The revisions at which all of these lines were told under these numbers, the newest first. */
  revisionsTelling(document: number, lines: readonly number[]): number[] {
    const list = this.told.get(document) ?? [];
    const telling = lines.map((line) => {
      const covering = list.filter((told) => told.from <= line && line <= told.to);
      return new Set(covering.map(({ revision }) => revision));
    });
    const common = telling.reduce((all, revisions) => all.intersection(revisions), telling[0] ?? new Set());
    return [...common].sort((one, other) => other - one);
  }

  /** Those of these lines that the model does not know as they are now, 0-based and inclusive. */
  unknownWithin(document: number, history: History, span: LineSpan): LineSpan[] {
    return this.lines.unknownWithin(document, history, span);
  }

  /** Lines that the model does not know as they are now, 0-based and inclusive. */
  unknown(document: number, history: History): LineSpan[] {
    return this.lines.unknown(document, history);
  }
}
