// The hash that a scripted model names when it edits a line that it was not shown.

import { hashText } from "@stet/text/hash";

/** Of a line, from 1, of one of these files. */
export function lineHash(files: Readonly<Record<string, string>>, path: string, line: number): string {
  return hashText((files[path] ?? "").split("\n")[line - 1] ?? "");
}
