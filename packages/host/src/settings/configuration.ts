// Configuration: every value with where it came from. Later sources win:
//
//   default  <  user file  <  project file (only in a trusted folder)  <  environment  <  flag
//
// A project file may not name a model's address or a command: only what `projectKeys` lists is taken from it.

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { thinkingLevels } from "@stet/protocol/model-stream";
import { attempt } from "@stet/protocol/system-fault";
import { defaultToolset, toolsetNames } from "@stet/protocol/toolset";
import { homeFolder, xdgFolder } from "@stet/workspace/files/state-folder";
import * as z from "zod";
import { agentDefaults, agentSettingsShape } from "./agent-settings.ts";
import { codeDefaults, codeProjectKeys, codeSettingsShape } from "./code-settings.ts";
import { modelDefaults, modelSettingsShape } from "./model-settings.ts";
import { terminalDefaults, terminalSettingsShape } from "./terminal-settings.ts";

/** Built when a file is to be checked or the settings are to be explained: most turns need neither. */
export function settingsSchema() {
  return z
    .object({
      ...modelSettingsShape(),
      toolset: z.enum(toolsetNames).describe("which tools the agent has"),
      review: z.enum(["hunk", "turn", "none"]).describe("how its changes are decided"),
      maxToolCalls: z.number().int().positive().describe("tool calls in one turn"),
      maxIterations: z.number().int().positive().describe("requests to the model in one turn"),
      maxCost: z.number().positive().nullable().describe("US dollars for one turn"),
      maxTokens: z.number().int().positive().nullable().describe("tokens for one turn"),
      embeddings: z
        .string()
        .describe("who turns text into vectors for search by meaning: embedded, off, or provider/name"),
      "compaction.enabled": z
        .boolean()
        .describe("whether a conversation that fills most of the model's context is summarised"),
      "compaction.keepRecentTokens": z
        .number()
        .int()
        .positive()
        .describe("tokens of the newest messages that stay as they are; at most a quarter of the context"),
      "branchSummary.enabled": z
        .boolean()
        .describe("whether going back in a conversation leaves a summary of what was said since"),
      "titles.model": z
        .string()
        .describe(
          "who names a session after its first turn: provider/name, same for the session's own; empty: its first words do",
        ),
      subagents: z.number().int().positive().describe("subagents that work at the same time"),
      "ai.tokenBudget.initialRead": z
        .number()
        .int()
        .positive()
        .describe("tokens that one read of a tab returns"),
      "ai.tokenBudget.chunkSize": z
        .number()
        .int()
        .positive()
        .describe("tokens of a document for one subagent"),
      "ai.tokenBudget.responseReserve": z
        .number()
        .int()
        .positive()
        .describe("tokens kept free for its answer"),
      ...codeSettingsShape(),
      ...agentSettingsShape(),
      ...terminalSettingsShape(),
    })
    .strict();
}

export type Settings = z.infer<ReturnType<typeof settingsSchema>>;
export type SettingName = keyof Settings;
export type SettingSource = "default" | "user" | "project" | "environment" | "flag";

export interface Setting {
  readonly name: SettingName;
  readonly value: unknown;
  readonly source: SettingSource;
  /** The file or variable that it came from. */
  readonly from: string;
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(defaults, name);
}

/** What each setting means. */
export function settingDescriptions(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settingsSchema().shape).map(([name, field]) => [name, field.description ?? ""]),
  );
}

/** All that a setting can be, for those with few values. */
export function settingValues(): Readonly<Record<string, unknown[]>> {
  const few = Object.entries(settingsSchema().shape).flatMap(([name, field]): [string, unknown[]][] => {
    if (field instanceof z.ZodBoolean) return [[name, [true, false]]];
    return field instanceof z.ZodEnum ? [[name, [...field.options]]] : [];
  });
  return { ...Object.fromEntries(few), thinking: ["", ...thinkingLevels] };
}

export interface Configuration {
  readonly settings: Settings;
  readonly origins: readonly Setting[];
}

