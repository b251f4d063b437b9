// Which version this is, as its package says: beside the sources, or beside the packed program.

import { readFileSync } from "node:fs";

let known: string | undefined;

export function version(): string {
  known ??= String(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
  return known;
}
