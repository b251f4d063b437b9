// What the model was shown of each file, kept with the session: which line a number that it was told stands for now, and
// which lines it knows whole. It does not matter by what it was shown (a read, a search, a context row, a refusal, an
// earlier turn).
//
//   told by number   a number means the line that was last shown under it; changes since are followed exactly
//   changed          a line that anything touched since it was shown stands for nothing: the edit is a conflict
//   own edits        the model knows what it wrote and where that moved the rest: afterwards the new numbers count.
//                    Lines that others had moved before, without the model being shown, have no sure number then
//   one message      all calls of a message were written before any was answered: they know what was shown before it
//   never told       a number means the line that had it when the message came, and nothing of it is known
//
// A text is recognised by itself, not only by its revision, so that what was shown of a turn's own copy is still known when
// the turn is in the ledger. Where the text cannot be found in the file's history any more, nothing is known of it.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { hashText } from "@stet/text/hash";
import { type Change, type History, textAt } from "@stet/text/history";
import { countLines, type Splice } from "@stet/text/lines";
import { carried, type Known, united } from "./read-lines.ts";
import { boundedSight, type SavedFile, type SavedSight, savedSight } from "./saved-sight.ts";

/** Line numbers from `number` on, as they were told, and the raw lines from `line` on that they stand for. */
export interface Told {
  readonly number: number;
  /** 0-based; undefined where the lines were changed since. */
  readonly line: number | undefined;
  readonly count: number;
  /** Whether others moved the line since its number was told. */
  readonly isMoved: boolean;
}

/** Counted lines, 1-based and inclusive, where they are now. */
export interface Located {
  readonly from: number;
  readonly to: number;
  /** Whether the model was told of all these numbers. */
  readonly isTold: boolean;
  /** Whether it was shown all that is in these lines. */
  readonly isKnown: boolean;
}

/** Why numbers stand for no lines: the lines were changed, or there are no such lines. */
export type Miss = "changed" | "outside";

interface SeenFile {
  text: Text;
  revision: number;
  /** The message whose calls are at work. */
  batch: string;
  /** The newest last; what is told in the message at work is in `fresh`. */
  told: readonly Told[];
  known: readonly Known[];
  fresh: readonly Told[];
  freshKnown: readonly Known[];
  /** All lines as they were when the message came. */
  before: readonly Told[];
  /** Whether a call of this message has changed the file. */
  isEdited: boolean;
}

/** The least recently used files, and the oldest numbers of a file, are forgotten beyond these. */
const maxFiles = 100;
const nearby = 50;
const maxSpans = 500;

export class Sight {
  private readonly files = new Map<string, SeenFile>();
  private readonly load: () => unknown;
  private loaded: Map<string, SavedFile> | undefined;
  /** Its own changes are known to the model. */
  private turn = "";

  /** `load` gives what `save` gave before; it is called when something is shown or looked for. */
  constructor(load: () => unknown = () => undefined) {
    this.load = load;
  }

  private get saved(): Map<string, SavedFile> {
    this.loaded ??= new Map(savedSight(this.load()).files.map((file) => [file.path, file]));
    return this.loaded;
  }

  /** From here on this turn's changes are the model's own. */
  begin(turn: string): void {
    this.turn = turn;
  }

  /** The answer to a call of this message shows counted lines, 1-based and inclusive; whole unless said otherwise. */
  show(batch: string, path: string, history: History, from: number, to: number, isWhole = true): void {
    const file = this.enter(batch, path, history);
    const last = Math.min(to, file.text.lines);
    if (from > last) return;
    const span = { number: from, line: from - 1, count: last - from + 1, isMoved: false };
    file.fresh = [...file.fresh, span].slice(-maxSpans);
    if (isWhole) file.freshKnown = united([...file.freshKnown, { from: from - 1, to: last }]);
  }

  /** The same before a turn's first message. */
  showBefore(path: string, history: History, from: number, to: number, isWhole = true): void {
    this.show("", path, history, from, to, isWhole);
  }

  /** Takes over what the turn itself has changed just now. */
  wrote(batch: string, path: string, history: History): void {
    this.enter(batch, path, history);
  }

