// A turn's copies of documents: each follows its document, and its document follows the file (see disk-comparison.ts).
//
// Where someone else has changed lines that are staged, what is staged of that document is dropped: its copy goes on from the
// document, with revisions of its own that no earlier one had, and the next call that concerns it is told. A document whose
// file was removed meanwhile is neither read nor committed, unless the turn makes the file itself.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { DocumentState } from "../documents/document-state.ts";
import { type Documents, goneFromDisk } from "../documents/documents.ts";
import { isGone } from "../documents/file-state.ts";
import { settleCopy, type TurnConflict } from "./settle-copy.ts";
import {
  type Copy,
  copyOf,
  followCopy,
  isRemoved,
  isStagedConflict,
  type StagedFile,
  withFile,
  withoutStaged,
} from "./turn-copy.ts";
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
  /** Whether what fits of staged edits stays where others do not. */
  readonly #isHeld: boolean;
  /** Of a held turn: what was left out, until that was told. */
  readonly #left = new Map<number, TurnConflict[]>();

  constructor(documents: Documents, isHeld = false) {
    this.#documents = documents;
    this.#isHeld = isHeld;
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
    const copy = known === undefined ? copyOf(state.history) : this.#withoutMisfits(state, known);
    // A step that fails later takes back what it staged, and does not bring this back.
    for (const copies of [this.#copies, ...this.#starts]) copies.set(state.id, copy);
    this.#untold.set(state.id, reason);
    return copy;
  }

  #withoutMisfits({ id, history }: DocumentState, known: Copy): Copy {
    const settled = this.#isHeld ? settleCopy(known, history) : undefined;
    if (settled === undefined || isFault(settled)) return withoutStaged(known, history);
    const conflicts = settled.conflicts.map((conflict) => ({ document: id, ...conflict }));
    this.#left.set(id, [...(this.#left.get(id) ?? []), ...conflicts]);
    return settled.copy;
  }

  #tell(document: number): Fault | undefined {
    const fault = this.#untold.get(document);
    this.#untold.delete(document);
    this.#left.delete(document);
    return fault;
  }

  /** Of a held turn: lets go of what does not fit, so that the rest can be committed; tells what nobody was told of yet. */
  settle(): TurnConflict[] {
    this.dropConflicting();
    const conflicts = [...this.#left.values()].flat();
    this.#left.clear();
    return conflicts;
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
