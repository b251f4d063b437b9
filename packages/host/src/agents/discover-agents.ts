// Which agents can be sent: those that are built in, the person's own, and the project's where they trust it. A later one of
// the same name replaces an earlier one. Read anew each time: a file that was just written counts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSource } from "@stet/protocol/api/agents";
import { errnoCode } from "@stet/protocol/system-fault";
import { type AgentDefinition, byName, readAgent } from "@stet/tools/agents/agent-definition";
import { builtinAgents } from "@stet/tools/agents/builtin/builtin-agents";
import type { ConfigFolders } from "../settings/config-folders.ts";

const maxFileBytes = 256 * 1024;
const maxFiles = 200;

export async function discoverAgents(folders: ConfigFolders): Promise<readonly AgentDefinition[]> {
  return byName(await allAgents(folders));
}

/** Also those that another one of their name takes the place of. */
export async function allAgents({ project, user }: ConfigFolders): Promise<readonly AgentDefinition[]> {
  const own = await agentsIn(join(user, "agents"), "user");
  const shared = project === undefined ? [] : await agentsIn(join(project, "agents"), "project");
  return [...builtinAgents(), ...own, ...shared];
}

async function agentsIn(folder: string, source: AgentSource): Promise<AgentDefinition[]> {
  const names = markdownIn(folder).slice(0, maxFiles);
  return Promise.all(names.map((name) => readFileOf(folder, name, source)));
}

/** Most people have none. */
function markdownIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".md") && !name.startsWith("."))
      .sort();
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return [];
  }
}

async function readFileOf(folder: string, file: string, source: AgentSource): Promise<AgentDefinition> {
  const path = join(folder, file);
  const name = file.slice(0, -".md".length);
  const broken = (problem: string): AgentDefinition => {
    return { name, source, from: path, description: "", prompt: "", problem };
  };
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxFileBytes)
      return broken(`it has ${bytes.length} bytes, and may have ${maxFileBytes}`);
    return await readAgent({ path, name, source, text: bytes.toString("utf8") });
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return broken("it cannot be read");
  }
}
