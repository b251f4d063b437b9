// A regular expression of a model may take a time in proportion to what it searches, and is stopped behind that.
//
// The engine for expressions is linear, and what it cannot do is only tried where it looks harmless (see pattern.ts in text);
// but linear may still be long, for a large expression over a line of megabytes.

import { Fault, isFault } from "@stet/protocol/fault";
import { timedOut, withinTime } from "./time-limit.ts";

/** Milliseconds for a search over so many characters: many times what an expression without tricks needs. */
export function allowedTime(characters: number): number {
  return 2000 + characters / 2500;
}

/** Nobody else gets a turn while an expression runs. */
const maxBlocking = 3000;

/** What the search returns, or the fault that it took too long. Lines of its faults count from 0. */
export function guarded<T>(pattern: string, milliseconds: number, search: () => T | Fault): T | Fault {
  const found = withinTime(Math.min(milliseconds, maxBlocking), search);
  return found === timedOut ? tookTooLong(pattern) : countedFromZero(found);
}

function tookTooLong(pattern: string): Fault {
  return new Fault(
    "invalid_regex",
    `The search for ${JSON.stringify(pattern)} took too long and was stopped: the pattern is too costly for this document.`,
    "Use a simpler pattern: bound what repeats, for example .{0,200} in place of .*, or search for an exact text or in fewer lines.",
    { pattern },
  );
}

function countedFromZero<T>(found: T | Fault): T | Fault {
  if (!isFault(found) || typeof found.details.line !== "number") return found;
  const { line } = found.details;
  const message = found.message.replace(` line ${line} `, ` line ${line - 1} `);
  return new Fault(found.error, message, found.suggestion, { ...found.details, line: line - 1 });
}
