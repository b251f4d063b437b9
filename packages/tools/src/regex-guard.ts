// A watchdog for a search with a regular expression of a model: it takes a time in proportion to what it searches.
//
// The engine for expressions is linear, what it cannot do is only tried where it is cheap, and between two matches a search
// looks at the clock (pattern.ts in text). But linear may still be long, for a large expression over a line of megabytes, and
// nothing but V8's own watchdog interrupts that. What was worked on is left as it was in that moment, so only work whose
// every object is thrown away with it may be given here.

import { createContext, Script } from "node:vm";
import { Fault, isFault } from "@stet/protocol/fault";

/** Milliseconds for a search over so many characters: many times what an expression without tricks needs. */
export function allowedTime(characters: number): number {
  return 2000 + characters / 2500;
}

/** Nobody else gets a turn while an expression runs. */
const maxBlocking = 3000;

const script = new Script("task()");
const sandbox: { task: () => unknown } = { task: () => undefined };
let context: object | undefined;

/** What the search returns, or the fault that it took too long. */
export function guarded<T>(pattern: string, milliseconds: number, search: () => T): T | Fault {
  context ??= createContext(sandbox);
  let result: { value: T } | undefined;
  sandbox.task = () => {
    result = { value: search() };
  };
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(Math.min(milliseconds, maxBlocking))) });
  } catch (error) {
    if (isTimeout(error)) return tookTooLong(pattern);
    throw error;
  } finally {
    sandbox.task = () => undefined;
  }
  if (result === undefined) throw new Error("the search neither returned nor failed");
  return result.value;
}

/** The error is one of the script's context, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function tookTooLong(pattern: string): Fault {
  return new Fault(
    "invalid_regex",
    `The search for ${JSON.stringify(pattern)} took too long and was stopped: the pattern is too costly for this document.`,
    "Use a simpler pattern: bound what repeats, for example .{0,200} in place of .*, or search for an exact text or in fewer lines.",
    { pattern },
  );
}

/** A fault that names a line, counted from 0. */
export function countedFromZero<T>(found: T | Fault): T | Fault {
  if (!isFault(found) || typeof found.details.line !== "number") return found;
  const { line } = found.details;
  const message = found.message.replace(` line ${line} `, ` line ${line - 1} `);
  return new Fault(found.error, message, found.suggestion, { ...found.details, line: line - 1 });
}
