// What one entry of a ZIP file holds. Only its own bytes are read, and no more is unpacked than is allowed.

import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { Fault, isFault } from "@stet/protocol/fault";
import { archiveLimits, damagedArchive, entryTooLarge, isSuspicious, looksLikeBomb } from "./archive.ts";
import type { ByteSource } from "./byte-source.ts";
import type { ZipEntry } from "./zip-directory.ts";

const inflate = promisify(inflateRaw);

export async function readZipEntry(
  source: ByteSource,
  entry: ZipEntry,
  path: string,
  maxBytes: number = archiveLimits.entryBytes,
): Promise<Uint8Array | Fault> {
  const { name, method, size, packedSize } = entry;
  if (entry.isEncrypted) {
    return new Fault(
      "not_readable",
      `${name} in ${path} is encrypted.`,
      "Ask the person to unpack it with its password.",
      { path, entry: name },
    );
  }
  if (method !== 0 && method !== 8) {
    const message = `${name} in ${path} is packed with method ${method}; only stored and deflated entries can be read.`;
    return new Fault("not_readable", message, "Unpack it with bash.", { path, entry: name, method });
  }
  if (size > maxBytes || packedSize > maxBytes) return entryTooLarge(path, name);
  if (isSuspicious(size, packedSize)) return looksLikeBomb(path);
  const packed = readPacked(source, entry, path);
  if (isFault(packed)) return packed;
  const bytes = await unpack(packed, entry, path, maxBytes);
  if (isFault(bytes)) return bytes;
  if (bytes.length !== size || crc32(bytes) !== entry.crc) {
    return damagedArchive(path, `${name} is not what its checksum says`);
  }
  return bytes;
}

/** Where the packed bytes begin, from the entry's local header. */
export function packedStart(source: ByteSource, entry: ZipEntry, path: string): number | Fault {
  const header = source.read(entry.offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) {
    return damagedArchive(path, `${entry.name} is not where its directory says`);
  }
  return entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function readPacked(source: ByteSource, entry: ZipEntry, path: string): Buffer | Fault {
  const start = packedStart(source, entry, path);
  if (isFault(start)) return start;
  const packed = source.read(start, entry.packedSize);
  return packed.length === entry.packedSize ? packed : damagedArchive(path, `${entry.name} is cut off`);
}

async function unpack(
  packed: Buffer,
  { name, method, size }: ZipEntry,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | Fault> {
  if (method === 0) return packed;
  try {
    // One byte more than declared shows an entry that lies about its size.
    return await inflate(packed, { maxOutputLength: Math.min(size + 1, maxBytes) });
  } catch (error) {
    const isLarger =
      error instanceof RangeError ||
      (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE");
    if (isLarger) return size >= maxBytes ? entryTooLarge(path, name) : looksLikeBomb(path);
    return damagedArchive(path, `${name} cannot be unpacked`);
  }
}
