// Results of a search and names of a list, proved before they are shown.
//
// ripgrep opens files by their paths. Between its look at a folder and its opening of a file in there, a running command can put
// a link to another folder in the folder's place; then ripgrep reads what is outside of the root. So every file of the results is
// opened again as all reading of ours is (files.ts: no last link is followed, and the descriptor is proved to be inside the root),
// and the very bytes that ripgrep told of have to be there, at the offset that it told. What is not is not shown.

import { hash } from "node:crypto";
import { closeSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import type { Root } from "../files/containment.ts";
import { type Opened, openRegular } from "../files/files.ts";
import { withFolder } from "../files/folders.ts";

/** Lines as ripgrep told them. */
export interface ProvenPiece {
  /** Bytes from the start of the text: without a byte order mark, and in UTF-8 whatever the file is in. */
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

export function pieceOf(bytes: Uint8Array, offset: number): ProvenPiece {
  return { offset, length: bytes.length, hash: hash("sha1", bytes, "base64") };
}

/** What ripgrep converts before it searches is read as a whole to be compared; a larger one is not shown. */
const maxConverted = 64 * 1024 ** 2;

/** Those of the results whose pieces all stand in their files. */
export function provedResults<Result extends { file_path: string; pieces: readonly ProvenPiece[] }>(
  root: Root,
  results: readonly Result[],
): Result[] {
  const byFile = Map.groupBy(results, ({ file_path }) => file_path);
  const proved = new Set<Result>();
  for (const [path, found] of byFile) {
    const file = openInside(root, path);
    if (file === undefined) continue;
    try {
      const text = textOf(file);
      for (const result of found) {
        if (result.pieces.every((piece) => isThere(text, piece))) proved.add(result);
      }
    } catch {
      // It cannot be read any more, so nothing of it can be proved.
    } finally {
      closeSync(file.descriptor);
    }
  }
  return results.filter((result) => proved.has(result));
}

/** Those of the paths that are names in folders of the root, as the folders themselves say once they are opened and proved. */
export function provedPaths(root: Root, paths: readonly string[]): string[] {
  const names = new Map<string, ReadonlySet<string>>();
  return paths.filter((path) => {
    const slash = path.lastIndexOf("/");
    const folder = slash < 0 ? "." : path.slice(0, slash);
    let known = names.get(folder);
    if (known === undefined) {
      known = namesIn(root, folder);
      names.set(folder, known);
    }
    return known.has(path.slice(slash + 1));
  });
}

function namesIn(root: Root, folder: string): ReadonlySet<string> {
  const names = withFolder(root, join(root.path, folder), ({ entry }) => readdirSync(entry("")));
  return new Set(isFault(names) ? [] : names);
}

/** The path as ripgrep walked it has no links in it; one that has some now is proved by where its descriptor leads. */
function openInside(root: Root, path: string): Opened | undefined {
  const opened = openRegular(root, { path, absolute: join(root.path, path), exists: true });
  return isFault(opened) ? undefined : opened;
}

/** Reads bytes of a text as ripgrep counts them. */
type ReadText = (offset: number, length: number) => Uint8Array;

function textOf({ descriptor, stats }: Opened): ReadText {
  const [first, second, third] = readAt(descriptor, 0, 3);
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : undefined;
  if (encoding !== undefined) {
    const size = Number(stats.size);
    const text = size > maxConverted ? "" : new TextDecoder(encoding).decode(readAt(descriptor, 0, size));
    const bytes = Buffer.from(text);
    return (offset, length) => bytes.subarray(offset, offset + length);
  }
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  return (offset, length) => readAt(descriptor, start + offset, length);
}

function isThere(read: ReadText, { offset, length, hash: wanted }: ProvenPiece): boolean {
  const bytes = read(offset, length);
  return bytes.length === length && hash("sha1", bytes, "base64") === wanted;
}

function readAt(descriptor: number, from: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
