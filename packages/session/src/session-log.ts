// The entries of one session, wherever they are: in memory until the model first answered, then in a file.
//
// A session that never got an answer leaves no file. With the first answer the file appears whole, with everything
// that was said before. A session without a path stays in memory.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { BlobStore } from "./blob-store.ts";
import {
  type EntryDraft,
  newEntryId,
  type SessionEntry,
  type SessionHeader,
  type TitleSource,
} from "./entry.ts";
import { EntryIndex, type EntrySlot } from "./entry-index.ts";
import type { Damage } from "./line-scan.ts";
import { SessionFile } from "./session-file.ts";

export interface SessionLogTarget {
  /** Undefined: nothing is ever written. */
  readonly path: string | undefined;
  readonly blobs: BlobStore | undefined;
  /** Called once, when the file has come into being. */
  readonly onCreated?: (path: string) => void;
}

export class SessionLog {
  readonly path: string | undefined;
  readonly #target: SessionLogTarget;
  #memory = new EntryIndex();
  #newHeader: SessionHeader;
  #file: SessionFile | undefined;

  private constructor(header: SessionHeader, target: SessionLogTarget, file: SessionFile | undefined) {
    this.#newHeader = header;
    this.#target = target;
    this.path = target.path;
    this.#file = file;
  }

  static create(header: SessionHeader, target: SessionLogTarget): SessionLog {
    return new SessionLog(header, target, undefined);
  }

  /** With entries that have their ids already, such as those of another session. */
  static createWith(
    header: SessionHeader,
    target: SessionLogTarget,
    entries: readonly SessionEntry[],
  ): SessionLog | Fault {
    const log = new SessionLog(header, target, undefined);
    const taken = log.#take(entries);
    return isFault(taken) ? taken : log;
  }

  static open(path: string, blobs: BlobStore | undefined): SessionLog | Fault {
    const file = SessionFile.open(path, blobs);
    return isFault(file) ? file : new SessionLog(file.header, { path, blobs }, file);
  }

  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  get header(): SessionHeader {
    return this.#file?.header ?? this.#newHeader;
  }

  get index(): EntryIndex {
    return this.#file?.index ?? this.#memory;
  }

  get damage(): readonly Damage[] {
    return this.#file?.damage ?? [];
  }

  /** Adds the drafts as a chain below the parent. What is returned is durable; on a fault nothing was added. */
  append(drafts: readonly EntryDraft[], parentId: string | null): readonly SessionEntry[] | Fault {
    if (this.#file === undefined) return this.#take(chain(drafts, parentId, this.#memory));
    const reduced = this.#externalise(drafts);
    if (isFault(reduced)) return reduced;
    let entries: readonly SessionEntry[] = [];
    const written = this.#file.append((index) => {
      entries = chain(drafts, parentId, index);
      return entries.map((entry, position) => ({ ...entry, ...reduced[position] }));
    });
    return isFault(written) ? written : entries;
  }

  #take(entries: readonly SessionEntry[]): readonly SessionEntry[] | Fault {
    const isAnswer = entries.some((entry) => entry.type === "message" && entry.message.role === "assistant");
    const { path, blobs } = this.#target;
    if (isAnswer && path !== undefined) {
      const waiting = this.#memory.slots.flatMap((slot) => slot.location.entry ?? []);
      const reduced = this.#externalise([...waiting, ...entries]);
      if (isFault(reduced)) return reduced;
      const file = SessionFile.create(path, this.#newHeader, reduced, blobs);
      if (isFault(file)) return file;
      this.#file = file;
      this.#memory = new EntryIndex();
      this.#target.onCreated?.(path);
      return entries;
    }
    for (const entry of entries) {
      const { type, id, parentId } = entry;
      const role = entry.type === "message" ? entry.message.role : undefined;
      this.#memory.add({ type, id, parentId, role }, { entry });
    }
    return entries;
  }

  #externalise<T>(values: readonly T[]): readonly T[] | Fault {
    return this.#target.blobs === undefined ? values : this.#target.blobs.externalise(values);
  }

  /** The contents, each or why it cannot be read. */
  read(slots: readonly EntrySlot[]): readonly (SessionEntry | Fault)[] {
    if (this.#file !== undefined) return this.#file.read(slots);
    return slots.flatMap((slot) => slot.location.entry ?? []);
  }

  /** Reads what other processes appended since. */
  refresh(): Fault | undefined {
    return this.#file?.refresh();
  }

  /** A generated title never replaces one that the person gave. An empty one takes the title away. */
  rename(title: string, titleSource: TitleSource): Fault | undefined {
    const change = (header: SessionHeader): SessionHeader => {
      if (titleSource === "auto" && header.titleSource === "user") return header;
      const { title: _title, titleSource: _source, ...rest } = header;
      return title.trim() === "" ? rest : { ...rest, title: title.trim(), titleSource };
    };
    if (this.#file !== undefined) return this.#file.rewriteHeader(change);
    this.#newHeader = change(this.#newHeader);
    return undefined;
  }
}

function chain(drafts: readonly EntryDraft[], parentId: string | null, index: EntryIndex): SessionEntry[] {
  const entries: SessionEntry[] = [];
  const timestamp = new Date().toISOString();
  let parent = parentId;
  for (const draft of drafts) {
    const id = newEntryId(
      (taken) => index.get(taken) !== undefined || entries.some((entry) => entry.id === taken),
    );
    entries.push({ ...draft, id, parentId: parent, timestamp });
    parent = id;
  }
  return entries;
}
