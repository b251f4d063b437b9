// The tools by which agents send, speak with and answer each other, for whichever toolset they work with.

import type { AgentBackground } from "@stet/agent/background/background";
import type { Hook } from "@stet/agent/hooks";
import type { Tool } from "@stet/agent/tool";
import type { AgentOutputs } from "./agent-address.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import type { AgentMessages, Assignment, Delegation } from "./delegation.ts";
import { ircTool } from "./irc.ts";
import { reportFinding } from "./report-finding.ts";
import { taskTool } from "./task.ts";
import { yieldReminder, yieldTool } from "./yield.ts";

/** What a host offers an agent that is one of several. */
export interface AgentPorts {
  /** Undefined for one that may send nobody. */
  readonly delegation: Delegation | undefined;
  /** Those that there were when the turn began. */
  readonly known: readonly AgentDefinition[];
  readonly messages: AgentMessages | undefined;
  readonly outputs: AgentOutputs | undefined;
  /** What one that was sent is to give back; undefined for the session's own. */
  readonly assignment: Assignment | undefined;
  /** Names of the only tools that it has; undefined for all. */
  readonly allowed: readonly string[] | undefined;
  /** Whether the person has named an agent in this turn's message. */
  readonly isNamed: boolean;
}

export interface AgentTools {
  /** In every request. */
  readonly offered: readonly Tool[];
  /** For toolsets that offer tools when they are asked for. */
  readonly hidden: readonly Tool[];
  readonly hooks: readonly Hook[];
}

/** `onSent` is called when agents were sent that go on by themselves: from then on there is something to wait for. */
export function agentTools(
  ports: AgentPorts,
  background: AgentBackground,
  onSent: () => void = () => {},
): AgentTools {
  const { delegation, messages, assignment, known, isNamed } = ports;
  const inherited = assignment?.schema;
  const task =
    delegation === undefined ? [] : [taskTool({ delegation, background, agents: known, inherited, onSent })];
  // The session's own agent cannot speak with others while it waits for them.
  const irc =
    messages === undefined || (assignment === undefined && !background.isAsync) ? [] : [ircTool(messages)];
  if (assignment !== undefined) {
    const offered = [yieldTool(assignment), reportFinding(assignment), ...task, ...irc];
    return { offered, hidden: [], hooks: [yieldReminder(assignment)] };
  }
  return isNamed
    ? { offered: [...task, ...irc], hidden: [], hooks: [] }
    : { offered: [], hidden: [...task, ...irc], hooks: [] };
}

/** What every agent that was sent has, whatever its file lists. */
const always = ["yield", "irc", "search_tool_bm25"];
/** Tools that are of no use without another one, and the name that stands for two. */
const together: Readonly<Record<string, readonly string[]>> = {
  exec: ["eval", "bash", "job"],
  bash: ["bash", "job"],
  ast_edit: ["ast_edit", "resolve"],
  checkpoint: ["checkpoint", "rewind"],
};
/** The session's own list of tasks stays its own. */
const never = ["todo", "monitor", "CronCreate", "CronList", "CronDelete"];

/** The tools that an agent may have. */
export function allowedTools(
  tools: readonly Tool[],
  { allowed, assignment, delegation }: AgentPorts,
): readonly Tool[] {
  if (assignment === undefined) return tools;
  const names = allowed?.flatMap((name) => together[name] ?? [name]);
  return tools.filter(({ name }) => {
    if (never.includes(name)) return false;
    if (name === "report_finding") return names?.includes(name) === true;
    if (name === "task") return delegation !== undefined;
    return names === undefined || names.includes(name) || always.includes(name);
  });
}

/** Names behind an @ in what the person said, of agents that there are; sending one that cannot be used says why. */
export function namedAgents(text: string, agents: readonly AgentDefinition[]): string[] {
  const words = new Set(
    [...text.matchAll(/(?<![\w@/.-])@([a-z0-9][\w-]*)/gi)].map(([, name = ""]) => name.toLowerCase()),
  );
  return agents.flatMap(({ name }) => (words.has(name.toLowerCase()) ? [name] : []));
}
