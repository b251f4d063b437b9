// Paths with any byte in them, as strings.
//
// A file name is bytes; one that is not UTF-8 has no string. Each byte that does not belong to a character stands here as a
// lone surrogate, U+DC80 to U+DCFF, which no valid name contains, and becomes that byte again on the way to the disk.

import { isUtf8 } from "node:buffer";
import { join } from "node:path";

const escaped = /[\ud800-\udfff]/;

export function fromBytes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return Buffer.from(bytes).toString("utf8");
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    if (length === 0) text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    else text += Buffer.from(bytes.subarray(at, at + length)).toString("utf8");
    at += Math.max(1, length);
  }
  return text;
}

/** How many bytes the character there has; 0 where the byte belongs to none. */
function characterAt(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}

/** A name as the system's `latin1` reading gives it: a character for every byte. */
export function fromLatin1(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  return /^[\x00-\x7f]*$/.test(name) ? name : fromBytes(Buffer.from(name, "latin1"));
}

export function toBytes(path: string): Buffer {
  if (isPlain(path)) return Buffer.from(path, "utf8");
  const parts: Buffer[] = [];
  for (const character of path) {
    const code = character.charCodeAt(0);
    const isByte = character.length === 1 && code >= 0xdc80 && code <= 0xdcff;
    parts.push(isByte ? Buffer.from([code - 0xdc00]) : Buffer.from(character, "utf8"));
  }
  return Buffer.concat(parts);
}

/** Whether a path can be said as text. */
export function isPlain(path: string): boolean {
  return !escaped.test(path) || path.isWellFormed();
}

/** A path below a folder, for the functions of `node:fs`. */
export function below(folder: string, path: string): string | Buffer {
  const whole = join(folder, path);
  return isPlain(path) ? whole : Buffer.concat([toBytes(folder), Buffer.from("/"), toBytes(path)]);
}

/** A path on one line, whatever is in it. */
export function shownPath(path: string): string {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}
