// The agents of a session as a tree, from a reading of them and the events that came since.

import type { AgentView } from "@stet/protocol/api/agents";

export interface AgentNode {
  readonly agent: AgentView;
  /** How many are above it; 0 for one that the session's own agent sent. */
  readonly depth: number;
}

/** With one that began, or changed; the order is that in which they began. */
export function withAgent(agents: readonly AgentView[], changed: AgentView): readonly AgentView[] {
  const at = agents.findIndex(({ agent_id: id }) => id === changed.agent_id);
  return at < 0 ? [...agents, changed] : agents.with(at, changed);
}

/** Each below the one that sent it. */
export function agentTree(agents: readonly AgentView[]): AgentNode[] {
  const known = new Set(agents.map(({ agent_id: id }) => id));
  const below = Map.groupBy(agents, ({ parent }) => (known.has(parent) ? parent : ""));
  const nodesBelow = (parent: string, depth: number): AgentNode[] =>
    (below.get(parent) ?? []).flatMap((agent) => [
      { agent, depth },
      ...nodesBelow(agent.agent_id, depth + 1),
    ]);
  return nodesBelow("", 0);
}

export function isAtWork({ status }: Pick<AgentView, "status">): boolean {
  return status === "pending" || status === "running";
}

export interface AgentSum {
  readonly working: number;
  readonly asking: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly isCostKnown: boolean;
}

/** Of the whole tree: what an agent's own agents used is part of its own. */
export function sumOfAgents(agents: readonly AgentView[]): AgentSum {
  const first = agents.filter(({ parent }) => parent === "main");
  return {
    working: agents.filter(isAtWork).length,
    asking: agents.filter(({ question }) => question !== null).length,
    tokens: first.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: first.reduce((sum, { cost_usd: cost }) => sum + cost, 0),
    isCostKnown: agents.every(({ cost_known: isKnown }) => isKnown),
  };
}

/** An agent's conversation is named by that of the session it works for, and by its own name. */
const separator = "~";

/** The session that a conversation belongs to: its own, or the one that an agent works for. */
export function rootSession(session: string): string {
  const at = session.indexOf(separator);
  return at < 0 ? session : session.slice(0, at);
}

/** Whose conversation it is; undefined for one of a person's own. */
export function agentOfSession(session: string | null): string | undefined {
  const at = session?.indexOf(separator) ?? -1;
  return at < 0 ? undefined : session?.slice(at + 1);
}

/** Those above an agent and itself, from the first: of 0-A.0-B, 0-A and 0-A.0-B. */
export function agentPath(agent: string): string[] {
  const parts = agent.split(".");
  return parts.map((_, index) => parts.slice(0, index + 1).join("."));
}
