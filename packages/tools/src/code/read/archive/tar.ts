// The entries of a tar file, one after another (POSIX ustar and pax, GNU long names).
//
//   header (512 bytes) [data, filled up to 512]      … two empty blocks at the end
//
// A header of kind x or g (pax) or L, K (GNU) says something of the header behind it: a longer name, a larger size. Such
// headers are held in memory, so they may only be small. All headers of an entry are kept as they are, for copying it.

import { type ArchiveEntry, archiveLimits, plainEntryPath } from "./archive.ts";
import type { ByteReader } from "./byte-reader.ts";

export interface TarItem {
  readonly entry: ArchiveEntry;
  /** All headers that belong to the entry, byte for byte. */
  readonly headers: Buffer;
  /** The data's length in the archive, filled up to whole blocks. */
  readonly stored: number;
}

export class DamagedTar extends Error {}
export class TooManyEntries extends Error {}

export const blockSize = 512;
const maxHeaderBytes = 1024 * 1024;

/** Whoever gets an item takes or skips exactly `stored` bytes from the reader before asking for the next. */
export async function* tarItems(reader: ByteReader): AsyncGenerator<TarItem> {
  let count = 0;
  let headers: Buffer[] = [];
  let told: Readonly<Record<string, string>> = {};
  let always: Readonly<Record<string, string>> = {};
  for (;;) {
    const block = await reader.take(blockSize);
    if (block.length === 0 || block.every((byte) => byte === 0)) return;
    if (block.length < blockSize || !isHeader(block)) throw new DamagedTar("a header is damaged or cut off");
    count += 1;
    if (count > archiveLimits.entries) throw new TooManyEntries();
    const type = String.fromCharCode(block[156] ?? 0);
    const declared = numberAt(block, 124, 12);
    if (!Number.isSafeInteger(declared)) throw new DamagedTar("an entry has an impossible size");
    if ("xgLK".includes(type)) {
      if (declared > maxHeaderBytes)
        throw new DamagedTar("a header is larger than any that is meant seriously");
      const data = await reader.take(padded(declared));
      if (data.length < padded(declared)) throw new DamagedTar("it is cut off");
      headers.push(block, data);
      const content = data.subarray(0, declared);
      if (type === "g") always = { ...always, ...paxRecords(content) };
      else if (type === "x") told = { ...told, ...paxRecords(content) };
      else told = { ...told, [type === "L" ? "path" : "linkpath"]: textOf(content) };
      continue;
    }
    headers.push(block);
    const item = itemOf(block, type, declared, { ...always, ...told }, Buffer.concat(headers));
    headers = [];
    told = {};
    yield item;
  }
}

function itemOf(
  block: Buffer,
  type: string,
  declared: number,
  told: Readonly<Record<string, string>>,
  headers: Buffer,
): TarItem {
  const prefix = block.toString("latin1", 257, 262) === "ustar" ? textOf(block.subarray(345, 500)) : "";
  const short = textOf(block.subarray(0, 100));
  const isGnu = block.toString("latin1", 257, 265) === "ustar  \0";
  const name = told.path ?? (prefix === "" || isGnu ? short : `${prefix}/${short}`);
  const size = told.size === undefined ? declared : Number(told.size);
  if (!Number.isSafeInteger(size) || size < 0) throw new DamagedTar("an entry has an impossible size");
  const kind = kindOf(type, name);
  // Links and folders have no data, whatever their size says.
  const hasData = kind === "file" || kind === "other";
  const entry: ArchiveEntry = {
    name,
    path: plainEntryPath(name),
    kind,
    size: hasData ? size : 0,
    target: kind === "link" ? (told.linkpath ?? textOf(block.subarray(157, 257))) : "",
  };
  return { entry, headers, stored: hasData && !"346".includes(type) ? padded(size) : 0 };
}

function kindOf(type: string, name: string): ArchiveEntry["kind"] {
  if (type === "5") return "folder";
  if (type === "1" || type === "2") return "link";
  if (type === "0" || type === "\0" || type === "7") return name.endsWith("/") ? "folder" : "file";
  return "other";
}

export function padded(size: number): number {
  return Math.ceil(size / blockSize) * blockSize;
}

/** The sum of all bytes, with the sum's own field as spaces. */
function isHeader(block: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < blockSize; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum === numberAt(block, 148, 8);
}

/** Octal digits, or with the first bit set a binary number. */
function numberAt(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) === 0) {
    const digits = textOf(block.subarray(at, at + length)).trim();
    return digits === "" ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  }
  let value = 0n;
  for (const [index, byte] of block.subarray(at, at + length).entries()) {
    value = value * 256n + BigInt(index === 0 ? byte & 0x7f : byte);
  }
  return Number(value);
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

/** `<length> <key>=<value>\n`, the length counting the whole record. */
function paxRecords(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = space < 0 ? Number.NaN : Number(bytes.toString("latin1", at, space));
    if (!Number.isInteger(length) || length < 5 || at + length > bytes.length) break;
    const record = bytes.toString("utf8", space + 1, at + length - 1);
    const equals = record.indexOf("=");
    if (equals > 0) records[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return records;
}
