// The reference part of docs/toolsets.md, written from the tools' own schemas: `npm run docs`. A test tells when it is old.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeTools } from "@stet/agent/describe-tools";
import { isFault } from "@stet/protocol/fault";
import { openToolset } from "@stet/tools/open-toolset";
import { type Toolset, toolsetNames } from "@stet/tools/toolset";
import { Workspace } from "@stet/workspace/workspace";

const path = new URL("../docs/toolsets.md", import.meta.url);
const marker = "<!-- The rest is written by `npm run docs`. -->";

/** docs/toolsets.md as it should be. */
export async function toolsetDocs(): Promise<string> {
  const [written = ""] = readFileSync(path, "utf8").split(marker);
  const sections = (await openAll()).map(sectionOf);
  return `${written}${marker}\n\n${sections.join("\n")}`;
}

/** Tools can only be described by a toolset that is open, so one is opened over an empty folder. */
async function openAll(): Promise<Toolset[]> {
  const folder = mkdtempSync(join(tmpdir(), "stet-docs-"));
  try {
    const workspace = await Workspace.open(folder, { dataFolder: join(folder, "data") });
    if (isFault(workspace)) throw new Error(workspace.message);
    const tab = workspace.tabs.create({ title: "paper.txt" });
    if (isFault(tab)) throw new Error(tab.message);
    const turn = workspace.beginTurn();
    const toolsets: Toolset[] = [];
    for (const name of toolsetNames) {
      const ask = async () => "";
      const toolset = await openToolset(name, { workspace, turn, ask, messages: () => [] });
      if (isFault(toolset)) throw new Error(toolset.message);
      toolsets.push(toolset);
    }
    workspace.close();
    return toolsets;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sectionOf({ name, tools }: Toolset): string {
  const described = describeTools(tools).map(({ name: tool, description, parameters }) => {
    return `### \`${tool}\`\n\n${description}\n\n${tableOf(parameters)}\n`;
  });
  return `## Toolset ${name}: ${tools.length} tools\n\n${described.join("\n")}`;
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

if (import.meta.main) writeFileSync(path, await toolsetDocs());
