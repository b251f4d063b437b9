// The API called where its operations are, in one process: no HTTP, no JSON and no validation of our own values, so that
// no schema is loaded. What it is given is what a route's schemas would give: defaults are filled in by the caller.

import type { Caller } from "@stet/protocol/api/operation";
import type { Given, Received, Reply } from "@stet/protocol/api/route";
import type { RouteName, Routes } from "@stet/protocol/api/routes";
import type { Fault } from "@stet/protocol/fault";

/** Routes without a stream, which either transport calls. */
export type CallableRoute = {
  [Name in RouteName]: Routes[Name] extends { isStream: true } ? never : Name;
}[RouteName];

/** Some routes of the API, whichever way they are called. */
export interface Api<Names extends CallableRoute> {
  call<Name extends Names>(
    name: Name,
    given: Given<Routes[Name]>,
    signal?: AbortSignal,
  ): Promise<Reply<Routes[Name]> | Fault>;
}

export type DirectOperations<Names extends CallableRoute> = {
  readonly [Name in Names]: (
    received: Received<Routes[Name]>,
    caller: Caller,
  ) => Promise<Reply<Routes[Name]> | Fault>;
};

const neverAborted = new AbortController().signal;

export function directClient<Names extends CallableRoute>(operations: DirectOperations<Names>): Api<Names> {
  return {
    call(name, given, signal = neverAborted) {
      // Parts that a route does not have are empty.
      const received = { params: {}, query: {}, body: {}, ...given } as Received<Routes[typeof name]>;
      return operations[name](received, { signal, lastEventId: undefined });
    },
  };
}
