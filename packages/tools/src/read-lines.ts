// Which lines of each document the model knows, as they are now.
//
// A line is known once it was shown whole, or written by the model itself. Edits carry that along: a line that an edit
// leaves alone stays known wherever it moves, a line that anything else changed is unknown until it is shown again. Nothing
// is known of a text that does not follow from the one that was shown. What a refusal shows is known from the next message
// on: the other calls of the same message were written without it.
//
// Beside that: which revision each version stood for that the model was given in this turn.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { changesSince, type History } from "@stet/text/history";
import { countLines, type Splice } from "@stet/text/lines";

/** Lines, 0-based and inclusive. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Raw lines `[from, to)`. */
export interface Known {
  readonly from: number;
  readonly to: number;
}

interface KnownText {
  readonly text: Text;
  readonly revision: number;
  /** In order, with at least one unknown line between two of them. */
  readonly known: readonly Known[];
}

export class ReadLines {
  private readonly documents = new Map<number, KnownText>();
  /** What refusals showed, of the newest message with one. */
  private readonly refusals = new Map<number, KnownText & { readonly batch: string }>();
  private batch = "";
  private readonly revisions = new Map<string, number>();

  /** The model is given a version of a tab. */
  issue(tab: string, version: string, revision: number): void {
    this.revisions.set(`${tab} ${version}`, revision);
  }

  /** Undefined where the version was not given in this turn. */
  revisionOf(tab: string, version: string): number | undefined {
    return this.revisions.get(`${tab} ${version}`);
  }

  /** A call of this message begins. */
  enter(batch: string): void {
    this.batch = batch;
  }

  /** The model was shown these lines whole, or wrote them. */
  show(document: number, history: History, span: LineSpan): void {
    this.documents.set(document, withSpan(this.knownAt(document, history), span));
  }

  /** A refusal shows these lines whole. */
  showRefused(document: number, history: History, span: LineSpan): void {
    this.documents.set(document, this.knownAt(document, history));
    const last = this.refusals.get(document);
    const shown = followed(last?.batch === this.batch ? last : undefined, history, false);
    this.refusals.set(document, { ...withSpan(shown, span), batch: this.batch });
  }

  /** The model made a change that it can work out: where it knew the lines before, it knows them after. */
  carry(document: number, before: History, after: History): void {
    this.documents.set(document, followed(this.knownAt(document, before), after, true));
  }

  /** The lines that the model does not know. */
  unknown(document: number, history: History): LineSpan[] {
    return this.unknownWithin(document, history, { start: 0, end: countLines(history.text) - 1 });
  }

  unknownWithin(document: number, history: History, { start, end }: LineSpan): LineSpan[] {
    const unknown: LineSpan[] = [];
    let next = start;
    for (const { from, to } of this.knownAt(document, history).known) {
      if (from > next && next <= end) unknown.push({ start: next, end: Math.min(from - 1, end) });
      next = Math.max(next, to);
    }
    if (next <= end) unknown.push({ start: next, end });
    return unknown;
  }

  private knownAt(document: number, history: History): KnownText {
    const read = followed(this.documents.get(document), history, false);
    const refused = this.refusals.get(document);
    if (refused === undefined || refused.batch === this.batch) return read;
    return { ...read, known: united([...read.known, ...followed(refused, history, false).known]) };
  }
}

function withSpan({ text, revision, known }: KnownText, { start, end }: LineSpan): KnownText {
  return { text, revision, known: united([...known, { from: start, to: end + 1 }]) };
}

function followed(last: KnownText | undefined, history: History, canWorkOut: boolean): KnownText {
  const { text, revision } = history;
  const nothing = { text, revision, known: [] };
  if (last === undefined) return nothing;
  const changes = changesSince(history, last.revision);
  if (isFault(changes)) return nothing;
  // A step that was taken back may have had the same revision.
  if ((changes[0]?.before ?? text) !== last.text) return nothing;
  let { known } = last;
  for (const { splices } of changes) known = carried(known, splices, canWorkOut);
  return { text, revision, known };
}

/** Known lines after some splices. New lines are known only where they can be worked out from known ones. */
export function carried(known: readonly Known[], splices: readonly Splice[], canWorkOut: boolean): Known[] {
  const after: Known[] = [];
  let index = 0;
  let shift = 0;
  /** Up to here the old lines are done with. */
  let done = 0;
  const keepUntil = (line: number): void => {
    for (let span = known[index]; span !== undefined && span.from < line; span = known[index]) {
      const from = Math.max(span.from, done);
      const to = Math.min(span.to, line);
      if (from < to) after.push({ from: from + shift, to: to + shift });
      if (span.to > line) break;
      index += 1;
    }
    done = Math.max(done, line);
  };
  for (const { at, removed, lines } of splices) {
    keepUntil(at);
    const span = known[index];
    const isKnown = span !== undefined && span.from <= at && span.to >= at + removed;
    if (canWorkOut && removed > 0 && isKnown) after.push({ from: at + shift, to: at + shift + lines.length });
    done = Math.max(done, at + removed);
    shift += lines.length - removed;
  }
  keepUntil(Number.POSITIVE_INFINITY);
  return united(after);
}

export function united(spans: readonly Known[]): Known[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (from >= to) continue;
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}
