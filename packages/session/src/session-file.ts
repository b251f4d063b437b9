// A session on disk: one line of JSON per entry, only ever added to.
//
// - What append() returned is on disk; messages and what tells of files are synced as well.
// - An append is one write under a lock, after what others appended was read. Two processes on one session both
//   work, each on its own branch; their lines never mix.
// - A line that was cut off at the end (its writer died) is moved to `<file>.torn` before anything is added.
// - Any other damage is reported with its line and left in place.
// - The file is created whole, and rewritten only for a new title or from an older version, by renaming.

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { crc32 } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, syncFolder, writeAll } from "@stet/storage/durable-file";
import { readMark, removeMark } from "@stet/storage/mark";
import { privateFile } from "@stet/storage/private-files";
import { whileLocked } from "./append-lock.ts";
import type { BlobStore } from "./blob-store.ts";
import { neighbours, readRange, readTogetherBytes } from "./byte-range.ts";
import { type SessionEntry, type SessionHeader, sessionVersion } from "./entry.ts";
import { EntryIndex, type EntrySlot } from "./entry-index.ts";
import { asEntry, formatEntry, parseLine } from "./entry-line.ts";
import { type Damage, type ScanState, scan } from "./line-scan.ts";
import { emptied, lostPart, markSession } from "./session-mark.ts";
import { migrateContent } from "./session-migration.ts";

/** What a conversation cannot do without; the rest is only written. */
const synced: ReadonlySet<string> = new Set([
  "message",
  "custom_message",
  "compaction",
  "branch_summary",
  "turn",
  "stop",
  "decision",
]);

export class SessionFile {
  readonly path: string;
  #state: ScanState = emptyState();
  /** Identifies the file that the index was built from: the path may name another one by now. */
  #identity = "";
  #readHeader: SessionHeader;

  readonly #blobs: BlobStore | undefined;

  private constructor(path: string, blobs: BlobStore | undefined) {
    this.path = path;
    this.#blobs = blobs;
    this.#readHeader = headerFromName(path);
  }

