// The parts of a document that is a ZIP file, unpacked within limits.
//
// Parts of office documents are XML without a document type: a declaration could define entities that grow without end, so a
// part that has one is refused, whatever the parser would make of it.

import { isFault } from "@stet/protocol/fault";
import { openZip } from "../archive/zip.ts";

const maxTotalBytes = 256 * 1024 * 1024;

/** Parts by path, those that are wanted. Throws where they cannot be had. */
export async function documentParts(
  bytes: Uint8Array,
  isWanted: (path: string) => boolean,
): Promise<Map<string, Uint8Array>> {
  if (startsWith(bytes, "d0cf11e0"))
    throw new Error("it is encrypted with a password, or an older kind of document");
  const archive = openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), "the file");
  if (isFault(archive)) throw new Error(archive.message.replace(/\.$/, ""));
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  for (const entry of archive.entries) {
    if (entry.path === undefined || entry.kind !== "file" || !isWanted(entry.path)) continue;
    total += entry.size;
    if (total > maxTotalBytes) throw new Error("it unpacks to more than can be handled");
    const part = await archive.read(entry.path);
    if (isFault(part)) throw new Error(part.message.replace(/\.$/, ""));
    parts.set(entry.path, part);
  }
  return parts;
}

/** Parts of an office document: XML and what tells how they belong together. */
export async function officeParts(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const parts = await documentParts(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  for (const [path, part] of parts) {
    // Without zero bytes a declaration in UTF-16 looks the same.
    const text = Buffer.from(part).toString("latin1").replaceAll("\0", "");
    if (/<!DOCTYPE|<!ENTITY/i.test(text))
      throw new Error(`${path} declares entities, which documents do not`);
  }
  if (!parts.has("[Content_Types].xml")) throw new Error("it is a ZIP file, but not an office document");
  return parts;
}

/** The parts as a ZIP file again: for libraries that unpack themselves, without limits. */
export async function repacked(parts: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const { zipSync } = await import("fflate");
  return Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
}

export function partText(parts: ReadonlyMap<string, Uint8Array>, path: string): string | undefined {
  const part = parts.get(path);
  if (part === undefined) return undefined;
  const isUtf16 = startsWith(part, "fffe") || startsWith(part, "feff");
  return new TextDecoder(isUtf16 ? (part[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(part);
}

export function startsWith(bytes: Uint8Array, hex: string): boolean {
  return Buffer.from(bytes.subarray(0, hex.length / 2)).toString("hex") === hex;
}
