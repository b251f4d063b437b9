// Tells the log of an agent's job of those that work below it: of each status, and now and then of what one does.

import type { AgentStatus } from "@stet/protocol/api/agents";
import { mainAgent } from "@stet/protocol/events/new-event";
import { tellAgents } from "../open-sessions/agent-telling.ts";
import type { AgentTree } from "./agent-tree.ts";
import type { ChildHands } from "./sender.ts";

/** Returns what ends it: the job's log is nobody's to write to after its end. */
export function tellBelow(
  tree: AgentTree,
  agent: string,
  { tell, pass }: Pick<ChildHands, "tell" | "pass">,
): () => void {
  const isBelow = (id: string) => agent === mainAgent || id.startsWith(`${agent}.`);
  const known = new Map<string, AgentStatus>(tree.all().map(({ place, status }) => [place.id, status]));
  return tellAgents(tree, {
    status(view) {
      const { agent_id: id, status } = view;
      if (!isBelow(id)) return;
      if (known.get(id) === status) return pass("task:subagent:progress", view, id);
      known.set(id, status);
      tell("task:subagent:lifecycle", view, id);
    },
    progress(view) {
      if (isBelow(view.agent_id)) pass("task:subagent:progress", view, view.agent_id);
    },
  });
}
