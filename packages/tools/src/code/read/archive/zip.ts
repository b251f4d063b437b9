// A ZIP file in memory, by the directory at its end (APPNOTE 4.3).
//
//   [something] [entries …] [central directory] [zip64 end record] [zip64 locator] [end record + comment]
//
// The directory is read here because fflate's reader gives neither modes, times nor checksums; a new entry is made by
// fflate. Something may stand before the first entry (a program that unpacks itself), so offsets are counted from where the
// directory really is. Sizes of 0xffffffff stand in a zip64 extra field. An entry is replaced by cutting out its bytes and
// its record: all others keep theirs, but for the offset in the record. Reading beyond the end throws a RangeError.

import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { zipSync } from "fflate";
import {
  type Archive,
  type ArchiveEntry,
  archiveLimits,
  damagedArchive,
  entryTooLarge,
  looksLikeBomb,
  mostUnpacked,
  noSuchEntry,
  plainEntryPath,
  tooManyEntries,
} from "./archive.ts";

interface ZipEntry extends ArchiveEntry {
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedSize: number;
  /** Where its local header begins. */
  readonly start: number;
  /** The whole record of the central directory. */
  readonly record: Buffer;
}

interface ZipEnd {
  readonly count: number;
  readonly size: number;
  /** Where the directory begins as the archive says, and where it ends in truth. */
  readonly offset: number;
  readonly directoryEnd: number;
  readonly comment: Buffer;
}

interface Zip {
  readonly bytes: Buffer;
  readonly path: string;
  readonly entries: readonly ZipEntry[];
  /** Where the directory begins: everything before it belongs to entries. */
  readonly start: number;
  /** By how much offsets in records are lower than in the file. */
  readonly shift: number;
  readonly comment: Buffer;
}

const endLength = 22;
const unknown16 = 0xffff;
const unknown32 = 0xffffffff;

export function openZip(bytes: Buffer, path: string): Archive | Fault {
  try {
    const zip = readDirectory(bytes, path);
    if (isFault(zip)) return zip;
    return {
      entries: zip.entries,
      read: (entryPath) => readEntry(zip, entryPath),
      replace: async (entryPath, content) => replaceEntry(zip, entryPath, content),
    };
  } catch (error) {
    if (error instanceof RangeError) return damagedArchive(path, "its directory is damaged");
    throw error;
  }
}

function readDirectory(bytes: Buffer, path: string): Zip | Fault {
  const end = findEnd(bytes);
  if (typeof end === "string") return damagedArchive(path, end);
  if (end.count > archiveLimits.entries) return tooManyEntries(path);
  const start = end.directoryEnd - end.size;
  const shift = start - end.offset;
  if (shift < 0) return damagedArchive(path, "its directory is not where it says");
  const entries: ZipEntry[] = [];
  for (let at = start; at < end.directoryEnd && entries.length < end.count; ) {
    const entry = entryAt(bytes, at, shift);
    if (entry === undefined) return damagedArchive(path, "its directory is damaged");
    entries.push(entry);
    at += entry.record.length;
  }
  if (entries.length !== end.count) return damagedArchive(path, "its directory is cut off");
  return { bytes, path, entries, start, shift, comment: end.comment };
}

/** The end record, or what is wrong. */
function findEnd(bytes: Buffer): ZipEnd | string {
  for (let at = bytes.length - endLength; at >= Math.max(0, bytes.length - endLength - unknown16); at -= 1) {
    if (bytes.readUInt32LE(at) !== 0x06054b50) continue;
    const comment = bytes.subarray(at + endLength);
    if (comment.length !== bytes.readUInt16LE(at + 20)) continue;
    const count = bytes.readUInt16LE(at + 10);
    const size = bytes.readUInt32LE(at + 12);
    const offset = bytes.readUInt32LE(at + 16);
    const isLong = count === unknown16 || size === unknown32 || offset === unknown32;
    const long = isLong ? findLongEnd(bytes, at, comment) : undefined;
    if (long !== undefined) return long;
    const disk = bytes.readUInt16LE(at + 4);
    if (disk !== 0 && disk !== unknown16) return "it is one part of an archive in several files";
    return { count, size, offset, directoryEnd: at, comment };
  }
  return "it has no ZIP directory at its end";
}

function findLongEnd(bytes: Buffer, end: number, comment: Buffer): ZipEnd | undefined {
  const locator = end - 20;
  if (locator < 0 || bytes.readUInt32LE(locator) !== 0x07064b50) return undefined;
  // The locator counts from the archive's own start; the record stands just before it.
  for (const at of [Number(bytes.readBigUInt64LE(locator + 8)), locator - 56]) {
    if (at < 0 || at > bytes.length - 56 || bytes.readUInt32LE(at) !== 0x06064b50) continue;
    const long = (field: number) => Number(bytes.readBigUInt64LE(at + field));
    return { count: long(32), size: long(40), offset: long(48), directoryEnd: at, comment };
  }
  return undefined;
}

function entryAt(bytes: Buffer, at: number, shift: number): ZipEntry | undefined {
  const nameEnd = 46 + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const record = bytes.subarray(at, at + extraEnd + bytes.readUInt16LE(at + 32));
  if (record.readUInt32LE(0) !== 0x02014b50) return undefined;
  const flags = record.readUInt16LE(8);
  const name = decodeName(record.subarray(46, nameEnd), (flags & 0x800) !== 0);
  const [size, packedSize, offset] = longFields(record, record.subarray(nameEnd, extraEnd));
  // The upper half are Unix's mode bits where the archive was made there, and zero where not.
  const isLink = ((record.readUInt32LE(38) >>> 16) & 0o170000) === 0o120000;
  return {
    name,
    path: plainEntryPath(name),
    kind: isLink ? "link" : /[/\\]$/.test(name) ? "folder" : "file",
    size,
    target: "",
    method: record.readUInt16LE(10),
    isEncrypted: (flags & 1) !== 0,
    crc: record.readUInt32LE(16),
    packedSize,
    start: offset + shift,
    record,
  };
}

