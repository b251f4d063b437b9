// The directory at the end of a ZIP file (APPNOTE 4.3): its entries, without touching what they hold.
//
//   [entries …] [central directory] [zip64 end record] [zip64 locator] [end record + comment]
//
// The end record says where the directory is. Something may stand before the first entry (a program that unpacks itself), so
// all places are counted from where the directory really is. Sizes of 0xffffffff stand in a zip64 extra field.

import { type Fault, isFault } from "@stet/protocol/fault";
import {
  type ArchiveEntry,
  archiveLimits,
  damagedArchive,
  plainEntryPath,
  tooManyEntries,
} from "./archive.ts";
import type { ByteSource } from "./byte-source.ts";

export interface ZipEntry extends ArchiveEntry {
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedSize: number;
  readonly crc: number;
  /** Of its local header, from the start of the file. */
  readonly offset: number;
  /** The whole record of the central directory. */
  readonly record: Buffer;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Where the directory begins: everything before it belongs to entries. */
  readonly start: number;
  /** By how much places in records are lower than in the file. */
  readonly shift: number;
  readonly comment: Buffer;
}

const maxDirectoryBytes = 64 * 1024 * 1024;
const endLength = 22;
const maxComment = 0xffff;
const unknown32 = 0xffffffff;

export function readZipDirectory(source: ByteSource, path: string): ZipDirectory | Fault {
  const end = findEnd(source, path);
  if (isFault(end)) return end;
  const { count, size, offset, recordAt, comment } = end;
  if (count > archiveLimits.entries) return tooManyEntries(path);
  const start = recordAt - size;
  if (size > maxDirectoryBytes || start < 0 || offset > start) {
    return damagedArchive(path, "its directory is not where it says");
  }
  const bytes = source.read(start, size);
  const shift = start - offset;
  const entries: ZipEntry[] = [];
  for (let at = 0; at < bytes.length && entries.length < count; ) {
    const entry = readRecord(bytes, at, shift);
    if (entry === undefined) return damagedArchive(path, "its directory is damaged");
    entries.push(entry);
    at += entry.record.length;
  }
  if (entries.length !== count) return damagedArchive(path, "its directory is cut off");
  return { entries, start, shift, comment };
}

interface End {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
  /** Where the directory ends. */
  readonly recordAt: number;
  readonly comment: Buffer;
}

function findEnd(source: ByteSource, path: string): End | Fault {
  const tail = source.read(
    Math.max(0, source.size - endLength - maxComment),
    Math.min(source.size, endLength + maxComment),
  );
  const tailAt = source.size - tail.length;
  for (let at = tail.length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    const commentLength = tail.readUInt16LE(at + 20);
    if (at + endLength + commentLength !== tail.length) continue;
    const comment = tail.subarray(at + endLength);
    const disk = tail.readUInt16LE(at + 4);
    const plain: End = {
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
      recordAt: tailAt + at,
      comment,
    };
    const isLong = plain.count === 0xffff || plain.size === unknown32 || plain.offset === unknown32;
    const long = isLong ? findLongEnd(source, plain) : undefined;
    if (long === undefined && disk !== 0 && disk !== 0xffff) {
      return damagedArchive(path, "it is one part of an archive in several files");
    }
    return long ?? plain;
  }
  return damagedArchive(path, "it has no ZIP directory at its end");
}

function findLongEnd(source: ByteSource, { recordAt, comment }: End): End | undefined {
  if (recordAt < 20) return undefined;
  const locator = source.read(recordAt - 20, 20);
  if (locator.readUInt32LE(0) !== 0x07064b50) return undefined;
  // The locator counts from the archive's own start; the record stands just before it.
  const places = [Number(locator.readBigUInt64LE(8)), recordAt - 20 - 56];
  for (const place of places) {
    const record = place >= 0 && place <= source.size - 56 ? source.read(place, 56) : undefined;
    if (record?.readUInt32LE(0) !== 0x06064b50) continue;
    return {
      count: Number(record.readBigUInt64LE(32)),
      size: Number(record.readBigUInt64LE(40)),
      offset: Number(record.readBigUInt64LE(48)),
      recordAt: place,
      comment,
    };
  }
  return undefined;
}

function readRecord(bytes: Buffer, at: number, shift: number): ZipEntry | undefined {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return undefined;
  const nameLength = bytes.readUInt16LE(at + 28);
  const extraLength = bytes.readUInt16LE(at + 30);
  const length = 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  if (at + length > bytes.length) return undefined;
  const record = bytes.subarray(at, at + length);
  const flags = record.readUInt16LE(8);
  const name = decodeName(record.subarray(46, 46 + nameLength), (flags & 0x800) !== 0);
  const long = longFields(record, record.subarray(46 + nameLength, 46 + nameLength + extraLength));
  if (long === undefined) return undefined;
  // The upper half are Unix's mode bits where the archive was made there, and zero where not.
  const mode = record.readUInt32LE(38) >>> 16;
  const isLink = (mode & 0o170000) === 0o120000;
  return {
    name,
    path: plainEntryPath(name),
    kind: isLink ? "link" : /[/\\]$/.test(name) ? "folder" : "file",
    size: long.size,
    target: "",
    method: record.readUInt16LE(10),
    isEncrypted: (flags & 1) !== 0,
    packedSize: long.packedSize,
    crc: record.readUInt32LE(16),
    offset: long.offset + shift,
    record,
  };
}

/** Sizes and place, from the zip64 field where the record has no room for them. */
function longFields(
  record: Buffer,
  extra: Buffer,
): { size: number; packedSize: number; offset: number } | undefined {
  const values = [record.readUInt32LE(24), record.readUInt32LE(20), record.readUInt32LE(42)];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    let next = 0;
    for (const [index, value] of values.entries()) {
      if (value !== unknown32) continue;
      if (next + 8 > field.length) return undefined;
      values[index] = Number(field.readBigUInt64LE(next));
      next += 8;
    }
    break;
  }
  const [size = 0, packedSize = 0, offset = 0] = values;
  return { size, packedSize, offset };
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