const defaults: Settings = {
  ...modelDefaults,
  toolset: defaultToolset,
  review: "hunk",
  maxToolCalls: 200,
  maxIterations: 200,
  maxCost: null,
  maxTokens: null,
  embeddings: "embedded",
  "compaction.enabled": true,
  "compaction.keepRecentTokens": 20_000,
  "branchSummary.enabled": false,
  "titles.model": "",
  subagents: 4,
  "ai.tokenBudget.initialRead": 6000,
  "ai.tokenBudget.chunkSize": 4000,
  "ai.tokenBudget.responseReserve": 2000,
  ...codeDefaults,
  ...agentDefaults,
  ...terminalDefaults,
};

const projectKeys: readonly SettingName[] = [
  "toolset",
  "review",
  "maxToolCalls",
  "maxIterations",
  "subagents",
  "ai.tokenBudget.initialRead",
  "ai.tokenBudget.chunkSize",
  "ai.tokenBudget.responseReserve",
  ...codeProjectKeys,
];

export function userConfigFolder(environment: NodeJS.ProcessEnv): string {
  return xdgFolder(environment.XDG_CONFIG_HOME, join(homeFolder(environment), ".config"));
}

export function userConfigFile(environment: NodeJS.ProcessEnv): string {
  return join(userConfigFolder(environment), "config.json");
}

export interface ConfigurationInput {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly isTrusted: boolean;
  readonly flags?: Partial<Settings>;
}

export function loadConfiguration(input: ConfigurationInput): Configuration | Fault {
  const { folder, environment, isTrusted, flags = {} } = input;
  const userPath = userConfigFile(environment);
  const projectPath = join(folder, ".stet", "config.json");
  const user = readSettings(userPath);
  if (isFault(user)) return user;
  const project = isTrusted ? readSettings(projectPath) : {};
  if (isFault(project)) return project;
  const layers: [SettingSource, string, Partial<Settings>][] = [
    ["default", "", defaults],
    ["user", userPath, user],
    ["project", projectPath, fromProject(project, user)],
    ["environment", "STET_MODEL", environment.STET_MODEL ? { model: environment.STET_MODEL } : {}],
    ["flag", "", flags],
  ];
  const origins: Setting[] = Object.keys(defaults).map((name) => {
    const [source, from, layer] = layers.findLast(
      ([, , values]) => values[name as SettingName] !== undefined,
    ) ?? ["default", "", defaults];
    const value = layer[name as SettingName];
    return { name: name as SettingName, value, source, from };
  });
  const settings: Settings = Object.assign({}, ...layers.map(([, , values]) => values));
  return { settings, origins };
}

/** What a project may say. Its rules of permission come after the person's, and none of them allows anything. */
function fromProject(project: Partial<Settings>, user: Partial<Settings>): Partial<Settings> {
  const taken: Partial<Settings> = Object.fromEntries(
    Object.entries(project).filter(([name]) => projectKeys.includes(name as SettingName)),
  );
  const rules = taken["permission.rules"]?.filter(({ effect }) => effect !== "allow");
  if (rules === undefined) return taken;
  return { ...taken, "permission.rules": [...(user["permission.rules"] ?? []), ...rules] };
}

function readSettings(path: string): Partial<Settings> | Fault {
  const content = readConfigFile(path);
  if (isFault(content)) return content;
  const parsed = settingsSchema().partial().safeParse(content);
  if (parsed.success)
    return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  return broken(path, z.prettifyError(parsed.error));
}

/** What is in a file, before it is checked. */
export function readConfigFile(path: string): unknown {
  // A link that leads nowhere is a file that is missing, not one that never was.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return {};
  const bytes = attempt("read", path, () => readFileSync(path));
  if (isFault(bytes)) return bytes.error === "not_permitted" ? bytes : broken(path, bytes.message);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return broken(path, `it is not valid JSON: ${reason}`);
  }
}

function broken(path: string, reason: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The configuration ${path} cannot be used: ${reason}`,
    "Correct the file, or move it aside.",
    { path },
  );
}
