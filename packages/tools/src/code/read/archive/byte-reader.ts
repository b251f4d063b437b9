// Bytes that come one after another: a file from its start, unpacked where it is packed. What is skipped in a plain file is
// not even read.

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { archiveLimits, isSuspicious } from "./archive.ts";
import { type ByteSource, descriptorSource } from "./byte-source.ts";

/** Thrown where more is unpacked than is allowed; the reader of the archive makes a fault of it. */
export class TooMuchUnpacked extends Error {}

export interface ByteReader {
  /** The next bytes; fewer than asked for only at the end. */
  take(length: number): Promise<Buffer>;
  skip(length: number): Promise<void>;
  close(): void;
}

export function plainReader(descriptor: number, size: number): ByteReader {
  const source = descriptorSource(descriptor, size);
  let at = 0;
  return {
    async take(length) {
      const bytes = source.read(at, length);
      at += bytes.length;
      return bytes;
    },
    async skip(length) {
      at = Math.min(size, at + length);
    },
    close() {},
  };
}

export function gzipReader(descriptor: number, size: number): ByteReader {
  // A stream of the descriptor itself would close it at its end, which is for whoever opened it to do.
  const file = Readable.from(chunksOf(descriptorSource(descriptor, size)));
  const unpacked = createGunzip({ chunkSize: chunkBytes });
  file.on("error", (error) => unpacked.destroy(error));
  file.pipe(unpacked);
  const chunks: AsyncIterator<Buffer> = unpacked[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let total = 0;
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done) return false;
    rest = next.value;
    total += rest.length;
    if (total > archiveLimits.totalBytes || isSuspicious(total, size)) throw new TooMuchUnpacked();
    return true;
  };
  return {
    async take(length) {
      const parts: Buffer[] = [];
      let wanted = length;
      while (wanted > 0 && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, wanted);
        rest = rest.subarray(part.length);
        wanted -= part.length;
        parts.push(part);
      }
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    },
    async skip(length) {
      let wanted = length;
      while (wanted > 0 && (rest.length > 0 || (await more()))) {
        const count = Math.min(wanted, rest.length);
        rest = rest.subarray(count);
        wanted -= count;
      }
    },
    close() {
      file.destroy();
      unpacked.destroy();
    },
  };
}

const chunkBytes = 256 * 1024;

function* chunksOf(source: ByteSource): Generator<Buffer> {
  for (let at = 0; at < source.size; at += chunkBytes) yield source.read(at, chunkBytes);
}
