// The reference parts of docs/toolsets.md and docs/tools.md, written from the tools' own schemas and prompts: `npm run docs`.
// A test tells when they are old.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Background } from "@stet/agent/background/background";
import { describeTools } from "@stet/agent/describe-tools";
import type { Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import type { ToolDescription } from "@stet/protocol/model-stream";
import { toolsetNames } from "@stet/protocol/toolset";
import { bareCapabilities } from "@stet/testkit/capabilities";
import { type AgentPorts, agentTools } from "@stet/tools/agents/agent-tools";
import { builtinAgents } from "@stet/tools/agents/builtin/builtin-agents";
import { defaultCodeSettings, editModes } from "@stet/tools/code/code-settings";
import { codeToolset } from "@stet/tools/code/code-toolset";
import { openToolset } from "@stet/tools/open-toolset";
import { SessionRules } from "@stet/tools/permission/session-rules";
import type { Toolset } from "@stet/tools/toolset";
import { policyOf } from "@stet/tools/toolset-policies";
import { Workspace } from "@stet/workspace/workspace";
import { Sight } from "../packages/tools/src/sight/sight.ts";

const toolsetsPath = new URL("../docs/toolsets.md", import.meta.url);
const toolsPath = new URL("../docs/tools.md", import.meta.url);
const marker = "<!-- The rest is written by `npm run docs`. -->";

/** Both pages as they should be. */
export async function writtenDocs(): Promise<{ path: URL; text: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), "stet-docs-"));
  try {
    const workspace = await Workspace.open(folder, { dataFolder: join(folder, "data") });
    if (isFault(workspace)) throw new Error(workspace.message);
    const pages = [
      {
        path: toolsetsPath,
        text: `${handWritten(toolsetsPath)}${(await proseSections(workspace)).join("\n")}`,
      },
      { path: toolsPath, text: `${handWritten(toolsPath)}${await codeSections(workspace)}` },
    ];
    workspace.close();
    return pages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function handWritten(path: URL): string {
  const [written = ""] = readFileSync(path, "utf8").split(marker);
  return `${written}${marker}\n\n`;
}

/** Tools can only be described by a toolset that is open, so one is opened over an empty folder. */
async function proseSections(workspace: Workspace): Promise<string[]> {
  const tab = workspace.tabs.create({ title: "paper.txt" });
  if (isFault(tab)) throw new Error(tab.message);
  const turn = workspace.beginTurn();
  const sections: string[] = [];
  for (const name of toolsetNames) {
    if (policyOf(name).runsCommands) continue;
    const toolset = await openToolset(name, bareCapabilities({ workspace, turn }));
    if (isFault(toolset)) throw new Error(toolset.message);
    sections.push(sectionOf(toolset));
  }
  return sections;
}

async function codeSections(workspace: Workspace): Promise<string> {
  const edits: string[] = [];
  let core: readonly Tool[] = [];
  let hidden: readonly Tool[] = [];
  for (const editMode of editModes) {
    const toolset = await codeToolset({
      workspace,
      turn: workspace.beginTurn({ isImmediate: true }),
      ask: async () => "",
      messages: () => [],
      readArtifact: undefined,
      sight: new Sight(),
      ports: {
        settings: { ...defaultCodeSettings, editMode },
        session: "",
        sessionRules: new SessionRules(),
        environment: {},
        isInteractive: true,
        configFolders: { project: undefined, user: undefined },
        keepArtifact: undefined,
        background,
        agents,
      },
    });
    const edit = toolset.tools.filter(({ name }) => name === "edit");
    edits.push(`### Mode \`${editMode}\`\n\n${describeTools(edit).map(bodyOf).join("")}`);
    core = toolset.tools.filter(({ name }) => name !== "edit");
    hidden = toolset.shelf.hidden;
  }
  return [
    `## Offered from the start\n\n${described(core)}`,
    `## \`edit\` in its six modes\n\n${edits.join("\n")}`,
    `## Found when they are needed\n\n${described(hidden)}`,
    `## Of an agent that was sent\n\n${described(toolsOfSent())}`,
  ].join("\n");
}

/** A session in which work may go on between turns, and that can send agents. */
const background = new Background({ isAsync: true, maxJobs: 1 }).of("main");

/** Enough for the tools to describe themselves; nobody is sent. */
const agents: AgentPorts = {
  delegation: {
    isAsync: true,
    mode: "default",
    agents: async () => builtinAgents(),
    refusal: () => undefined,
    allocate: (wishes) => wishes,
    send: () => {
      throw new Error("The documentation sends nobody");
    },
    standing: () => undefined,
  },
  known: builtinAgents(),
  messages: { self: "main", peers: () => [], say: async () => ({ reply: undefined }) },
  outputs: undefined,
  assignment: undefined,
  allowed: undefined,
  isNamed: false,
};

/** What it has beside the others: to give back its result, and findings. */
function toolsOfSent(): readonly Tool[] {
  const assignment = { schema: undefined, findings: [], yielded: undefined, reminders: 0 };
  const alone = { ...agents, delegation: undefined, messages: undefined, assignment };
  return agentTools(alone, background).offered;
}

function sectionOf({ name, tools }: Toolset): string {
  return `## Toolset ${name}: ${tools.length} tools\n\n${described(tools)}`;
}

function described(tools: readonly Tool[]): string {
  return describeTools(tools)
    .map((tool) => `### \`${tool.name}\`\n\n${bodyOf(tool)}`)
    .join("\n");
}

function bodyOf({ description, parameters }: ToolDescription): string {
  return `${description}\n\n${tableOf(parameters)}\n`;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function tableOf(parameters: Schema): string {
  const fields = Object.entries(parameters.properties ?? {});
  if (fields.length === 0) return "No parameters.";
  const rows = fields.map(([name, field]) => {
    const isRequired = parameters.required?.includes(name) === true;
    return `| \`${name}\` | ${typeOf(field)} | ${isRequired ? "yes" : ""} | ${field.description ?? ""} |`;
  });
  return ["| parameter | type | required | what it is |", "|---|---|---|---|", ...rows].join("\n");
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array")
    return `list of ${schema.items === undefined ? "anything" : typeOf(schema.items)}`;
  if (schema.type === "object" && schema.properties !== undefined) {
    return `object (${Object.keys(schema.properties)
      .map((name) => `\`${name}\``)
      .join(", ")})`;
  }
  return String(schema.type ?? "anything");
}
