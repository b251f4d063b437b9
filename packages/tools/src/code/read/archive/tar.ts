// A tar file in memory, through tar-stream: POSIX ustar and pax, GNU long names, and the old form without a mark.
//
//   [headers] header (512 bytes) [data, filled up to 512]      … two empty blocks at the end
//
// Headers before an entry's own (pax, GNU) belong to it. An entry is replaced by cutting out its blocks, so all others
// keep theirs byte for byte. An empty block ends the archive, whatever comes behind it.

import { buffer } from "node:stream/consumers";
import type { Fault } from "@stet/protocol/fault";
import { extract, type Header, pack } from "tar-stream";
import {
  type Archive,
  type ArchiveEntry,
  archiveLimits,
  damagedArchive,
  entryTooLarge,
  noSuchEntry,
  plainEntryPath,
  tooManyEntries,
} from "./archive.ts";

interface TarEntry extends ArchiveEntry {
  readonly header: Header;
  /** Where its first header, its data and the next entry begin. */
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
}

const blockSize = 512;

export async function openTar(bytes: Buffer, path: string, signal: AbortSignal): Promise<Archive | Fault> {
  const entries = await readEntries(bytes, path, signal);
  if (!Array.isArray(entries)) return entries;
  return {
    entries,
    async read(entryPath) {
      const entry = entries.findLast(
        (candidate) => candidate.path === entryPath && candidate.kind === "file",
      );
      if (entry === undefined) return noSuchEntry(path, entryPath);
      if (entry.size > archiveLimits.entryBytes) return entryTooLarge(path, entryPath);
      return bytes.subarray(entry.dataStart, entry.dataStart + entry.size);
    },
    replace: (entryPath, content) => replaceEntry(bytes, entries, entryPath, content),
  };
}

async function readEntries(bytes: Buffer, path: string, signal: AbortSignal): Promise<TarEntry[] | Fault> {
  const entries: TarEntry[] = [];
  let start = 0;
  const options = { allowUnknownFormat: true, highWaterMark: blockSize };
  const stream = extract(options);
  stream.end(bytes);
  try {
    for await (const source of stream) {
      signal.throwIfAborted();
      if (isEnd(bytes, start)) break;
      if (entries.length === archiveLimits.entries) return tooManyEntries(path);
      const entry = entryOf(source.header, start, source.offset + blockSize);
      if (entry.end > bytes.length) return damagedArchive(path, "it is cut off");
      entries.push(entry);
      start = entry.end;
      source.resume();
    }
  } catch {
    signal.throwIfAborted();
    if (!isEnd(bytes, start)) return damagedArchive(path, "a header is damaged or cut off");
  }
  return entries;
}

function isEnd(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at, at + blockSize).every((byte) => byte === 0);
}

function entryOf(header: Header, start: number, dataStart: number): TarEntry {
  const { name } = header;
  const kind = kindOf(header);
  // A folder has no data, whatever its size says.
  const size = header.type === "directory" ? 0 : header.size;
  return {
    name,
    path: plainEntryPath(name),
    kind,
    size: kind === "link" ? 0 : size,
    target: kind === "link" ? header.linkname : "",
    header,
    start,
    dataStart,
    end: dataStart + Math.ceil(size / blockSize) * blockSize,
  };
}

function kindOf({ type, name }: Header): ArchiveEntry["kind"] {
  if (type === "directory") return "folder";
  if (type === "link" || type === "symlink") return "link";
  if (type !== "file" && type !== "contiguous-file") return "other";
  return name.endsWith("/") ? "folder" : "file";
}

/** A replaced entry keeps its position, since a link may come behind what it leads to, and its mode and owner. */
async function replaceEntry(
  bytes: Buffer,
  entries: readonly TarEntry[],
  path: string,
  content: Buffer,
): Promise<Buffer> {
  const old = entries.find((entry) => entry.path === path);
  const { mode, uid, gid, uname, gname } = old?.header ?? {
    mode: 0o644,
    uid: 0,
    gid: 0,
    uname: "",
    gname: "",
  };
  const made = pack();
  made.entry({ name: path, mode, uid, gid, uname, gname, type: "file" }, content);
  made.finalize();
  const packed = await buffer(made);
  const parts: Buffer[] = [];
  for (const entry of entries) {
    if (entry.path !== path) parts.push(bytes.subarray(entry.start, entry.end));
    else parts.push(globalHeaders(bytes, entry));
    // The two empty blocks that end it come behind all entries.
    if (entry === old) parts.push(packed.subarray(0, -2 * blockSize));
  }
  if (old === undefined) parts.push(packed);
  else parts.push(Buffer.alloc(2 * blockSize));
  return Buffer.concat(parts);
}

/** Headers of kind g before an entry hold for all behind them, so they stay where it goes. */
function globalHeaders(bytes: Buffer, { start, dataStart }: TarEntry): Buffer {
  let at = start;
  while (at < dataStart && bytes[at + 156] === 0x67) {
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 136), 8);
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
  return bytes.subarray(start, at);
}
