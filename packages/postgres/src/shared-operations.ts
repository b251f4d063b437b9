// The API over a workspace that several processes share: an operation that writes acquires the lease first, one that reads
// brings the copy up to date.
//
// Reading seldom writes (a file that is seen for the first time gets its row), and starting or stopping a job waits for
// running jobs; so both are tried without the lease, and again with it where something had to be written.

import type { Operations } from "@stet/protocol/api/operation";
import { type RouteName, routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Sharing } from "./sharing.ts";

type AnyOperation = (received: never, caller: never) => Promise<unknown | Fault>;

const waitsForOthers = /^\/api\/(agent\/(run|sessions|jobs)|chat)\b/;

export function sharedOperations(operations: Operations, sharing: Sharing): Operations {
  const shared = Object.entries(operations).map(([name, operation]) => {
    return [name, share(name as RouteName, operation as AnyOperation, sharing)];
  });
  return Object.fromEntries(shared);
}

function share(name: RouteName, operation: AnyOperation, sharing: Sharing): AnyOperation {
  const route = routes[name];
  const isTried = route.method === "GET" || waitsForOthers.test(route.path);
  if (!isTried) return (received, caller) => sharing.exclusively(() => operation(received, caller));
  return async (received, caller) => {
    const fault = await sharing.refresh();
    if (isFault(fault)) return fault;
    const result = await operation(received, caller);
    if (!isFault(result) || result.details.lease !== true) return result;
    return sharing.exclusively(() => operation(received, caller));
  };
}
