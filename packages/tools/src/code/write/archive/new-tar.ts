// A tar file with one entry put in or replaced. All other entries are copied block by block, headers included.

import { buffer } from "node:stream/consumers";
import type { ByteReader } from "../../read/archive/byte-reader.ts";
import { blockSize, DamagedTar, type TarItem, tarItems } from "../../read/archive/tar.ts";

const copyBytes = 1024 * 1024;

/** The chunks of the new file. A replaced entry keeps its place, since a link may come behind what it leads to. */
export async function* newTar(
  reader: ByteReader | undefined,
  entryPath: string,
  content: Buffer,
): AsyncGenerator<Uint8Array> {
  let isPut = false;
  if (reader !== undefined) {
    for await (const item of tarItems(reader)) {
      if (item.entry.path !== entryPath) {
        yield item.headers;
        yield* copied(reader, item.stored);
        continue;
      }
      await reader.skip(item.stored);
      if (isPut) continue;
      isPut = true;
      yield await newEntry(entryPath, content, item);
    }
  }
  if (!isPut) yield await newEntry(entryPath, content, undefined);
  yield Buffer.alloc(2 * blockSize);
}

async function* copied(reader: ByteReader, length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; ) {
    const chunk = await reader.take(Math.min(copyBytes, left));
    if (chunk.length === 0) throw new DamagedTar("it is cut off");
    left -= chunk.length;
    yield chunk;
  }
}

async function newEntry(path: string, content: Buffer, old: TarItem | undefined): Promise<Buffer> {
  const { pack } = await import("tar-stream");
  const stream = pack();
  const owner = old === undefined ? { mode: 0o644 } : ownerIn(old.headers);
  stream.entry({ name: path, size: content.length, mtime: new Date(), type: "file", ...owner }, content);
  stream.finalize();
  // The two empty blocks that end it come behind all entries.
  return (await buffer(stream)).subarray(0, -2 * blockSize);
}

/** What the entry's own header, the last of them, says of its mode and owner. */
function ownerIn(headers: Buffer): { mode: number; uid: number; gid: number; uname: string; gname: string } {
  const header = headers.subarray(-blockSize);
  const text = (at: number, length: number) => {
    return (
      header
        .toString("latin1", at, at + length)
        .split("\0")[0]
        ?.trim() ?? ""
    );
  };
  const octal = (at: number) => Number.parseInt(text(at, 8), 8) || 0;
  return {
    mode: octal(100) & 0o7777,
    uid: octal(108),
    gid: octal(116),
    uname: text(265, 32),
    gname: text(297, 32),
  };
}
