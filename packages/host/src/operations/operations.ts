// All operations of a host.

import type { Operations } from "@stet/protocol/api/operation";
import type { Host } from "../host.ts";
import { chatOperations } from "./chat.ts";
import { documentOperations } from "./documents.ts";
import { fileOperations } from "./files.ts";
import { indexOperations } from "./index-state.ts";
import { jobMessageOperations } from "./job-messages.ts";
import { jobOperations } from "./jobs.ts";
import { keptOperations } from "./kept-operations.ts";
import { reviewOperations } from "./review.ts";
import { messageOperations } from "./session-messages.ts";
import { treeOperations } from "./session-tree.ts";
import { sessionOperations } from "./sessions.ts";
import { tabOperations } from "./tabs.ts";
import { workspaceOperations } from "./workspace.ts";

export function createOperations(host: Host): Operations {
  return host.hosting.wrap(keptOperations(operationsOf(host), host));
}

function operationsOf(host: Host): Operations {
  return {
    ...sessionOperations(host),
    ...messageOperations(host),
    ...treeOperations(host),
    ...jobOperations(host),
    ...jobMessageOperations(host),
    ...reviewOperations(host),
    ...indexOperations(host),
    ...tabOperations(host),
    ...documentOperations(host),
    ...fileOperations(host),
    ...workspaceOperations(host),
    ...chatOperations(host),
  };
}
