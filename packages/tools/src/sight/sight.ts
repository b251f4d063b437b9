// What the model was shown of each document, for all toolsets, kept with the session: which revisions it can quote, which line
// a number that it was shown stands for now, and which lines it knows whole. It does not matter by what it was shown (a read,
// a search, a context row, a refusal, an earlier turn).
//
//   revisions        what is quoted, or named by an anchor, stands in a revision that was shown
//   by number        a number means the line that was last shown under it; changes since are followed exactly
//   changed          a line that anything touched since it was shown stands for nothing: the edit is a conflict
//   own edits        the model knows what it wrote and where that moved the rest: afterwards the new numbers count, or, with
//                    `ownMoves: "doubt"`, such a number is doubtful until it is shown again. Lines that others had moved
//                    before, without the model being shown, have no sure number then
//   one message      all calls of a message were written before any was answered: they know what was shown before it
//   never shown      a number means the line that had it when the message came, and nothing of it is known
//
// A text is recognised by itself, not only by its revision, so that what was shown of a turn's own copy is still known when
// the turn is in the ledger. Where the text cannot be found in the document's history any more, nothing is known of it.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { changesSince, type History, textAt } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { restoredFile, revisionOf, savedFileOf } from "./saved-file.ts";
import { boundedSight, type SavedSight, type SavedSightFile, savedSight } from "./saved-sight.ts";
import {
  carried,
  followed,
  type Known,
  type LineSpan,
  lineOf,
  type Numbered,
  spanAt,
  spanOf,
  united,
  unknownAmong,
  wholeText,
  without,
  writtenLines,
} from "./spans.ts";

/** A document as the model is shown it. */
export interface SeenDocument {
  /** What the document is remembered under: its path from the root, or another name that is its own. */
  readonly path: string;
  readonly history: History;
}

/** Counted lines, 1-based and inclusive, where they are now. */
export interface NumberedLines {
  readonly from: number;
  readonly to: number;
  /** Whether the model was shown all these numbers. */
  readonly isShown: boolean;
  /** Whether it was shown all that is in these lines. */
  readonly isKnown: boolean;
  /** Whether it may mean another line, since it knows that lines have moved. */
  readonly isDoubtful: boolean;
}

/** Lines of a revision that an answer of a message showed. */
export interface Showing {
  readonly batch: string;
  readonly revision: number;
  readonly text: Text;
  /** Counted lines, 1-based and inclusive. */
  readonly from: number;
  readonly to: number;
  /** The version that the model was given for the revision, which alone shows no lines. */
  readonly version?: string | undefined;
}

export interface FileSight {
  text: Text;
  revision: number;
  /** The message whose calls are at work. */
  batch: string;
  /** The newest last; what is shown in the message at work is in `fresh`. */
  numbered: readonly Numbered[];
  known: readonly Known[];
  fresh: readonly Numbered[];
  freshKnown: readonly Known[];
  /** All lines as they were when the message came. */
  before: readonly Numbered[];
  /** Whether a call of this message has changed the document, or an answer to one let the model know of the newest state. */
  isEdited: boolean;
  isUpdated: boolean;
  showings: readonly Showing[];
}

/** The least recently used documents, and the oldest numbers of a document, are forgotten beyond these. */
const maxFiles = 100;
const nearby = 50;
const maxSpans = 500;

export class Sight {
  readonly #files = new Map<string, FileSight>();
  readonly #load: () => unknown;
  #loaded: Map<string, SavedSightFile> | undefined;
  /** Its own changes are known to the model. */
  #turn = "";
  #ownMoves: "renumber" | "doubt" = "renumber";
  #batch = "";
  #isPreview = false;

  /** `load` gives what `save` gave before; it is called when something is shown or looked for. */
  constructor(load: () => unknown = () => undefined) {
    this.#load = load;
  }

