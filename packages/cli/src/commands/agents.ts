// `stet agents`: who can be sent to work, where each came from, what it may use, and what is wrong with files that cannot be used.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { allAgents } from "@stet/host/agents/discover-agents";
import { definitionView } from "@stet/host/operations/agents";
import { configFoldersOf } from "@stet/host/settings/config-folders";
import type { AgentDefinitionView } from "@stet/protocol/api/agents";
import { visibleName } from "@stet/protocol/visible";
import { byName } from "@stet/tools/agents/agent-definition";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

export async function agents({ values }: WordsOf<"agents">, context: CommandContext): Promise<number> {
  const { terminal, root, environment } = context;
  const folders = configFoldersOf(root, environment);
  const all = await allAgents(folders);
  const used = byName(all);
  // A file with a problem takes the place of none that works, but whoever wrote it wants to know.
  const broken = all.filter((agent) => agent.problem !== undefined && !used.includes(agent));
  const found = [...used, ...broken].map(definitionView);
  if (values.json) terminal.json(found);
  else for (const agent of found) terminal.out(`${describe(agent, terminal)}\n`);
  if (folders.project === undefined && existsSync(join(root, ".stet", "agents")))
    terminal.note("The agents of this folder (.stet/agents) are not used before you trust it: stet trust\n");
  return exitCode.done;
}

const sources = { builtin: "built in", user: "yours", project: "this folder's" } as const;

function describe(agent: AgentDefinitionView, { style }: Terminal): string {
  const from = agent.from === "" ? "" : `  ${visibleName(agent.from)}`;
  const head = `${style("bold", visibleName(agent.name))}  ${sources[agent.source]}${from}`;
  if (agent.problem !== null)
    return `${head}\n    ${style("yellow", `cannot be used: ${visibleName(agent.problem)}`)}`;
  const about = visibleName(agent.description);
  return `${head}\n    ${about}\n    ${style("dim", visibleName(usesOf(agent)))}`;
}

/** What it may use, and what is set for it. */
function usesOf({ tools, spawns, ...agent }: AgentDefinitionView): string {
  return [
    `tools: ${tools === null ? "all" : tools.join(", ")}`,
    ...(spawns === null || spawns.length === 0
      ? []
      : [`may send: ${spawns.includes("*") ? "every agent" : spawns.join(", ")}`]),
    ...(["toolset", "model", "thinking", "permission"] as const).flatMap((key) => {
      const value = agent[key];
      return value === null ? [] : [`${key}: ${value}`];
    }),
    ...(agent.blocking ? ["always waited for"] : []),
  ].join("; ");
}
