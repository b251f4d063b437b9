// All handlers of the API over one service.

import type { Handlers } from "../http/handlers.ts";
import { sharedHandlers } from "../postgres/shared-handlers.ts";
import type { Service } from "../service.ts";
import { chatHandlers } from "./chat.ts";
import { documentHandlers } from "./documents.ts";
import { jobHandlers } from "./jobs.ts";
import { reviewHandlers } from "./review.ts";
import { sessionHandlers } from "./sessions.ts";
import { tabHandlers } from "./tabs.ts";
import { workspaceHandlers } from "./workspace.ts";

export function createHandlers(service: Service): Handlers {
  const { sharing } = service.store;
  const handlers = handlersOf(service);
  return sharing === undefined ? handlers : sharedHandlers(handlers, sharing);
}

function handlersOf(service: Service): Handlers {
  return {
    ...sessionHandlers(service),
    ...jobHandlers(service),
    ...reviewHandlers(service),
    ...tabHandlers(service),
    ...documentHandlers(service),
    ...workspaceHandlers(service),
    ...chatHandlers(service),
  };
}
