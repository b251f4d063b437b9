// Bytes that can be read from any place: of a file that is open, or of memory.

import { readSync } from "node:fs";

export interface ByteSource {
  readonly size: number;
  /** Exactly these bytes; fewer only where the end comes first. */
  read(offset: number, length: number): Buffer;
}

export function descriptorSource(descriptor: number, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
  };
}

export function memorySource(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: buffer.length, read: (offset, length) => buffer.subarray(offset, offset + length) };
}
