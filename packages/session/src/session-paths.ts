// Where sessions are: `<data>/sessions/--<cwd>--/<timestamp>_<id>.jsonl`, with `<timestamp>_<id>/` beside it for the
// artifacts of that session.
//
// The name of a project's folder is its working directory without the first slash, with "-" for "/", "\" and ":".
// Two directories can get the same name (`/a-b`, `/a/b`), so the header of a session decides whose it is.

import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";

/** Most file systems take names of 255 bytes. */
const maxNameBytes = 200;

export function projectFolderName(cwd: string): string {
  const encoded = resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:]/g, "-");
  if (Buffer.byteLength(encoded) <= maxNameBytes) return `--${encoded}--`;
  const hash = createHash("sha256").update(encoded).digest("hex").slice(0, 16);
  const beginning = Buffer.from(encoded)
    .subarray(0, maxNameBytes - hash.length)
    .toString("utf8");
  return `--${beginning.replace(/\ufffd+$/, "")}-${hash}--`;
}

export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}

/** Undefined where the name is not that of a session file. */
export function idFromFileName(path: string): string | undefined {
  return /_([^_]+)\.jsonl$/.exec(basename(path))?.[1];
}

/** Milliseconds since 1970; 0 where the name does not tell. */
export function createdFromFileName(path: string): number {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d+)Z_/.exec(basename(path));
  if (parts === null) return 0;
  const [, day, hours, minutes, seconds, rest] = parts;
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${rest}Z`) || 0;
}

export function artifactFolderOf(sessionPath: string): string {
  return join(dirname(sessionPath), basename(sessionPath, ".jsonl"));
}

export function isSameFolder(one: string, other: string): boolean {
  return resolve(one) === resolve(other);
}
