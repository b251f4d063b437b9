// The API over a workspace that several processes share: what changes it comes in first, what reads it is up to date.
//
// Reading seldom writes (a file that is seen for the first time gets its row), and starting or stopping a job waits for
// those who work; so both are tried without coming in, and again with it where something had to be written.

import { type RouteName, routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Handlers } from "../http/handlers.ts";
import type { StoreSharing } from "../store/store.ts";

type AnyHandler = (received: never, caller: never) => Promise<unknown | Fault>;

const waitsForOthers = /^\/api\/(agent\/(run|sessions|jobs)|chat)\b/;

export function sharedHandlers(handlers: Handlers, sharing: StoreSharing): Handlers {
  const shared = Object.entries(handlers).map(([name, handler]) => {
    return [name, share(name as RouteName, handler as AnyHandler, sharing)];
  });
  return Object.fromEntries(shared);
}

function share(name: RouteName, handler: AnyHandler, sharing: StoreSharing): AnyHandler {
  const route = routes[name];
  const isTried = route.method === "GET" || waitsForOthers.test(route.path);
  if (!isTried) return (received, caller) => sharing.exclusively(() => handler(received, caller));
  return async (received, caller) => {
    const fault = await sharing.refresh();
    if (isFault(fault)) return fault;
    const result = await handler(received, caller);
    if (!isFault(result) || result.details.lease !== true) return result;
    return sharing.exclusively(() => handler(received, caller));
  };
}
