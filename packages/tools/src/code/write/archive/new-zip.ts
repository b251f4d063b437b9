// A ZIP file with one entry put in or replaced. All other entries keep their bytes and their records; only the places in
// their records move where the replaced entry stood before them.

import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { damagedArchive } from "../../read/archive/archive.ts";
import type { ByteSource } from "../../read/archive/byte-source.ts";
import type { ZipDirectory, ZipEntry } from "../../read/archive/zip-directory.ts";
import { packedStart } from "../../read/archive/zip-entry.ts";

const deflate = promisify(deflateRaw);
const most32 = 0xffffffff;
const most16 = 0xffff;
const copyBytes = 1024 * 1024;

interface Region {
  readonly entry: ZipEntry;
  readonly start: number;
  readonly end: number;
}

/** The chunks of the new file. */
export async function newZip(
  source: ByteSource,
  directory: ZipDirectory,
  path: string,
  entryPath: string,
  content: Buffer,
): Promise<AsyncGenerator<Uint8Array> | Fault> {
  const regions = regionsOf(source, directory, path);
  if (isFault(regions)) return regions;
  const old = directory.entries.filter((entry) => entry.path === entryPath);
  if (source.size + content.length + 1024 > most32 || directory.entries.length + 1 >= most16) {
    return new Fault(
      "too_large",
      `${path} would have more than 4 GB or 65,534 entries, which cannot be written here.`,
      "Use zip in bash.",
      { path },
    );
  }
  const entry = await newEntry(entryPath, content, old.at(-1));
  return chunksOf(source, directory, regions, new Set(old), entry);
}

/** What stands between the entries' starts; each entry's bytes lie in its own region. */
function regionsOf(source: ByteSource, { entries, start }: ZipDirectory, path: string): Region[] | Fault {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  const regions: Region[] = [];
  for (const [index, entry] of sorted.entries()) {
    const packed = packedStart(source, entry, path);
    if (isFault(packed)) return packed;
    const end = sorted[index + 1]?.offset ?? start;
    if (packed + entry.packedSize > end) return damagedArchive(path, "its entries overlap");
    regions.push({ entry, start: entry.offset, end });
  }
  return regions;
}

async function* chunksOf(
  source: ByteSource,
  { entries, shift, start, comment }: ZipDirectory,
  regions: readonly Region[],
  old: ReadonlySet<ZipEntry>,
  made: NewEntry,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  const first = regions[0]?.start ?? start;
  yield* copied(source, 0, first);
  at += first;
  const places = new Map<ZipEntry, number>();
  for (const region of regions) {
    if (old.has(region.entry)) continue;
    places.set(region.entry, at);
    yield* copied(source, region.start, region.end);
    at += region.end - region.start;
  }
  const madeAt = at;
  yield made.local;
  yield made.packed;
  at += made.local.length + made.packed.length;
  const directoryAt = at;
  const records: Buffer[] = [];
  let isPut = false;
  for (const entry of entries) {
    const place = places.get(entry);
    if (place !== undefined) records.push(movedRecord(entry.record, place - shift));
    else if (!isPut) {
      isPut = true;
      records.push(made.record(madeAt - shift));
    }
  }
  if (!isPut) records.push(made.record(madeAt - shift));
  for (const record of records) {
    yield record;
    at += record.length;
  }
  yield endRecord(records.length, at - directoryAt, directoryAt - shift, comment);
}

function* copied(source: ByteSource, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < end; at += copyBytes) yield source.read(at, Math.min(copyBytes, end - at));
}

/** The record with another place; it may stand in the zip64 field. */
function movedRecord(record: Buffer, place: number): Buffer {
  const moved = Buffer.from(record);
  if (moved.readUInt32LE(42) !== most32) {
    moved.writeUInt32LE(place, 42);
    return moved;
  }
  const nameLength = moved.readUInt16LE(28);
  const extraEnd = 46 + nameLength + moved.readUInt16LE(30);
  for (let at = 46 + nameLength; at + 4 <= extraEnd; at += 4 + moved.readUInt16LE(at + 2)) {
    if (moved.readUInt16LE(at) !== 1) continue;
    // Sizes that have no room in the record come before the place.
    const before = [24, 20].filter((field) => moved.readUInt32LE(field) === most32).length;
    moved.writeBigUInt64LE(BigInt(place), at + 4 + before * 8);
  }
  return moved;
}

interface NewEntry {
  readonly local: Buffer;
  readonly packed: Buffer;
  record(place: number): Buffer;
}

async function newEntry(path: string, content: Buffer, old: ZipEntry | undefined): Promise<NewEntry> {
  const deflated = await deflate(content);
  const isSmaller = deflated.length < content.length;
  const packed = isSmaller ? deflated : content;
  const name = Buffer.from(path);
  // Version, flags (names are UTF-8), method, time, checksum and sizes: the same in both headers.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(0x800, 2);
  shared.writeUInt16LE(isSmaller ? 8 : 0, 4);
  shared.writeUInt32LE(dosTime(new Date()), 6);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  return {
    local: Buffer.concat([Buffer.from("PK\x03\x04"), shared, name]),
    packed,
    record(place) {
      const head = Buffer.alloc(6);
      head.write("PK\x01\x02", "latin1");
      // Made on Unix, so that the mode counts; a replaced entry keeps where it was made and its mode.
      head.writeUInt16LE(old?.record.readUInt16LE(4) ?? 0x0314, 4);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(old?.record.readUInt32LE(38) ?? (0o100644 << 16) >>> 0, 6);
      tail.writeUInt32LE(place, 10);
      return Buffer.concat([head, shared, tail, name]);
    },
  };
}

function endRecord(count: number, size: number, offset: number, comment: Buffer): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}

function dosTime(time: Date): number {
  const date =
    ((Math.max(time.getFullYear(), 1980) - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}