/** Size, packed size and offset, from the zip64 field where the record has no room for them. */
function longFields(record: Buffer, extra: Buffer): [number, number, number] {
  let next: number | undefined;
  for (let at = 0; at + 4 <= extra.length && next === undefined; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) next = at + 4;
  }
  const field = (at: number): number => {
    const value = record.readUInt32LE(at);
    if (value !== unknown32 || next === undefined) return value;
    next += 8;
    return Number(extra.readBigUInt64LE(next - 8));
  };
  return [field(24), field(20), field(42)];
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Names of old programs are in the code page of their machine; most are ASCII or UTF-8 all the same. */
function decodeName(bytes: Buffer, isUtf8: boolean): string {
  if (isUtf8) return bytes.toString("utf8");
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

/** Where an entry's packed bytes are, by its local header. */
function dataOf(
  { bytes, path }: Zip,
  { name, start, packedSize }: ZipEntry,
): { start: number; end: number } | Fault {
  if (start < 0 || start + 30 > bytes.length || bytes.readUInt32LE(start) !== 0x04034b50) {
    return damagedArchive(path, `${name} is not where its directory says`);
  }
  const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  return { start: data, end: data + packedSize };
}

async function readEntry(zip: Zip, entryPath: string): Promise<Uint8Array | Fault> {
  const { bytes, path, entries } = zip;
  const entry = entries.findLast((candidate) => candidate.path === entryPath && candidate.kind === "file");
  if (entry === undefined) return noSuchEntry(path, entryPath);
  const { name, method, size } = entry;
  if (entry.isEncrypted) {
    const suggestion = "Ask the person to unpack it with its password.";
    return new Fault("not_readable", `${name} in ${path} is encrypted.`, suggestion, { path, entry: name });
  }
  if (method !== 0 && method !== 8) {
    const message = `${name} in ${path} is packed with method ${method}; only stored and deflated entries can be read.`;
    return new Fault("not_readable", message, "Unpack it with bash.", { path, entry: name, method });
  }
  if (size > archiveLimits.entryBytes) return entryTooLarge(path, name);
  const data = dataOf(zip, entry);
  if (isFault(data)) return data;
  const packed = bytes.subarray(data.start, data.end);
  if (size > mostUnpacked(packed.length, archiveLimits.entryBytes)) return looksLikeBomb(path);
  const content = method === 0 ? packed : await unpack(packed, entry, path);
  if (isFault(content)) return content;
  if (content.length === size && crc32(content) === entry.crc) return content;
  return damagedArchive(path, `${name} is not what its checksum says`);
}

async function unpack(packed: Buffer, { name, size }: ZipEntry, path: string): Promise<Buffer | Fault> {
  try {
    // One byte more than declared shows an entry that lies about its size.
    return await promisify(inflateRaw)(packed, { maxOutputLength: size + 1 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ERR_BUFFER_TOO_LARGE"
      ? looksLikeBomb(path)
      : damagedArchive(path, `${name} cannot be unpacked`);
  }
}

/** The archive without the old entry and with the new one, which keeps the position in the directory, and its mode. */
function replaceEntry(zip: Zip, entryPath: string, content: Buffer): Buffer | Fault {
  const { bytes, path, entries, start, shift, comment } = zip;
  if (
    entries.length + 1 >= unknown16 ||
    entries.some(({ record }) => record.readUInt32LE(42) === unknown32)
  ) {
    const message = `${path} is a ZIP64 file, or would have more than 65,534 entries, which cannot be written here.`;
    return new Fault("too_large", message, "Use zip in bash.", { path });
  }
  const sorted = entries.toSorted((a, b) => a.start - b.start);
  const parts = [bytes.subarray(0, sorted[0]?.start ?? start)];
  const moved = new Map<ZipEntry, Buffer>();
  let at = parts[0]?.length ?? 0;
  for (const [index, entry] of sorted.entries()) {
    const next = sorted[index + 1]?.start ?? start;
    const data = dataOf(zip, entry);
    if (isFault(data)) return data;
    if (data.end > next) return damagedArchive(path, "its entries overlap");
    if (entry.path === entryPath) continue;
    moved.set(entry, recordAt(entry.record, at - shift));
    parts.push(bytes.subarray(entry.start, next));
    at += next - entry.start;
  }
  const old = entries.findLast((entry) => entry.path === entryPath);
  const attrs = old?.record.readUInt32LE(38) ?? (0o100644 << 16) >>> 0;
  const made = Buffer.from(zipSync({ [entryPath]: [content, { os: old?.record[5] ?? 3, attrs }] }));
  const directory = made.readUInt32LE(made.length - 6);
  const record = recordAt(made.subarray(directory, -endLength), at - shift);
  parts.push(made.subarray(0, directory));
  const records = entries.flatMap((entry) => (entry === old ? record : (moved.get(entry) ?? [])));
  if (old === undefined) records.push(record);
  const end = Buffer.from(made.subarray(-endLength));
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(Buffer.concat(records).length, 12);
  end.writeUInt32LE(at + directory - shift, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...records, end, comment]);
}

function recordAt(record: Buffer, offset: number): Buffer {
  const moved = Buffer.from(record);
  moved.writeUInt32LE(offset, 42);
  return moved;
}
