// A turn's copies of documents: each follows its document, and its document follows the file (see disk-comparison.ts).
//
// Where someone else has changed lines that are staged, what is staged of that document is dropped: its copy goes on from the
// document, with revisions of its own that no earlier one had, and the next call that concerns it is told. A document whose
// file was removed meanwhile is neither read nor committed, unless the turn makes the file itself.

import { ChangeSet, type Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { TurnId } from "@stet/protocol/ids";
import { changeTo, firstMeeting, placeBoth } from "@stet/text/concurrent-splices";
import type { Format } from "@stet/text/document";
import { advance, type Change, changesSince, type History } from "@stet/text/history";
import { changeOf, type Splice, splicesOf } from "@stet/text/lines";
import type { Revised } from "@stet/text/revise";
import type { DocumentState } from "../documents/document-state.ts";
import { type Documents, goneFromDisk } from "../documents/documents.ts";
import { isGone } from "../documents/file-state.ts";
import { stagedConflict } from "./turn-report.ts";

export class TurnCopies {
  readonly #documents: Documents;
  #copies = new Map<number, Copy>();
  /** The copies as they were before each step that is under way. */
  readonly #starts = new Set<Map<number, Copy>>();
  /** Documents that exist only because of this turn. */
  readonly created = new Set<number>();
  /** Why staged edits were dropped, by document, until that was told. */
  readonly #untold = new Map<number, Fault>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  get all(): ReadonlyMap<number, Copy> {
    return this.#copies;
  }

  set(document: number, copy: Copy): void {
    this.#copies.set(document, copy);
  }

  /** Stages what is done to the file of a document that was read. */
  stageFile(document: number, file: StagedFile): void {
    const copy = this.#copies.get(document);
    if (copy !== undefined) this.#copies.set(document, withFile(copy, file));
  }

  /** The characters of all documents in which something is staged. */
  get stagedLength(): number {
    return this.staged().reduce((sum, id) => sum + (this.all.get(id)?.history.text.length ?? 0), 0);
  }

  /** Documents with staged edits. */
  staged(): number[] {
    return [...this.#copies].flatMap(([document, copy]) => (copy.staged === undefined ? [] : document));
  }

  /** The document as it is now, with what is staged; also of one whose file is gone. */
  newest(document: number): Copy | Fault {
    const state = this.#documents.current(document);
    if (isFault(state)) return state;
    const copy = this.follow(state);
    if (!isFault(copy)) this.#copies.set(document, copy);
    else if (copy.error === "conflict") return this.#drop(state, copy);
    return copy;
  }

  /** The same, where there is something to read. Tells of edits that were dropped. */
  readable(document: number): Copy | Fault {
    const copy = this.newest(document);
    if (isFault(copy)) return copy;
    return this.#tell(document) ?? this.gone(document, copy) ?? copy;
  }

  /** The same, where it may be edited: what is in conflict with its file can only be read. */
  editable(document: number): Copy | Fault {
    const copy = this.readable(document);
    if (isFault(copy)) return copy;
    const compared = this.#documents.disk.compare(document);
    return (isFault(compared) ? compared : compared?.fault) ?? copy;
  }

  /** The copy behind what happened to its document, for whoever is in a transaction. */
  follow({ id, history }: DocumentState): Copy | Fault {
    const known = this.#copies.get(id);
    if (known === undefined) return copyOf(history);
    const copy = followCopy(known, history);
    return isStagedConflict(copy) ? stagedConflict(this.#nameOf(id), copy, history, known.steps) : copy;
  }

  #drop(state: DocumentState, reason: Fault): Copy {
    const known = this.#copies.get(state.id);
    const copy = known === undefined ? copyOf(state.history) : withoutStaged(known, state.history);
    // A step that fails later takes back what it staged, and does not bring this back.
    for (const copies of [this.#copies, ...this.#starts]) copies.set(state.id, copy);
    this.#untold.set(state.id, reason);
    return copy;
  }

  #tell(document: number): Fault | undefined {
    const fault = this.#untold.get(document);
    this.#untold.delete(document);
    return fault;
  }

  /** Why there is nothing to read or to commit: a person or another program has removed the file. */
  gone(document: number, copy: Copy): Fault | undefined {
    const state = this.#documents.state(document);
    if (isFault(state) || !isGone(state) || this.created.has(document) || isRemoved(copy)) return undefined;
    return goneFromDisk(this.#nameOf(document));
  }

  #nameOf(document: number): string {
    const row = this.#documents.row(document);
    return row?.path ?? row?.title ?? "the document";
  }

  /** Drops staged edits that cannot be committed any more, and tells why, also of those that were dropped before. */
  dropConflicting(): Fault[] {
    for (const document of this.staged()) {
      const copy = this.newest(document);
      const gone = isFault(copy) ? undefined : this.gone(document, copy);
      const state = this.#documents.state(document);
      if (gone !== undefined && !isFault(state)) this.#drop(state, gone);
    }
    const faults = [...this.#untold.values()];
    this.#untold.clear();
    return faults;
  }

  /** What was committed is no longer staged, whatever a step that fails later takes back. */
  forget(document: number): void {
    for (const copies of [this.#copies, ...this.#starts]) copies.delete(document);
  }

  /** Why nothing may be committed: edits were dropped, and nobody was told. */
  refusal(): Fault | undefined {
    return this.#untold.values().next().value;
  }

  /** Runs one step; when it ends in a fault or an exception, whatever it staged is gone. */
  async step<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault> {
    const before = new Map(this.#copies);
    this.#starts.add(before);
    let result: T | Fault | undefined;
    try {
      result = await action();
      return result;
    } finally {
      this.#starts.delete(before);
      if (result === undefined || isFault(result)) this.#copies = before;
    }
  }

  clear(): void {
    this.#copies.clear();
  }
}

// A document as a turn sees it: what the turn has staged, over everything that happens to the document meanwhile.

/** What the turn does to the file itself, besides its text. */
export interface StagedFile {
  readonly kind: "made" | "removed";
  /** Of a new file. */
  readonly format?: Format | undefined;
}

export interface Copy {
  readonly history: History;
  /** The document's revision that the copy has caught up with. */
  readonly followed: number;
  /** From the document's text at that revision to the copy's text; undefined where nothing is staged. */
  readonly staged: ChangeSet | undefined;
  /** How many edits that took. */
  readonly steps: number;
  readonly file: StagedFile | undefined;
}

export function copyOf(history: History): Copy {
  return { history, followed: history.revision, staged: undefined, steps: 0, file: undefined };
}

export function withRevised(copy: Copy, { history, change }: Revised): Copy {
  const staged = copy.staged === undefined ? change : copy.staged.compose(change);
  return { ...copy, history, staged, steps: copy.steps + 1 };
}

/** The copy with a file that is made or removed, whatever its text. */
function withFile(copy: Copy, file: StagedFile): Copy {
  return { ...copy, staged: copy.staged ?? ChangeSet.empty(copy.history.text.length), file };
}

/** Whether there is no file in the end, though there may be one on disk now. */
export function isRemoved({ file, history }: Copy): boolean {
  return file?.kind === "removed" && history.text.length === 0;
}

/**
 * Takes over what happened to the document since, beside what is staged. Where someone changed the very lines that are
 * staged, that is a conflict: both texts would stand in them, run together.
 */
export function followCopy(copy: Copy, history: History): Copy | StagedConflict | Fault {
  const since = changesSince(history, copy.followed);
  if (isFault(since)) return since;
  const [first] = since;
  if (first === undefined) return copy;
  const { staged } = copy;
  if (staged === undefined) return since.reduce(followed, copy);
  // A file is removed as it was read: there is no line of it that another change could leave alone.
  if (copy.file?.kind === "removed") return { conflict: first, line: first.splices[0]?.at ?? 0 };
  let ours = withoutLastLine(splicesOf(first.before, copy.history.text, staged), copy.history.text);
  let followedCopy = copy;
  for (const made of since) {
    const after = made.change.apply(made.before);
    const theirSplices = withoutLastLine(made.splices, after);
    const met = firstMeeting(ours, theirSplices);
    if (met !== undefined) return { conflict: made, line: met.at };
    const placed = placeBoth(ours, theirSplices);
    ours = placed.ours;
    const change = changeOf(after, ours);
    const { text } = followedCopy.history;
    const theirs = changeTo(text, change.apply(after), placed.theirs);
    const next = advance(followedCopy.history, theirs, made);
    followedCopy = { ...followedCopy, history: next, followed: made.revision, staged: change };
  }
  return followedCopy;
}

/** A text without lines has one raw line, which is none that anybody wrote. */
function withoutLastLine(splices: readonly Splice[], after: Text): readonly Splice[] {
  return after.length > 0 ? splices : splices.map((splice) => ({ ...splice, lines: [] }));
}

function followed(copy: Copy, made: Change): Copy {
  return { ...copy, history: advance(copy.history, made.change, made), followed: made.revision };
}

/** A change of the document in lines that the turn has staged edits of. */
export interface StagedConflict {
  readonly conflict: Change;
  /** Where the two met, 0-based. */
  readonly line: number;
}

export function isStagedConflict(value: Copy | StagedConflict | Fault): value is StagedConflict {
  return !isFault(value) && "conflict" in value;
}

/** The copy as its document is, after what was staged: edits made on what the copy showed until now are rebased over that. */
export function withoutStaged(copy: Copy, document: History): Copy {
  const { text } = copy.history;
  const back = changeTo(text, document.text, []);
  const last = document.changes.at(-1);
  const history = advance(copy.history, back, { origin: last?.origin ?? "disk", turn: last?.turn });
  return { history, followed: document.revision, staged: undefined, steps: copy.steps + 1, file: undefined };
}

// A turn that waits for the person, as data: it can go on from there in another process.

export interface SuspendedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly staged: readonly {
    readonly document: number;
    /** The document's revision that the change is made on. */
    readonly revision: number;
    readonly change: unknown;
    readonly steps: number;
    readonly file?: StagedFile | undefined;
  }[];
  /** Documents that were committed while the turn went on. */
  readonly published?: readonly number[];
  readonly created: readonly { readonly path: string | null; readonly title: string }[];
}