  static open(path: string, blobs?: BlobStore): SessionFile | Fault {
    const file = new SessionFile(path, blobs);
    const fault = attempt("opened", path, () => file.#load());
    return isFault(fault) ? fault : file;
  }

  static create(
    path: string,
    header: SessionHeader,
    entries: readonly SessionEntry[],
    blobs?: BlobStore,
  ): SessionFile | Fault {
    const lines = [JSON.stringify(header), ...entries.map(formatEntry), ""].join("\n");
    const created = attempt("created", path, () => {
      makeDurableFolder(dirname(path));
      replaceFile(path, `${path}.tmp`, (descriptor) => writeAll(descriptor, Buffer.from(lines)));
    });
    if (isFault(created)) return created;
    const file = SessionFile.open(path, blobs);
    if (!isFault(file)) markSession(path, file.#state);
    return file;
  }

  get header(): SessionHeader {
    return this.#readHeader;
  }

  get index(): EntryIndex {
    return this.#state.index;
  }

  get damage(): readonly Damage[] {
    return this.#state.damage;
  }

  /** `build` makes the entries from the index as it is once everything that others appended is in it. */
  append(build: (index: EntryIndex) => readonly SessionEntry[]): readonly SessionEntry[] | Fault {
    return this.#change("written", (descriptor) => {
      const entries = build(this.index);
      const lines = entries.map((entry) => Buffer.from(`${formatEntry(entry)}\n`));
      try {
        writeAll(descriptor, Buffer.concat(lines));
        if (entries.some((entry) => synced.has(entry.type))) fdatasyncSync(descriptor);
      } catch (error) {
        // Half a line, or one that may not survive, must not be there when the fault says that it was not written.
        ftruncateSync(descriptor, this.#state.end);
        throw error;
      }
      for (const [position, entry] of entries.entries()) this.#addWritten(entry, lines[position]);
      markSession(this.path, this.#state);
      return entries;
    });
  }

  #addWritten(entry: SessionEntry, line: Buffer = Buffer.alloc(0)): void {
    const { type, id, parentId } = entry;
    const role = entry.type === "message" ? entry.message.role : undefined;
    const state = this.#state;
    state.lines += 1;
    const location = { entry: undefined, line: state.lines, offset: state.end, length: line.length - 1 };
    state.index.add({ type, id, parentId, role }, location);
    state.end += line.length;
    state.sum = crc32(line, state.sum);
  }

  /** Writes down beside the file how far it has come. */
  remember(): void {
    markSession(this.path, this.#state);
  }

  /** Reads what others appended since. */
  refresh(): Fault | undefined {
    return this.#change("read", () => undefined);
  }

  /** Gives the session another header, such as one with a title. */
  rewriteHeader(change: (header: SessionHeader) => SessionHeader): Fault | undefined {
    return this.#change("rewritten", (descriptor) => {
      const old = readRange(descriptor, 0, this.#state.end);
      const headerEnd = old.indexOf(0x0a) + 1;
      if (this.#state.header === undefined) setAside(`${this.path}.torn`, old.subarray(0, headerEnd));
      const line = Buffer.from(`${JSON.stringify(change(this.#readHeader))}\n`);
      this.#replace([line, old.subarray(headerEnd)], descriptor);
      return undefined;
    });
  }

  /** The contents of entries, each or why it cannot be read. */
  read(slots: readonly EntrySlot[]): readonly (SessionEntry | Fault)[] {
    const entries = attempt("read", this.path, () => {
      const descriptor = openSync(this.path, "r");
      try {
        return this.#readFrom(descriptor, slots);
      } finally {
        closeSync(descriptor);
      }
    });
    return isFault(entries) ? slots.map(() => entries) : entries;
  }

  #readFrom(descriptor: number, slots: readonly EntrySlot[]): (SessionEntry | Fault)[] {
    let wanted: readonly (EntrySlot | undefined)[] = slots;
    if (identityOf(descriptor) !== this.#identity) {
      this.#restart(descriptor);
      scan(descriptor, fstatSync(descriptor).size, this.#state);
      wanted = slots.map((slot) => this.index.get(slot.head.id));
    }
    const entries: (SessionEntry | Fault)[] = [];
    // Fresh memory for every read would take longer than the reading.
    const room = Buffer.allocUnsafe(wanted.length > 1 ? readTogetherBytes : 0);
    let start = 0;
    while (start < wanted.length) {
      const run = neighbours(wanted, start);
      const bytes = readRange(descriptor, run.from, run.to, room);
      for (const slot of wanted.slice(start, run.next)) entries.push(this.#parse(slot, bytes, run.from));
      start = run.next;
    }
    return entries;
  }

  #parse(slot: EntrySlot | undefined, bytes: Buffer, from: number): SessionEntry | Fault {
    if (slot === undefined) return this.#damaged("an entry is no longer in the file", 0);
    const { location } = slot;
    if (location.entry !== undefined) return location.entry;
    const start = location.offset - from;
    const text = bytes.toString("utf8", start, start + location.length);
    const record = parseLine(text);
    const entry = record === undefined ? undefined : asEntry(record);
    if (entry !== undefined) return text.includes("blob:") ? this.#resolve(entry, location.line) : entry;
    if (!this.damage.some((known) => known.line === location.line)) {
      this.#state.damage.push({
        line: location.line,
        reason: "the line cannot be read",
        entryId: slot.head.id,
      });
    }
    return this.#damaged("an entry is damaged", location.line);
  }

  #resolve(entry: SessionEntry, line: number): SessionEntry {
    if (this.#blobs === undefined) return entry;
    const { value, missing } = this.#blobs.resolve(entry);
    if (missing.length > 0 && !this.damage.some((known) => known.line === line)) {
      const reason = `a large content is no longer stored: ${missing.join(", ")}`;
      this.#state.damage.push({ line, reason, entryId: entry.id });
    }
    return value;
  }

