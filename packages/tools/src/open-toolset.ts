// Opens a toolset by its name, with the capabilities that it takes of what the host offers. A toolset's code is loaded
// when it is asked for.

import { Fault, isFault } from "@stet/protocol/fault";
import type { ToolsetName } from "@stet/protocol/toolset";
import type { SuspendedTurn } from "@stet/workspace/turns/turn-copy";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { Capabilities, Needs } from "./capabilities.ts";
import { deniedReading, type ReadPermissions } from "./permission/left-out.ts";
import { syntaxWarnings } from "./syntax-warning.ts";
import type { Toolset } from "./toolset.ts";
import { policyOf } from "./toolset-policies.ts";

type Open = (offered: Capabilities) => Promise<Toolset | Fault>;

const openers: Readonly<Record<ToolsetName, Open>> = {
  project: withAgents("project", openProject),
  tabs: withAgents("tabs", openTabs),
  paper: withAgents("paper", openPaper),
  code: openCode,
};

export async function openToolset(name: ToolsetName, offered: Capabilities): Promise<Toolset | Fault> {
  const toolset = await openers[name](offered);
  if (isFault(toolset)) return toolset;
  const { hooks = [] } = toolset;
  return { ...toolset, hooks: [syntaxWarnings(offered.workspace, offered.turn), ...hooks] };
}

/** Adds the tools by which agents work together; toolset code has places of its own for them. */
function withAgents(name: ToolsetName, open: Open): Open {
  return async (offered) => {
    const toolset = await open(offered);
    const { agents, background } = offered;
    if (isFault(toolset) || agents === undefined || background === undefined) return toolset;
    const { withAgentTools } = await import("./agents/agents-beside.ts");
    return withAgentTools(toolset, policyOf(name), { agents, background });
  };
}

type Reading = Needs<"workspace" | "ask" | "readRules">;

async function openProject(
  given: Reading & Needs<"turn" | "readArtifact" | "meaning" | "sight" | "projectLimits">,
): Promise<Toolset> {
  const { projectToolset } = await import("./project/project-toolset.ts");
  const { workspace, turn, ask, readArtifact, meaning, sight, projectLimits: limits } = given;
  const reading = await readPermissions(given);
  return projectToolset(workspace, turn, ask, { readArtifact, meaning, sight, reading, limits });
}

async function openTabs(
  given: Reading & Needs<"turn" | "meaning" | "subagents" | "tokenBudget" | "sight">,
): Promise<Toolset> {
  const { tabsToolset } = await import("./tabs/tabs-toolset.ts");
  const { workspace, turn, tokenBudget, sight } = given;
  return tabsToolset({
    workspace,
    turn,
    tokenBudget,
    meaning: await given.meaning?.(),
    subagents: await given.subagents(),
    sight,
    readEffect: (await readPermissions(given))?.readEffect("read_document"),
  });
}

async function openPaper(
  given: Reading & Needs<"turn" | "tab" | "messages" | "embedder" | "searches" | "sight">,
): Promise<Toolset | Fault> {
  const { workspace, turn, messages, sight } = given;
  const tab = workspace.tabs.in(turn, given.tab);
  if (isFault(tab)) return tab.error === "invalid_tab_id" && given.tab === undefined ? noPaper() : tab;
  const effectOf = (await readPermissions(given))?.readEffect("get_context_lines");
  const path = workspace.documents.row(tab.document)?.path ?? null;
  const denied = deniedReading(effectOf, path);
  if (denied !== undefined) return denied;
  const { paperToolset } = await import("./paper/paper-toolset.ts");
  const [embedder, searches] = [await given.embedder(), await given.searches()];
  return paperToolset({ turn, document: tab.document, path, messages, embedder, searches, sight });
}

async function openCode(
  given: Needs<"workspace" | "turn" | "ask" | "messages" | "readArtifact" | "sight" | "code">,
): Promise<Toolset> {
  const { codeToolset } = await import("./code/code-toolset.ts");
  const { workspace, turn, ask, messages, readArtifact, sight } = given;
  return codeToolset({ workspace, turn, ask, messages, readArtifact, sight, ports: given.code() });
}

/** Rules about reading, where there are no commands. */
async function readPermissions({ workspace, ask, readRules }: Reading): Promise<ReadPermissions | undefined> {
  if (readRules === undefined) return undefined;
  const { Permissions } = await import("./permission/permissions.ts");
  const permissions = new Permissions({
    ...readRules,
    workspace,
    ask,
    hasSandbox: () => false,
    sandboxNetwork: false,
    programs: { shell: () => "bash", isWritable: () => false },
  });
  return {
    permit: (request, call) => permissions.permit(request, call),
    readEffect: (tool) => permissions.readEffect(tool),
  };
}

/** Begins the turn that a toolset asks for, or goes on with one that was suspended. */
export function beginTurnFor(
  name: ToolsetName,
  workspace: Workspace,
  options: { session?: string; summary?: string },
  suspended?: SuspendedTurn,
): Turn | Fault {
  const { writes, locksDocuments } = policyOf(name);
  const isImmediate = writes === "immediate";
  if (suspended !== undefined)
    return workspace.resumeTurn(suspended, { ...options, isWhole: writes === "turn", isImmediate });
  return locksDocuments
    ? workspace.beginLockedTurn(options)
    : workspace.beginTurn({ ...options, isImmediate });
}

function noPaper(): Fault {
  return new Fault(
    "invalid_tab_id",
    "Toolset paper works on the document in front, and none is open.",
    "Open one first: in the terminal with --tab FILE.",
  );
}
