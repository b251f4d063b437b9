// `[path#TAG]`: names a file and the text that it has now. Another text has another tag, as good as always.

import { hashText } from "@stet/text/hash";
import type { History } from "@stet/text/history";

const tagLength = 4;

export function snapshotHeader({
  path,
  history,
}: {
  readonly path: string;
  readonly history: History;
}): string {
  const digits = hashText(history.text.toString()).replace("sha256:", "");
  return `[${path}#${digits.slice(0, tagLength).toUpperCase()}]`;
}

/** The path that a header names; undefined where the line is none. */
export function headerPath(line: string): string | undefined {
  return /^\[(.+)#[0-9A-F]{4}\]\s*$/.exec(line)?.[1];
}
