// Tells windows of the agents of a session: each change of a status at once, and what an agent does now a few times a second.

import type { AgentView } from "@stet/protocol/api/agents";
import type { AgentTree } from "../agents/agent-tree.ts";
import type { ChildAgent } from "../agents/child-agent.ts";

const coalesceMs = 150;

export interface AgentTelling {
  status(agent: AgentView): void;
  progress(agent: AgentView): void;
}

/** Returns what ends it. */
export function tellAgents(tree: AgentTree, telling: AgentTelling): () => void {
  const waiting = new Map<ChildAgent, NodeJS.Timeout>();
  const forget = (child: ChildAgent) => {
    clearTimeout(waiting.get(child));
    waiting.delete(child);
  };
  const unlisten = tree.listen((child, isStatus) => {
    if (isStatus) {
      forget(child);
      telling.status(child.view());
    } else if (!waiting.has(child)) {
      const tell = () => {
        waiting.delete(child);
        telling.progress(child.view());
      };
      waiting.set(child, setTimeout(tell, coalesceMs).unref());
    }
  });
  return () => {
    unlisten();
    for (const child of [...waiting.keys()]) forget(child);
  };
}
