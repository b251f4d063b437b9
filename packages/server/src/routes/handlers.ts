// All handlers of the API over one service.

import type { Handlers } from "../http/handlers.ts";
import { sharedHandlers } from "../postgres/shared-handlers.ts";
import type { Service } from "../service.ts";
import { chatHandlers } from "./chat.ts";
import { documentHandlers } from "./documents.ts";
import { fileHandlers } from "./files.ts";
import { indexHandlers } from "./index-state.ts";
import { jobMessageHandlers } from "./job-messages.ts";
import { jobHandlers } from "./jobs.ts";
import { keptHandlers } from "./kept-handlers.ts";
import { reviewHandlers } from "./review.ts";
import { messageHandlers } from "./session-messages.ts";
import { treeHandlers } from "./session-tree.ts";
import { sessionHandlers } from "./sessions.ts";
import { tabHandlers } from "./tabs.ts";
import { workspaceHandlers } from "./workspace.ts";

export function createHandlers(service: Service): Handlers {
  const { sharing } = service.store;
  const handlers = keptHandlers(handlersOf(service), service);
  return sharing === undefined ? handlers : sharedHandlers(handlers, sharing);
}

function handlersOf(service: Service): Handlers {
  return {
    ...sessionHandlers(service),
    ...messageHandlers(service),
    ...treeHandlers(service),
    ...jobHandlers(service),
    ...jobMessageHandlers(service),
    ...reviewHandlers(service),
    ...indexHandlers(service),
    ...tabHandlers(service),
    ...documentHandlers(service),
    ...fileHandlers(service),
    ...workspaceHandlers(service),
    ...chatHandlers(service),
  };
}
