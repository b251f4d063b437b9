// The hash of target lines, as models and the API name it: `sha256:` and 64 hexadecimal digits.

import type { Text } from "@codemirror/state";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { lineContent } from "./lines.ts";

export function hashText(content: string): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(content)))}`;
}

/** The hash of counted lines `first` to `last` (1-based, inclusive), joined by "\n" whatever the file's line end. */
export function hashLines(text: Text, first: number, last: number): string {
  const lines: string[] = [];
  for (let line = first; line <= last; line += 1) lines.push(lineContent(text, line - 1));
  return hashText(lines.join("\n"));
}