  #damaged(what: string, line: number): Fault {
    return new Fault(
      "session_damaged",
      `${basename(this.path)}, line ${line}: ${what}.`,
      "The rest of the session can be used. The line is left as it is, for you to look at.",
      { path: this.path, line },
    );
  }

  #load(): Fault | undefined {
    const descriptor = openSync(this.path, "r");
    let torn: number;
    try {
      if (!fstatSync(descriptor).isFile()) return notASession(this.path);
      this.#restart(descriptor);
      torn = scan(descriptor, fstatSync(descriptor).size, this.#state);
    } finally {
      closeSync(descriptor);
    }
    const { header, index } = this.#state;
    if (header === undefined && index.slots.length === 0)
      return readMark(this.path) === undefined ? notASession(this.path) : emptied(this.path);
    if (header !== undefined && header.version > sessionVersion) return tooNew(this.path, header.version);
    if (header !== undefined) this.#readHeader = header;
    if (header !== undefined && header.version < sessionVersion) return this.#migrate();
    if (torn > 0) this.#mendOrReport();
    const lost = lostPart(this.path, this.#state);
    // A line that cannot be read says it better.
    if (lost !== undefined && this.damage.length === 0)
      this.#state.damage.push({ line: this.#state.lines + 1, reason: lost });
    return undefined;
  }

  /** A session in a folder that cannot be written can still be read. */
  #mendOrReport(): void {
    const fault = this.refresh();
    if (!isFault(fault)) return;
    const reason = `the last line was cut off, and is left as it is: ${fault.message}`;
    this.#state.damage.push({ line: this.#state.lines + 1, reason });
  }

  #migrate(): Fault | undefined {
    return this.#change("migrated", (descriptor) => {
      // Another process may have migrated it while this one waited for the lock.
      if (this.#readHeader.version === sessionVersion) return undefined;
      this.#replace(migrateContent(readRange(descriptor, 0, this.#state.end)), descriptor);
      return undefined;
    });
  }

  #replace(parts: readonly Uint8Array[], old: number): void {
    // The mark of the old file would accuse the new one, if this process died before it wrote another.
    removeMark(this.path);
    try {
      replaceFile(this.path, `${this.path}.tmp`, (descriptor) => {
        for (const part of parts) writeAll(descriptor, part);
        // Only going on with a conversation makes it the latest one.
        const { atime, mtime } = fstatSync(old);
        futimesSync(descriptor, atime, mtime);
      });
    } catch (error) {
      markSession(this.path, this.#state);
      throw error;
    }
    const descriptor = openSync(this.path, "r");
    try {
      this.#restart(descriptor);
      scan(descriptor, fstatSync(descriptor).size, this.#state);
      if (this.#state.header !== undefined) this.#readHeader = this.#state.header;
      markSession(this.path, this.#state);
    } finally {
      closeSync(descriptor);
    }
  }

  #change<T>(doing: string, action: (descriptor: number) => T): T | Fault {
    return whileLocked(dirname(this.path), () =>
      attempt(doing, this.path, () => {
        const descriptor = openSync(this.path, constants.O_RDWR | constants.O_APPEND);
        try {
          this.#catchUp(descriptor);
          return action(descriptor);
        } finally {
          closeSync(descriptor);
        }
      }),
    );
  }

  #catchUp(descriptor: number): void {
    const { size } = fstatSync(descriptor);
    if (identityOf(descriptor) !== this.#identity || size < this.#state.end) this.#restart(descriptor);
    if (size > this.#state.end) {
      const torn = scan(descriptor, size, this.#state);
      if (torn > 0) this.#mend(descriptor, size);
    }
    if (this.#state.header !== undefined) this.#readHeader = this.#state.header;
  }

  /** Nobody is writing now, so what has no end will never get one. */
  #mend(descriptor: number, size: number): void {
    const state = this.#state;
    const bytes = readRange(descriptor, state.end, size);
    const record = parseLine(bytes.toString("utf8"));
    if (record !== undefined && asEntry(record) !== undefined) {
      writeAll(descriptor, Buffer.from("\n"));
      scan(descriptor, size + 1, state);
      return;
    }
    const movedTo = `${this.path}.torn`;
    setAside(movedTo, bytes);
    ftruncateSync(descriptor, state.end);
    const reason = `the last line was cut off after ${bytes.length} bytes`;
    state.damage.push({ line: state.lines + 1, reason, keptIn: movedTo });
  }

  #restart(descriptor: number): void {
    this.#state = emptyState();
    this.#identity = identityOf(descriptor);
  }
}

function emptyState(): ScanState {
  return { index: new EntryIndex(), damage: [], header: undefined, lines: 0, end: 0, sum: 0 };
}

function identityOf(descriptor: number): string {
  const { ino, birthtimeMs } = fstatSync(descriptor);
  return `${ino}:${birthtimeMs}`;
}

/** What can be known of a session whose first line is damaged: files are named `<timestamp>_<id>.jsonl`. */
function headerFromName(path: string): SessionHeader {
  const id = basename(path, ".jsonl").replace(/^.*_/, "");
  return { type: "session", version: sessionVersion, id, timestamp: new Date(0).toISOString(), cwd: "" };
}

function notASession(path: string): Fault {
  return new Fault(
    "unsupported_session",
    `${path} is not a session: no line of it is a header or an entry.`,
    "List the sessions to find the right file. This one is left as it is.",
    { path },
  );
}

function tooNew(path: string, version: number): Fault {
  return new Fault(
    "unsupported_session",
    `${path} is of version ${version}; this Stet reads up to ${sessionVersion}.`,
    "Update Stet to open it. The file is left as it is.",
    { path, version },
  );
}

/** Adds to a file of things that were set aside. */
function setAside(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, "a", privateFile);
  try {
    writeAll(descriptor, Buffer.concat([bytes, Buffer.from("\n")]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}
