// How many files of a repository differ from its index, by their size and time, as git itself looks first. Git is not started (see
// git-branch.ts), and no content is read: a file that was only touched counts until git has looked at it.
//
//   index    "DIRC" version(2 or 3) count, then entries
//   entry    ctime(8) mtime(8) dev ino mode(4) uid gid size(4) hash(20) flags(2) [more flags(2)] name NUL, padded to 8 bytes

import { lstat, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

interface IndexedFile {
  readonly name: string;
  readonly seconds: number;
  readonly size: number;
}

/** About 50,000 files; looking at more of them is not cheap any more. */
const mostBytes = 5 * 1024 ** 2;
const atOnce = 32;
const fixedBytes = 62;

/** Undefined where that is not known: no index, a large one, or one in another form. */
export async function changedFiles(gitFolder: string, worktree: string): Promise<number | undefined> {
  const files = await indexedFiles(join(gitFolder, "index"));
  if (files === undefined) return undefined;
  let changed = 0;
  for (let at = 0; at < files.length; at += atOnce) {
    const looked = await Promise.all(files.slice(at, at + atOnce).map((file) => isChanged(file, worktree)));
    changed += looked.filter(Boolean).length;
  }
  return changed;
}

async function isChanged({ name, seconds, size }: IndexedFile, worktree: string): Promise<boolean> {
  const found = await lstat(join(worktree, name)).catch(() => undefined);
  if (found === undefined) return true;
  // A submodule.
  if (found.isDirectory()) return false;
  return found.size !== size || Math.floor(found.mtimeMs / 1000) !== seconds;
}

async function indexedFiles(path: string): Promise<IndexedFile[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size > mostBytes) return undefined;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? undefined : parseIndex(bytes);
}

export function parseIndex(bytes: Buffer): IndexedFile[] | undefined {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const count = bytes.readUInt32BE(8);
  const files: IndexedFile[] = [];
  let at = 12;
  for (let index = 0; index < count; index += 1) {
    if (at + fixedBytes > bytes.length) return undefined;
    const hasMore = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    const start = at + fixedBytes + (hasMore ? 2 : 0);
    const end = bytes.indexOf(0, start);
    if (end < 0) return undefined;
    files.push({
      name: bytes.toString("utf8", start, end),
      seconds: bytes.readUInt32BE(at + 8),
      size: bytes.readUInt32BE(at + 36),
    });
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return files;
}
