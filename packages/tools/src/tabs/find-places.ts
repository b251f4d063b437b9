// Where a text or a regular expression occurs in a document, however long that is and whatever the expression.
//
// A search that cannot reach over line breaks goes through the document in parts: no string of the whole is made, and others
// get their turn in between.

import { setImmediate } from "node:timers/promises";
import type { Text } from "@codemirror/state";
import { aborted } from "@stet/agent/call-tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type FindOptions, type FoundMatches, findMatches, type Match } from "@stet/text/find";
import { countLines } from "@stet/text/lines";
import { reachesOverLines } from "@stet/text/pattern";
import { allowedTime, countedFromZero, guarded } from "../regex-guard.ts";

export interface PlaceSearch {
  readonly query: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  /** How many matches are returned; all are counted. */
  readonly max: number;
}

const partCharacters = 1_000_000;

export async function findPlaces(
  text: Text,
  search: PlaceSearch,
  signal: AbortSignal,
): Promise<FoundMatches | Fault> {
  const { query, isRegex, caseSensitive, max } = search;
  const total = countLines(text);
  if (total === 0) return findIn(text, query, { isRegex, caseSensitive, max }, allowedTime(0));
  const matches: Match[] = [];
  let found = 0;
  const end = performance.now() + 2 * allowedTime(text.length);
  const size = mayReachOverLines(query, isRegex) ? text.length : partCharacters;
  for (let first = 1; first <= total; ) {
    const last = Math.min(total, text.lineAt(Math.min(text.length, text.line(first).from + size)).number);
    const scope = { fromLine: first, toLine: last };
    const options = { isRegex, caseSensitive, scope, max: max - matches.length };
    const part = findIn(text, query, options, end - performance.now());
    if (isFault(part)) return part;
    matches.push(...part.matches);
    found += part.total;
    first = last + 1;
    if (first <= total) await setImmediate();
    if (signal.aborted) return aborted();
  }
  return { matches, total: found };
}

function findIn(text: Text, query: string, options: FindOptions, left: number): FoundMatches | Fault {
  if (!options.isRegex) return findMatches(text, query, options);
  const { fromLine, toLine } = options.scope ?? { fromLine: 1, toLine: 1 };
  const length = text.line(toLine).to - text.line(fromLine).from;
  const milliseconds = Math.min(left, allowedTime(length));
  return countedFromZero(guarded(query, milliseconds, () => findMatches(text, query, options)));
}

/** True where in doubt. */
function mayReachOverLines(query: string, isRegex: boolean): boolean {
  return /[\r\n]/.test(query) || (isRegex && (/\\r/.test(query) || reachesOverLines(query)));
}
