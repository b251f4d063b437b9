// Opens a toolset by its name, over what the front end has: a turn of a workspace, a model for subagents, an index of
// meanings. A toolset's code is loaded when it is asked for.

import type { Subagents } from "@stet/agent/subagents";
import type { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { CodePorts } from "./code/code-toolset.ts";
import type { PaperSearches } from "./paper/paper-searches.ts";
import { deniedReading, type ReadPermissions } from "./permission/left-out.ts";
import type { PermissionsOptions } from "./permission/permissions.ts";
import type { AskPerson, ProjectLimits, ReadArtifact } from "./project/project-toolset.ts";
import { Sight } from "./sight/sight.ts";
import { withSyntaxWarning } from "./syntax-warning.ts";
import { defaultTokenBudget, type TokenBudget } from "./tabs/tabs-context.ts";
import type { Toolset, ToolsetName } from "./toolset.ts";

export interface ToolsetPorts {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly ask: AskPerson;
  readonly messages: () => readonly Message[];
  readonly readArtifact?: ReadArtifact | undefined;
  /** What the session's model was shown of the files, where the session remembers it. */
  readonly sight?: Sight | undefined;
  readonly subagents?: Subagents | undefined;
  /** Opened on the first search by meaning. */
  readonly meaning?: (() => Promise<Meaning | Fault>) | undefined;
  readonly embedder?: Embedder | undefined;
  readonly tokenBudget?: TokenBudget | undefined;
  /** The searches that a session of toolset paper has kept. */
  readonly searches?: PaperSearches | undefined;
  /** The tab that toolset paper works on; the one in front unless given. */
  readonly tab?: string | undefined;
  readonly projectLimits?: Partial<ProjectLimits> | undefined;
  /** The person's rules, for toolsets without commands; everything may be read unless given. */
  readonly reading?: ReadingPorts | undefined;
  /** What toolset code needs beside the rest. */
  readonly code?: CodePorts | undefined;
}

export type ReadingPorts = Pick<PermissionsOptions, "mode" | "rules" | "session" | "isInteractive">;

/** Rules about reading, where there are no commands. */
async function readPermissions({
  workspace,
  ask,
  reading,
}: ToolsetPorts): Promise<ReadPermissions | undefined> {
  if (reading === undefined) return undefined;
  const { Permissions } = await import("./permission/permissions.ts");
  const permissions = new Permissions({
    ...reading,
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

export async function openToolset(name: ToolsetName, ports: ToolsetPorts): Promise<Toolset | Fault> {
  const toolset = await toolsetOf(name, ports);
  // The tools of toolset code grow while a turn goes on, so it sees to its own.
  if (isFault(toolset) || name === "code") return toolset;
  const tools = toolset.tools.map((tool) => withSyntaxWarning(tool, ports.workspace, ports.turn));
  return { ...toolset, tools };
}

async function toolsetOf(name: ToolsetName, ports: ToolsetPorts): Promise<Toolset | Fault> {
  const { workspace, turn, ask, readArtifact, meaning, sight = new Sight() } = ports;
  switch (name) {
    case "project": {
      const { projectToolset } = await import("./project/project-toolset.ts");
      return projectToolset(workspace, turn, ask, {
        readArtifact,
        meaning,
        sight,
        reading: await readPermissions(ports),
        limits: ports.projectLimits ?? {},
      });
    }
    case "tabs": {
      const { tabsToolset } = await import("./tabs/tabs-toolset.ts");
      const { subagents, tokenBudget = defaultTokenBudget } = ports;
      return tabsToolset({
        workspace,
        turn,
        tokenBudget,
        meaning: await meaning?.(),
        subagents,
        sight,
        readEffect: (await readPermissions(ports))?.readEffect("read_document"),
      });
    }
    case "paper": {
      const tab = workspace.tabs.in(turn, ports.tab);
      if (isFault(tab)) return tab.error === "invalid_tab_id" && ports.tab === undefined ? noPaper() : tab;
      const effectOf = (await readPermissions(ports))?.readEffect("get_context_lines");
      const path = workspace.documents.row(tab.document)?.path ?? null;
      const denied = deniedReading(effectOf, path);
      if (denied !== undefined) return denied;
      const { paperToolset } = await import("./paper/paper-toolset.ts");
      const { messages, embedder, searches } = ports;
      return paperToolset({ turn, document: tab.document, path, messages, embedder, searches, sight });
    }
    case "code": {
      if (ports.code === undefined) throw new Error("toolset code was opened without its ports");
      const { codeToolset } = await import("./code/code-toolset.ts");
      const { messages, code } = ports;
      return codeToolset({ workspace, turn, ask, messages, readArtifact, sight, ports: code });
    }
  }
}

/**
 * In toolset tabs nobody else edits during a turn, and its changes are decided as a whole. In toolset code they are on
 * disk at once.
 */
export function beginTurnFor(
  name: ToolsetName,
  workspace: Workspace,
  options: { session?: string; summary?: string },
): Turn | Fault {
  if (name === "tabs") return workspace.beginLockedTurn(options);
  return workspace.beginTurn({ ...options, isImmediate: name === "code" });
}

function noPaper(): Fault {
  return new Fault(
    "invalid_tab_id",
    "Toolset paper works on the document in front, and none is open.",
    "Open one first: in the terminal with --tab FILE.",
  );
}