  get #saved(): Map<string, SavedSightFile> {
    this.#loaded ??= new Map(savedSight(this.#load()).files.map((file) => [file.path, file]));
    return this.#loaded;
  }

  /** From here on this turn's changes are the model's own. */
  begin(turn: string, ownMoves: "renumber" | "doubt" = "renumber"): void {
    this.#turn = turn;
    this.#ownMoves = ownMoves;
  }

  /** A call of this message begins. */
  enter(batch: string): void {
    // Messages of different turns may have the same name.
    this.#batch = `${this.#turn} ${batch}`;
    this.#isPreview = false;
  }

  /** A preview of the next message's calls begins: nobody is shown what it would answer. */
  preview(): void {
    this.#batch = `${this.#turn} preview`;
    this.#isPreview = true;
  }

  /**
   * The answer to the call shows counted lines, 1-based and inclusive, whole unless said otherwise, as they are at a revision.
   * Where there are none, the model only gets to know of that revision.
   */
  show(
    document: SeenDocument,
    from: number,
    to: number,
    isWhole = true,
    at = document.history.revision,
  ): void {
    const { history } = document;
    const file = this.#follow(document);
    if (this.#isPreview) return;
    const text = textAt(history, at);
    const changes = changesSince(history, at);
    if (isFault(text) || isFault(changes)) return;
    if (at === history.revision) file.isUpdated = true;
    const last = Math.min(to, text.lines);
    const { batch } = file;
    file.showings = withShowing(file.showings, { batch, revision: at, text, from, to: last });
    if (from > last) return;
    let span: readonly Numbered[] = [spanAt(from - 1, last - from + 1)];
    let known: readonly Known[] = isWhole ? [{ from: from - 1, to: last }] : [];
    for (const { splices } of changes) {
      span = followed(span, splices, "unnoticed");
      known = carried(known, splices, false);
    }
    file.fresh = bounded([...file.fresh, ...span]);
    file.freshKnown = united([...file.freshKnown, ...known]);
  }

  showAll(document: SeenDocument): void {
    this.show(document, 1, countLines(document.history.text));
  }

  /** The model has written the whole document. */
  wroteAll(document: SeenDocument): void {
    this.showAll(document);
    this.#follow(document).known = [{ from: 0, to: document.history.text.lines }];
  }

  /** What the turn itself has changed since a revision was written line for line by the model. */
  wrote(document: SeenDocument, since: number): void {
    const file = this.#follow(document);
    const changes = changesSince(document.history, since);
    if (isFault(changes)) return;
    let written: readonly Known[] = [];
    for (const { splices, turn } of changes) {
      const own = turn === this.#turn ? writtenLines(splices) : [];
      written = united([...carried(written, splices, false), ...own]);
    }
    file.known = united([...file.known, ...written]).slice(-maxSpans);
    // They get their numbers when the message has ended.
    const lines = this.#ownMoves === "renumber" ? written : [];
    file.fresh = bounded([...file.fresh, ...lines.map(({ from, to }) => spanAt(from, to - from))]);
    this.show(document, 1, 0);
  }

  /** The same for changes that the model did not write out: it knows what it can work out from lines that it knew. */
  changed(document: SeenDocument): void {
    this.show(document, 1, 0);
  }

  /** The lines that the call means by these numbers; or why they stand for none. */
  numbered(document: SeenDocument, from: number, to: number): NumberedLines | "changed" | "outside" {
    const file = this.#follow(document);
    if (to - from >= file.text.lines) return "outside";
    let isShown = true;
    let isDoubtful = false;
    let first: number | undefined;
    for (let number = from; number <= to; number += 1) {
      const shown = lineOf(file.numbered, number);
      if (shown === undefined) isShown = false;
      isDoubtful ||= spanOf(file.numbered, number)?.isDoubtful === true;
      const found = shown ?? lineOf(file.before, number) ?? "outside";
      if (typeof found === "string") return found;
      first ??= found;
      if (found !== first + number - from) return "changed";
    }
    if (first === undefined) return "outside";
    const end = first + to - from;
    const isKnown = unknownAmong(file.known, { start: first, end }).length === 0;
    return { from: first + 1, to: end + 1, isShown, isKnown, isDoubtful };
  }

  /** About where the line of a number is, for showing what stands there now: 1-based. */
  nearest(document: SeenDocument, number: number): number {
    const { numbered } = this.#follow(document);
    for (let distance = 0; distance <= nearby; distance += 1) {
      for (const near of [number - distance, number + distance]) {
        const line = lineOf(numbered, near);
        if (typeof line === "number") return line + 1 + number - near;
      }
    }
    return number;
  }

  /** The revision that the call refers to; undefined where the document was never shown. */
  revision(document: SeenDocument): number | undefined {
    return this.revisions(document)[0];
  }

  /** The revisions of which the call can know something, the newest first; with lines, those that showed all of these. */
  revisions({ path, history }: SeenDocument, lines: readonly number[] = []): number[] {
    const file = this.#follow({ path, history });
    const showings = file.showings.filter(({ version }) => version === undefined);
    const earlier = showings.filter(({ batch }) => batch !== file.batch);
    const texts = Map.groupBy(earlier.length > 0 ? earlier : showings, ({ text }) => text);
    const found = [...texts].flatMap(([text, shown]): number | number[] => {
      const shows = (line: number) => shown.some(({ from, to }) => from <= line && line <= to);
      if (!lines.every(shows)) return [];
      return revisionShown(history, { text, revision: shown[0]?.revision ?? 0 }) ?? [];
    });
    return [...new Set(found)].sort((one, other) => other - one);
  }

  /**
   * The revisions in which a quote or a hunk of the call can have been meant, the likeliest first. What others changed since
   * it was shown the model has not seen, so a text that fits only there does so by chance. What its own calls of this turn
   * changed it knows: an edit beside this one in the same message, or a command that ran a formatter.
   */
  quotable(document: SeenDocument): number[] {
    const { changes, revision } = document.history;
    const shown = this.revisions(document);
    const [known] = shown;
    if (known === undefined) return [revision];
    const since = changes.filter((change) => change.revision > known);
    return since.length > 0 && since.every(({ turn }) => turn === this.#turn) ? [...shown, revision] : shown;
  }

  /** Whether somebody else has changed the document since the model was shown it. */
  isOutdated(document: SeenDocument): boolean {
    const shown = this.revision(document);
    const since = shown === undefined ? [] : changesSince(document.history, shown);
    return isFault(since) || since.some(({ turn }) => turn !== this.#turn);
  }

  /** Those of these lines, 0-based and inclusive, that the model does not know as they are now; all lines unless given. */
  unknown(document: SeenDocument, span?: LineSpan): LineSpan[] {
    const { known } = this.#follow(document);
    return unknownAmong(known, span ?? { start: 0, end: countLines(document.history.text) - 1 });
  }

  /** The model is given a version of a document, which stands for its newest revision. */
  issue(document: SeenDocument, version: string): void {
    const { text, revision } = document.history;
    const file = this.#follow(document);
    const others = file.showings.filter((one) => one.version !== version);
    const issued = { batch: file.batch, revision, text, from: 1, to: 0, version };
    file.showings = [...others, issued].slice(-maxSpans);
  }

  /** The revision that a version stood for when the model was given it. */
  issued(document: SeenDocument, version: string): number | undefined {
    const issued = this.#follow(document).showings.find((one) => one.version === version);
    return issued === undefined ? undefined : revisionShown(document.history, issued);
  }

  /** What is kept with the session; undefined where nothing was shown or looked for since. */
  save(): SavedSight | undefined {
    if (this.#loaded === undefined) return undefined;
    const seen = [...this.#files].map(([path, seenFile]): SavedSightFile => {
      const file = { ...seenFile };
      settle(file, this.#ownMoves);
      return savedFileOf(path, file);
    });
    const others = [...this.#saved.values()].filter(({ path }) => !this.#files.has(path));
    const files = [...others, ...seen].filter(
      ({ numbered, known, shown }) => numbered.length + known.length + shown.length > 0,
    );
    return boundedSight({ files });
  }

  /** What was shown of the document, at its newest revision. */
  #follow({ path, history }: SeenDocument): FileSight {
    const file = this.#files.get(path) ?? this.#restored(path, history);
    this.#files.delete(path);
    this.#files.set(path, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > maxFiles && oldest !== undefined) this.#files.delete(oldest);
    const isNew = file.batch !== this.#batch;
    if (isNew) settle(file, this.#ownMoves);
    this.#advance(file, history);
    if (isNew) {
      file.batch = this.#batch;
      file.before = [wholeText(file.text)];
    }
    return file;
  }

  #restored(path: string, history: History): FileSight {
    const saved = this.#saved.get(path);
    this.#saved.delete(path);
    return { ...unseen(history), ...(saved === undefined ? {} : restoredFile(saved, history)) };
  }

  #advance(file: FileSight, history: History): void {
    const revision = revisionShown(history, file);
    if (revision === undefined) {
      Object.assign(file, { ...unseen(history), batch: file.batch });
      return;
    }
    for (const { revision: next, splices, origin, turn } of history.changes) {
      if (next <= revision) continue;
      const isOwn = origin === "agent" && turn === this.#turn;
      const move = !isOwn ? "unnoticed" : this.#ownMoves === "doubt" ? "known" : "renumbered";
      file.numbered = bounded(followed(file.numbered, splices, move));
      file.fresh = bounded(followed(file.fresh, splices, move));
      file.before = bounded(followed(file.before, splices, move));
      file.known = carried(file.known, splices, isOwn).slice(-maxSpans);
      file.freshKnown = carried(file.freshKnown, splices, isOwn).slice(-maxSpans);
      file.isEdited ||= isOwn;
    }
    file.text = history.text;
    file.revision = history.revision;
  }
}

/** What the message that has ended showed counts; after an edit of the model's own, all lines have their new numbers. */
function settle(file: FileSight, ownMoves: "renumber" | "doubt"): void {
  file.known = united([...file.known, ...file.freshKnown]);
  const all = [...file.numbered.map((span) => (file.isUpdated ? noticed(span) : span)), ...file.fresh];
  const sure = file.isEdited && ownMoves === "renumber" ? all.flatMap(renumbered) : all;
  file.numbered = sure.reduce<readonly Numbered[]>((kept, span) => [...without(kept, span), span], []);
  file.numbered = bounded(file.numbered);
  file.fresh = [];
  file.freshKnown = [];
  file.isEdited = false;
  file.isUpdated = false;
}

function renumbered({ line, count, isMoved }: Numbered): Numbered[] {
  return line === undefined || isMoved ? [] : [spanAt(line, count)];
}

/** Shown the newest state, the model knows that lines have moved. */
function noticed(span: Numbered): Numbered {
  return span.isMoved ? { ...span, isDoubtful: true } : span;
}

/** Where a text that was shown is in the history. */
function revisionShown(
  history: History,
  { text, revision }: { readonly text: Text; readonly revision: number },
): number | undefined {
  return revisionOf(history, revision, (other) => other === text || other.eq(text));
}

function withShowing(showings: readonly Showing[], next: Showing): readonly Showing[] {
  const last = showings.at(-1);
  const isSame = last?.text === next.text && last.batch === next.batch && last.version === undefined;
  if (isSame && next.from > next.to) return showings;
  const isBeside = isSame && next.from <= last.to + 1 && next.to >= last.from - 1;
  if (!isBeside) return [...showings, next].slice(-maxSpans);
  const joined = { ...next, from: Math.min(last.from, next.from), to: Math.max(last.to, next.to) };
  return showings.with(-1, joined);
}

function bounded(spans: readonly Numbered[]): readonly Numbered[] {
  return spans.length > maxSpans ? spans.slice(-maxSpans) : spans;
}

function unseen({ text, revision }: History): FileSight {
  const nothing = { numbered: [], known: [], fresh: [], freshKnown: [], showings: [] };
  const flags = { isEdited: false, isUpdated: false };
  return { text, revision, batch: "", ...nothing, before: [wholeText(text)], ...flags };
}
