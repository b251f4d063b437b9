// A limit for work that cannot be interrupted otherwise: one regular expression over one long line.
//
// The engine's own watchdog ends it, wherever it is. What it worked on is left as it was in that moment, so only work
// whose every object is thrown away with it may be given here.

import { createContext, Script } from "node:vm";

export const timedOut = Symbol("timed out");

const script = new Script("task()");
const sandbox: { task: () => unknown } = { task: () => undefined };
let context: object | undefined;

/** What the work returns, or `timedOut`. */
export function withinTime<T>(milliseconds: number, work: () => T): T | typeof timedOut {
  context ??= createContext(sandbox);
  let result: { value: T } | undefined;
  sandbox.task = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) });
  } catch (error) {
    if (isTimeout(error)) return timedOut;
    throw error;
  } finally {
    sandbox.task = () => undefined;
  }
  if (result === undefined) throw new Error("the work neither returned nor failed");
  return result.value;
}

/** The error is one of the script's context, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
