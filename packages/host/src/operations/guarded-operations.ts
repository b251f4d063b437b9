// A guard on the API for a data folder that was deleted or moved away under a running server: an operation that would change
// something is refused, and health says so. Reads are still answered, from memory.

import type { Operations } from "@stet/protocol/api/operation";
import { type RouteName, routes } from "@stet/protocol/api/routes";
import type { Fault } from "@stet/protocol/fault";
import type { Host } from "../host.ts";

type AnyOperation = (received: never, caller: never) => Promise<unknown | Fault>;

export function guardedOperations(operations: Operations, { workspace }: Host): Operations {
  const guarded = Object.entries(operations).map(([name, operation]) => {
    const isRead = routes[name as RouteName].method === "GET" && name !== "health";
    const guard: AnyOperation = async (received, caller) =>
      workspace.ledger.missing() ?? (operation as AnyOperation)(received, caller);
    return [name, isRead ? operation : guard];
  });
  return Object.fromEntries(guarded);
}