  /** The lines that a call of this message means by these numbers. */
  locate(batch: string, path: string, history: History, from: number, to: number): Located | Miss {
    const file = this.enter(batch, path, history);
    if (to - from >= file.text.lines) return "outside";
    let isTold = true;
    let first: number | undefined;
    for (let number = from; number <= to; number += 1) {
      const told = lineOf(file.told, number);
      if (told === undefined) isTold = false;
      const found = told ?? lineOf(file.before, number) ?? "outside";
      if (typeof found === "string") return found;
      first ??= found;
      if (found !== first + number - from) return "changed";
    }
    if (first === undefined) return "outside";
    const last = first + to - from;
    const isKnown = file.known.some((span) => span.from <= (first ?? 0) && last < span.to);
    return { from: first + 1, to: last + 1, isTold, isKnown };
  }

  /** About where the line of a number is, for showing what stands there now: 1-based. */
  nearest(batch: string, path: string, history: History, number: number): number {
    const file = this.enter(batch, path, history);
    for (let distance = 0; distance <= nearby; distance += 1) {
      for (const near of [number - distance, number + distance]) {
        const line = lineOf(file.told, near);
        if (typeof line === "number") return line + 1 + number - near;
      }
    }
    return number;
  }

  /** What is kept with the session; undefined where nothing was shown or looked for since. */
  save(): SavedSight | undefined {
    if (this.loaded === undefined) return undefined;
    const seen = [...this.files].map(([path, seenFile]): SavedFile => {
      const file = { ...seenFile };
      settle(file);
      const told = file.told.flatMap(({ number, line, count, isMoved }) =>
        line === undefined ? [] : [[number, line, count, isMoved ? 1 : 0] as const],
      );
      const known = file.known.map(({ from, to }) => [from, to] as const);
      const { revision, text } = file;
      return { path, revision, length: text.length, hash: hashOf(text), told, known };
    });
    const others = [...this.saved.values()].filter(({ path }) => !this.files.has(path));
    const files = [...others, ...seen].filter(({ told, known }) => told.length + known.length > 0);
    return boundedSight({ files });
  }

  private enter(batch: string, path: string, history: History): SeenFile {
    const file = this.files.get(path) ?? this.restored(path, history);
    this.files.delete(path);
    this.files.set(path, file);
    const [oldest] = this.files.keys();
    if (this.files.size > maxFiles && oldest !== undefined) this.files.delete(oldest);
    const isNew = file.batch !== batch;
    if (isNew) settle(file);
    this.follow(file, history);
    if (isNew) {
      file.batch = batch;
      file.before = [wholeText(file.text)];
    }
    return file;
  }

  private restored(path: string, history: History): SeenFile {
    const saved = this.saved.get(path);
    this.saved.delete(path);
    const revision = saved === undefined ? undefined : revisionOf(history, saved.revision, isSaved(saved));
    const text = revision === undefined ? history.text : textAt(history, revision);
    if (saved === undefined || revision === undefined || isFault(text)) return unseen(history);
    const told = saved.told.map(([number, line, count, isMoved]) => {
      return { number, line, count, isMoved: isMoved === 1 };
    });
    const known = saved.known.map(([from, to]) => ({ from, to }));
    return { ...unseen(history), text, revision, told, known };
  }

  /** Takes the file to the newest revision. */
  private follow(file: SeenFile, history: History): void {
    const seen = file.text;
    const revision = revisionOf(history, file.revision, (text) => text === seen || text.eq(seen));
    if (revision === undefined) {
      Object.assign(file, { ...unseen(history), batch: file.batch });
      return;
    }
    for (const change of history.changes) {
      if (change.revision <= revision) continue;
      const isOwn = change.origin === "agent" && change.turn === this.turn;
      file.told = bounded(followed(file.told, change, isOwn));
      file.fresh = bounded(followed(file.fresh, change, isOwn));
      file.before = bounded(followed(file.before, change, isOwn));
      file.known = carried(file.known, change.splices, isOwn).slice(-maxSpans);
      file.freshKnown = carried(file.freshKnown, change.splices, isOwn).slice(-maxSpans);
      if (!isOwn) continue;
      file.isEdited = true;
      const written = writtenLines(change.splices);
      // They get their numbers when the message has ended.
      file.fresh = bounded([...file.fresh, ...written.map(({ from, to }) => spanAt(from, to - from))]);
      file.freshKnown = united([...file.freshKnown, ...written]).slice(-maxSpans);
    }
    file.text = history.text;
    file.revision = history.revision;
  }
}

