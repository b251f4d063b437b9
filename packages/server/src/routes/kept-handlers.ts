// The API while what Stet knows can be kept: where the data folder was deleted or moved away under a running server, whatever
// would change something is refused, and health says so. What is only read still answers, from memory.

import { type RouteName, routes } from "@stet/protocol/api/routes";
import type { Fault } from "@stet/protocol/fault";
import type { Handlers } from "../http/handlers.ts";
import type { Service } from "../service.ts";

type AnyHandler = (received: never, caller: never) => Promise<unknown | Fault>;

export function keptHandlers(handlers: Handlers, { workspace }: Service): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const isRead = routes[name as RouteName].method === "GET" && name !== "health";
    const guard: AnyHandler = async (received, caller) =>
      workspace.ledger.missing() ?? (handler as AnyHandler)(received, caller);
    return [name, isRead ? handler : guard];
  });
  return Object.fromEntries(guarded);
}
