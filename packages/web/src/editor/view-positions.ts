// Where the cursor and the text stood in each document, kept by the browser for as long as this tab of it lives: a page that is
// loaded again goes on where it was.

import { isRecord } from "@stet/protocol/json-record";
import { keep, keptRecord } from "../workspace/browser-storage.ts";

const key = "stet.places";

export interface ViewPosition {
  /** The cursor. */
  readonly head: number;
  /** The start of the first line in sight. */
  readonly top: number;
}

export function keepPositions(positions: ReadonlyMap<number, ViewPosition>): void {
  keep("sessionStorage", key, Object.fromEntries(positions));
}

export function keptPosition(document: number): ViewPosition | undefined {
  const position = keptRecord("sessionStorage", key)[document];
  if (!isRecord(position)) return undefined;
  const { head, top } = position;
  return typeof head === "number" && typeof top === "number" ? { head, top } : undefined;
}
