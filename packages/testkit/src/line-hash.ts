// A model that edits lines which it was not shown, and the hash that it names for them.

import { hashText } from "@stet/text/hash";
import type { PlayedReply } from "./model-of.ts";

type Files = Readonly<Record<string, string>>;

/** Of a line, from 1, of one of these files. */
export function lineHash(files: Files, path: string, line: number): string {
  return hashText((files[path] ?? "").split("\n")[line - 1] ?? "");
}

/** A reply that replaces a line of one of these files, `was` the number that it has there. */
export function replaceReply(
  files: Files,
  file_path: string,
  start_line: number,
  new_text: string,
  { rationale, was = start_line }: { rationale?: string | undefined; was?: number } = {},
): PlayedReply {
  const lines = { operation: "replace", start_line, end_line: start_line, new_text };
  const expected_hash = lineHash(files, file_path, was);
  const why = rationale === undefined ? {} : { rationale };
  return { calls: [{ name: "edit_file", arguments: { file_path, ...lines, expected_hash, ...why } }] };
}
