// Agents beside the tools of toolsets that have no place of their own for them. The session's own agent is offered those when
// the person names an agent: a writer's requests stay small.

import type { AgentBackground } from "@stet/agent/background/background";
import type { ToolsetPolicy } from "@stet/protocol/toolset";
import { job } from "../code/background/job.ts";
import { defaultCodeSettings } from "../code/code-settings.ts";
import type { Toolset } from "../toolset.ts";
import { type AgentPorts, agentTools, allowedTools } from "./agent-tools.ts";

interface Beside {
  readonly agents: AgentPorts;
  readonly background: AgentBackground;
}

export function withAgentTools(
  toolset: Toolset,
  { locksDocuments, isChat }: ToolsetPolicy,
  { agents, background }: Beside,
): Toolset {
  const isSent = agents.assignment !== undefined;
  // Others could not edit while it works, or it has fixed tools.
  if (!isSent && (!agents.isNamed || locksDocuments || isChat)) return toolset;
  const { offered, hooks } = agentTools(agents, background);
  const waiting = isSent || !background.isAsync ? [] : [job(jobContext(background))];
  return {
    ...toolset,
    tools: allowedTools([...toolset.tools, ...offered, ...waiting], agents),
    hooks: [...(toolset.hooks ?? []), ...hooks],
  };
}

/** Without commands, nothing that one waits for changes files here. */
function jobContext(background: AgentBackground): Parameters<typeof job>[0] {
  return {
    background,
    settings: defaultCodeSettings,
    aroundCommand: async (_, action) => ({ changed: [], lost: [], result: await action() }),
  };
}
