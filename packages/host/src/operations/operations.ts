// All operations of a host.

import type { Operations } from "@stet/protocol/api/operation";
import type { Host } from "../host.ts";
import { agentOperations } from "./agents.ts";
import { backgroundOperations } from "./background.ts";
import { chatOperations } from "./chat.ts";
import { checkpointOperations } from "./checkpoints.ts";
import { configOperations } from "./config.ts";
import { contextOperations } from "./context.ts";
import { decisionOperations } from "./decisions.ts";
import { documentOperations } from "./documents.ts";
import { fileOperations } from "./files.ts";
import { guardedOperations } from "./guarded-operations.ts";
import { indexOperations } from "./index-state.ts";
import { jobMessageOperations } from "./job-messages.ts";
import { jobOperations } from "./jobs.ts";
import { modelOperations } from "./models.ts";
import { permissionOperations } from "./permissions.ts";
import { reviewOperations } from "./review.ts";
import { type RollBack, rollback } from "./rollback.ts";
import { sessionFileOperations } from "./session-files.ts";
import { messageOperations } from "./session-messages.ts";
import { treeOperations } from "./session-tree.ts";
import { sessionOperations } from "./sessions.ts";
import { tabContentOperations } from "./tab-content.ts";
import { tabOperations } from "./tabs.ts";
import { todoOperations } from "./todo.ts";
import { workspaceOperations } from "./workspace.ts";

export function createOperations(host: Host): Operations {
  return host.hosting.wrap(guardedOperations(operationsOf(host), host));
}

function operationsOf(host: Host): Operations {
  const { workspace, store } = host;
  const rollBack: RollBack = (id, request) => rollback(host, id, request);
  return {
    ...sessionOperations(host),
    ...messageOperations(host),
    ...treeOperations(host),
    ...sessionFileOperations(host),
    ...contextOperations(host),
    ...permissionOperations(host),
    ...todoOperations(host),
    ...jobOperations(host),
    ...jobMessageOperations(host),
    ...agentOperations(host),
    ...backgroundOperations(host),
    ...reviewOperations(host),
    ...decisionOperations(host),
    ...checkpointOperations({ workspace, store, rollBack }),
    ...indexOperations(host),
    ...tabOperations(host),
    ...tabContentOperations(host, rollBack),
    ...documentOperations(host),
    ...fileOperations(host),
    ...workspaceOperations(host),
    ...configOperations(host),
    ...modelOperations(host),
    ...chatOperations(host),
  };
}
