// The gitlinks of an index: entries that stand for a repository of their own in a folder (submodules). Read without git.
//
//   DIRC, version, count; then per entry 40 bytes of stat data (the mode at 24), the object's hash, two bytes of flags,
//   two more where flags say so, and the name up to NUL: padded to eight bytes (versions 2 and 3), or as the number of
//   bytes to drop from the name before and what to add (version 4). Extensions follow; `link` names a shared index.
//
// An index that cannot be read has the links that were found up to there.

import { dirname, join } from "node:path";
import { bytesOf } from "./guard-path.ts";

const maxIndexBytes = 256 * 1024 * 1024;
const gitlinkMode = Buffer.from([0, 0, 0xe0, 0]);

/** Folders relative to the working tree. `hashBytes` is 20, or 32 in a repository of SHA-256. */
export function gitlinksOf(path: string, hashBytes = 20): string[] {
  const data = bytesOf(path, maxIndexBytes);
  if (data === undefined) return [];
  const { links, extensions } = entriesOf(data, hashBytes);
  const shared = sharedIndex(data, extensions, hashBytes);
  const inShared =
    shared === undefined ? undefined : bytesOf(join(dirname(path), `sharedindex.${shared}`), maxIndexBytes);
  return inShared === undefined ? links : [...links, ...entriesOf(inShared, hashBytes).links];
}

function entriesOf(data: Buffer, hashBytes: number): { links: string[]; extensions: number | undefined } {
  const links: string[] = [];
  if (data.length < 12 || data.toString("latin1", 0, 4) !== "DIRC") return { links, extensions: undefined };
  const version = data.readUInt32BE(4);
  // Nearly every index has none, and this is a hundred times as fast as reading its entries.
  const hasLinks = data.includes(gitlinkMode, 12);
  if (!hasLinks && !data.includes("link", 12, "latin1")) return { links, extensions: undefined };
  let offset = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let left = data.readUInt32BE(8); left > 0; left -= 1) {
    const start = offset;
    offset += 40 + hashBytes;
    if (offset + 2 > data.length) return { links, extensions: undefined };
    offset += data.readUInt16BE(offset) & 0x4000 ? 4 : 2;
    if (version === 4) {
      const { value, next } = varint(data, offset);
      const end = data.indexOf(0, next);
      if (end === -1) return { links, extensions: undefined };
      name = Buffer.concat([name.subarray(0, Math.max(0, name.length - value)), data.subarray(next, end)]);
      offset = end + 1;
    } else {
      const end = data.indexOf(0, offset);
      if (end === -1) return { links, extensions: undefined };
      name = data.subarray(offset, end);
      offset = start + Math.ceil((end + 1 - start) / 8) * 8;
    }
    if ((data.readUInt32BE(start + 24) & 0xf000) === 0xe000) links.push(name.toString("utf8"));
  }
  return { links, extensions: offset };
}

/** As in packs: each further byte counts one more than its bits say. */
function varint(data: Buffer, start: number): { value: number; next: number } {
  let next = start;
  let byte = data[next++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = data[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}

function sharedIndex(data: Buffer, start: number | undefined, hashBytes: number): string | undefined {
  let offset = start;
  while (offset !== undefined && offset + 8 <= data.length - hashBytes) {
    const size = data.readUInt32BE(offset + 4);
    if (data.toString("latin1", offset, offset + 4) === "link") {
      return data.toString("hex", offset + 8, offset + 8 + hashBytes);
    }
    offset += 8 + size;
  }
  return undefined;
}
