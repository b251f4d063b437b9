// All operations over one service.

import type { Service } from "../service.ts";
import { chatOperations } from "./chat.ts";
import { documentOperations } from "./documents.ts";
import { fileOperations } from "./files.ts";
import { indexOperations } from "./index-state.ts";
import { jobMessageOperations } from "./job-messages.ts";
import { jobOperations } from "./jobs.ts";
import { keptOperations } from "./kept-operations.ts";
import type { Operations } from "./operation.ts";
import { reviewOperations } from "./review.ts";
import { messageOperations } from "./session-messages.ts";
import { treeOperations } from "./session-tree.ts";
import { sessionOperations } from "./sessions.ts";
import { tabOperations } from "./tabs.ts";
import { workspaceOperations } from "./workspace.ts";

export function createOperations(service: Service): Operations {
  return service.hosting.wrap(keptOperations(operationsOf(service), service));
}

function operationsOf(service: Service): Operations {
  return {
    ...sessionOperations(service),
    ...messageOperations(service),
    ...treeOperations(service),
    ...jobOperations(service),
    ...jobMessageOperations(service),
    ...reviewOperations(service),
    ...indexOperations(service),
    ...tabOperations(service),
    ...documentOperations(service),
    ...fileOperations(service),
    ...workspaceOperations(service),
    ...chatOperations(service),
  };
}
