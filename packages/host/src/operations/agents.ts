// Agents: which can be sent, and those of a session.

import type { AgentView } from "@stet/protocol/api/agents";
import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { Host } from "../host.ts";
import { isOver } from "../jobs/job-messages.ts";
import { configFoldersOf } from "../settings/config-folders.ts";

export function agentOperations(host: Host) {
  return {
    async listAgentDefinitions() {
      const { discoverAgents } = await import("../agents/discover-agents.ts");
      const { workspace, environment, isTrusted } = host;
      const agents = await discoverAgents(configFoldersOf(workspace.root.path, environment, isTrusted));
      return { agents: agents.map(definitionView) };
    },

    async listAgents({ params }) {
      const { asEnded, isAtWork, notedAgents } = await import("../agents/child-session.ts");
      const record = await host.sessions.record(params.session_id);
      const session = isFault(record) ? record : host.sessions.open(record);
      if (isFault(session)) return session;
      const here = (host.open.get(session.header.id)?.tree.all() ?? []).map((child) => child.view());
      const ids = new Set(here.map(({ agent_id: id }) => id));
      const noted = notedAgents(session).filter(({ agent_id: id }) => !ids.has(id));
      const before = noted.map(async (agent) => {
        // It may work in another process of this folder.
        const job = isAtWork(agent) && agent.job_id !== null ? await host.store.job(agent.job_id) : undefined;
        return job !== undefined && !isOver(job.status) ? agent : asEnded(agent);
      });
      const agents = [...(await Promise.all(before)), ...here];
      return { agents, ...sumOf(agents) };
    },
  } satisfies Partial<Operations>;
}

export function definitionView(agent: AgentDefinition) {
  return {
    name: agent.name,
    source: agent.source,
    from: agent.from,
    description: agent.description,
    toolset: agent.toolset ?? null,
    tools: agent.tools === undefined ? null : [...agent.tools],
    spawns: agent.spawns === undefined ? null : [...agent.spawns],
    model: agent.model ?? null,
    thinking: agent.thinking ?? null,
    permission: agent.permission ?? null,
    blocking: agent.blocking ?? false,
    problem: agent.problem ?? null,
  };
}

/** Of the whole tree: what an agent's own agents used is part of its own. */
function sumOf(agents: readonly AgentView[]) {
  const first = agents.filter(({ parent }) => parent === "main");
  return {
    tokens: first.reduce((sum, { tokens }) => sum + tokens, 0),
    cost_usd: first.reduce((sum, { cost_usd: cost }) => sum + cost, 0),
    cost_known: agents.every(({ cost_known: isKnown }) => isKnown),
  };
}
