// Keeps the documents that are open in tabs searchable by meaning, while they are edited.
//
// Every entry of the ledger that concerns an open document has it indexed again, shortly after the last of a series: then
// only the passages that it touched are embedded. What is under way for an older text is given up; nothing of it is lost.
//
// One document is indexed after the other, the one in front first. A pause gives up the one that is being indexed and keeps
// its position: embedded passages are stored, so resuming begins where it was.

import type { Text } from "@codemirror/state";
import type { IndexReport, Meaning, MeaningDocument } from "@stet/meaning/meaning";
import { type Fault, isFault } from "@stet/protocol/fault";
import { fileTypeOf } from "@stet/workspace/documents/file-type";
import type { Workspace } from "@stet/workspace/workspace";

export interface DocumentFollowOptions {
  /** How long a document must be left alone before it is indexed, in milliseconds. */
  readonly quietMs?: number;
  /** Whether it begins paused. */
  readonly isPaused?: boolean;
  /** Called after each document, also when it was cancelled. */
  onIndexed?(document: MeaningDocument, result: IndexReport | Fault): void;
  /** Called at every change of the progress: many times a second while documents are indexed. */
  onProgress?(): void;
}

export interface FollowProgress {
  readonly state: "idle" | "indexing" | "paused";
  /** What is being indexed, or was when it was paused. */
  readonly document: number | null;
  /** Passages of it. */
  readonly done: number;
  readonly total: number;
  /** Documents that come after it. */
  readonly waiting: number;
}

export interface Following {
  /** Indexes the open tabs. Opening a tab writes no entry to the ledger, so the operation that opens one calls this. */
  look(): void;
  progress(): FollowProgress;
  pause(): void;
  resume(): void;
  stop(): void;
}

const defaultQuiet = 100;
/** Who never stops typing is indexed after so many quiet times nevertheless. */
const mostPostponements = 20;

/** Call `stop` before the workspace is closed. */
export function followDocuments(
  workspace: Workspace,
  meaning: Meaning,
  options: DocumentFollowOptions = {},
): Following {
  return new DocumentFollower(workspace, meaning, options);
}

interface Current {
  readonly id: number;
  readonly text: Text;
  readonly controller: AbortController;
  done: number;
  total: number;
}

class DocumentFollower implements Following {
  readonly #workspace: Workspace;
  readonly #meaning: Meaning;
  readonly #options: DocumentFollowOptions;
  readonly #quiet: number;
  readonly #changed = new Set<number>();
  /** What is to be indexed next, in this order. */
  #waiting: number[] = [];
  #current: Current | undefined;
  /** What a pause cancelled, so that its progress is not reported from the start again. */
  #interrupted: Current | undefined;
  #isPaused: boolean;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #firstChange = 0;
  readonly #unlisten: () => void;

  constructor(workspace: Workspace, meaning: Meaning, options: DocumentFollowOptions) {
    this.#workspace = workspace;
    this.#meaning = meaning;
    this.#options = options;
    this.#quiet = options.quietMs ?? defaultQuiet;
    this.#isPaused = options.isPaused ?? false;
    this.#unlisten = workspace.ledger.listen((entry) => {
      this.#changed.add(entry.document);
      this.#schedule();
    });
    this.look();
  }

  look(): void {
    for (const id of this.#workspace.documents.inTabs()) this.#changed.add(id);
    this.#schedule();
  }

  progress(): FollowProgress {
    const current = this.#current;
    const waiting = this.#waiting;
    const isPaused = this.#isPaused;
    const { id: document = null, done = 0, total = 0 } = current ?? {};
    const state = isPaused ? "paused" : current === undefined ? "idle" : "indexing";
    return { state, document, done, total, waiting: waiting.length };
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#current?.controller.abort();
    this.#tell();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#interrupted = this.#current;
    this.#current = undefined;
    if (this.#interrupted !== undefined) this.#waiting.unshift(this.#interrupted.id);
    this.#indexNext();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unlisten();
    clearTimeout(this.#timer);
    this.#current?.controller.abort();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#firstChange = now;
    else if (now - this.#firstChange > this.#quiet * mostPostponements) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#takeUp(), this.#quiet).unref();
  }

  /** Puts what has changed into the queue, and leaves out what is not open any more. */
  #takeUp(): void {
    this.#timer = undefined;
    const open = this.#workspace.documents.inTabs();
    const wanted = new Set([...this.#waiting, ...this.#changed]);
    this.#changed.clear();
    const current = this.#current;
    if (current !== undefined && open.includes(current.id) && this.#isCurrent(current)) {
      wanted.delete(current.id);
    } else if (current !== undefined) {
      current.controller.abort();
      wanted.add(current.id);
      this.#current = undefined;
    }
    this.#waiting = open.filter((id) => wanted.has(id) && this.#isMissing(id));
    this.#indexNext();
  }

  /** Whether what is being indexed is still the text that is there. */
  #isCurrent({ id, text }: Current): boolean {
    return documentOf(this.#workspace, id)?.text === text;
  }

  #isMissing(id: number): boolean {
    const document = documentOf(this.#workspace, id);
    return document !== undefined && this.#meaning.status(document) !== "ready";
  }

  #indexNext(): void {
    if (!this.#isPaused && !this.#isStopped && this.#current === undefined) this.#begin();
    this.#tell();
  }

  #begin(): void {
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift()) {
      const document = documentOf(this.#workspace, id);
      if (document === undefined || this.#meaning.status(document) === "ready") continue;
      const { text } = document;
      const { done = 0, total = 0 } = this.#interrupted?.text === text ? this.#interrupted : {};
      this.#interrupted = undefined;
      const current: Current = { id, text, controller: new AbortController(), done, total };
      this.#current = current;
      void this.#index(document, current);
      return;
    }
  }

  async #index(document: MeaningDocument, current: Current): Promise<void> {
    const result = await this.#meaning.index(document, {
      signal: current.controller.signal,
      onProgress: (done, total) => {
        current.done = done;
        current.total = total;
        if (this.#current === current) this.#tell();
      },
    });
    this.#options.onIndexed?.(document, result);
    // A pause leaves it in the list; a newer revision, or its closing, has replaced it already.
    if (this.#current !== current || (this.#isPaused && isFault(result))) return;
    this.#current = undefined;
    this.#indexNext();
  }

  #tell(): void {
    if (!this.#isStopped) this.#options.onProgress?.();
  }
}

function documentOf(workspace: Workspace, id: number): MeaningDocument | undefined {
  const state = workspace.documents.state(id);
  // A file that is not text, or is gone: there is nothing to index.
  if (isFault(state)) return undefined;
  const row = workspace.documents.row(id);
  return {
    key: `document:${id}`,
    text: state.pending.current,
    fileType: fileTypeOf(row?.path ?? row?.title ?? ""),
  };
}