/** What the message that has ended showed is told; after an edit of the model's own, all lines have their new numbers. */
function settle(file: SeenFile): void {
  file.known = united([...file.known, ...file.freshKnown]);
  const all = [...file.told, ...file.fresh];
  const sure = file.isEdited ? all.flatMap(renumbered) : all;
  file.told = sure.reduce<readonly Told[]>((kept, span) => [...without(kept, span), span], []);
  file.told = file.told.slice(-maxSpans);
  file.fresh = [];
  file.freshKnown = [];
  file.isEdited = false;
}

function renumbered({ line, count, isMoved }: Told): Told[] {
  return line === undefined || isMoved ? [] : [spanAt(line, count)];
}

function spanAt(line: number, count: number): Told {
  return { number: line + 1, line, count, isMoved: false };
}

/** The spans without the numbers that another one tells anew. */
function without(spans: readonly Told[], { number, count }: Told): Told[] {
  return spans.flatMap((span) => {
    const head = Math.min(span.count, number - span.number);
    const tail = number + count - span.number;
    return [part(span, 0, head), part(span, Math.max(0, tail), span.count)].filter((one) => one.count > 0);
  });
}

/** The numbers `[from, to)` of a span, counted from its first. */
function part(span: Told, from: number, to: number): Told {
  const line = span.line === undefined ? undefined : span.line + from;
  return { ...span, number: span.number + from, line, count: to - from };
}

/** Where told lines are after a change; those that it touched stand for nothing. */
function followed(spans: readonly Told[], { splices }: Change, isOwn: boolean): Told[] {
  return spans.flatMap((span) => followedSpan(span, splices, isOwn));
}

function followedSpan(span: Told, splices: readonly Splice[], isOwn: boolean): Told[] {
  const { line: first } = span;
  if (first === undefined) return [span];
  const parts: Told[] = [];
  const end = first + span.count;
  /** Up to here the old lines are done with. */
  let done = first;
  let shift = 0;
  const take = (until: number, line: number | undefined): void => {
    if (until <= done) return;
    const isMoved = span.isMoved || (!isOwn && shift !== 0);
    parts.push({ ...part(span, done - first, until - first), line, isMoved });
    done = until;
  };
  for (const { at, removed, lines } of splices) {
    if (at >= end) break;
    take(at, done + shift);
    take(Math.min(at + removed, end), undefined);
    shift += lines.length - removed;
  }
  take(end, done + shift);
  return parts;
}

function writtenLines(splices: readonly Splice[]): Known[] {
  let shift = 0;
  return splices.map(({ at, removed, lines }) => {
    const from = at + shift;
    shift += lines.length - removed;
    return { from, to: from + lines.length };
  });
}

/** The raw line that a number stands for. */
function lineOf(spans: readonly Told[], number: number): number | "changed" | undefined {
  const span = spans.findLast((one) => one.number <= number && number < one.number + one.count);
  if (span === undefined) return undefined;
  return span.line === undefined ? "changed" : span.line + number - span.number;
}

function bounded(spans: readonly Told[]): readonly Told[] {
  return spans.length > maxSpans ? spans.slice(-maxSpans) : spans;
}

function wholeText(text: Text): Told {
  return spanAt(0, countLines(text));
}

function unseen({ text, revision }: History): SeenFile {
  const nothing = { told: [], known: [], fresh: [], freshKnown: [] };
  return { text, revision, batch: "", ...nothing, before: [wholeText(text)], isEdited: false };
}

/** The revision of a history that has this text: the one it had when it was seen, or else the newest such one. */
function revisionOf(history: History, likely: number, isText: (text: Text) => boolean): number | undefined {
  const there = textAt(history, likely);
  if (!isFault(there) && isText(there)) return likely;
  if (isText(history.text)) return history.revision;
  const next = history.changes.findLast(({ before }) => isText(before));
  return next === undefined ? undefined : next.revision - 1;
}

function isSaved({ length, hash }: SavedFile): (text: Text) => boolean {
  return (text) => text.length === length && hashOf(text) === hash;
}

const hashes = new WeakMap<Text, string>();

function hashOf(text: Text): string {
  const known = hashes.get(text) ?? hashText(text.toString());
  hashes.set(text, known);
  return known;
}
