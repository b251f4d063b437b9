// A fault as an exception, because its caller cannot return one: a read of a store that is damaged or gone. Code that reports
// faults to people, models or callers of the API catches it and tells the fault that it carries.

import { type Fault, isFault } from "./fault.ts";

export class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, cause?: unknown) {
    super(`${fault.message} ${fault.suggestion}`, { cause });
    this.fault = fault;
  }
}

/** The fault that an exception carries; undefined where it is a bug. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof FaultError) return error.fault;
  return isFault(error) ? error : undefined;
}
