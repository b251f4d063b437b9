// An agent that can be sent to work: who it is, what it may use, and what it is told. Built in, or a Markdown file:
//
//   ---
//   name: translator                  the file's name unless given
//   description: Translates chapters  for whoever chooses; needed
//   tools: read, search, edit         all unless given
//   spawns: explore                   whom it may send in turn; * for all, nobody unless given
//   output: { properties: … }         the form of its result, as a JSON Type Definition
//   model: anthropic/claude-haiku-4-5 the parent's unless given; not in a project's file
//   thinking: low
//   toolset: code                     code unless given
//   permission: auto-edit             never more than the parent's
//   blocking: true                    the parent always waits for it
//   isolated: true                    a folder of its own, unless the call says otherwise
//   maxTokens, maxCost, maxMinutes    caps of its own
//   ---
//   What it is told.
//
// Other keys are ignored: files that were written for other programs have some. A file that cannot be used is an agent with
// a problem, which whoever asks for it is told.

import type { AgentSource } from "@stet/protocol/api/agents";
import { isRecord } from "@stet/protocol/json-record";
import { type ThinkingLevel, thinkingLevels } from "@stet/protocol/model-stream";
import { type PermissionMode, permissionModes } from "@stet/protocol/permission-mode";
import { type ToolsetName, toolsetNames } from "@stet/protocol/toolset";

export interface AgentDefinition {
  readonly name: string;
  readonly source: AgentSource;
  /** Its file; empty for one that is built in. */
  readonly from: string;
  readonly description: string;
  /** What it is told, below what every agent is told. */
  readonly prompt: string;
  readonly tools?: readonly string[] | undefined;
  readonly spawns?: readonly string[] | undefined;
  readonly output?: unknown;
  readonly model?: string | undefined;
  readonly thinking?: ThinkingLevel | undefined;
  readonly toolset?: ToolsetName | undefined;
  readonly permission?: PermissionMode | undefined;
  readonly blocking?: boolean | undefined;
  readonly isolated?: boolean | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly maxMinutes?: number | undefined;
  /** Why it cannot be used. */
  readonly problem?: string | undefined;
}

export interface AgentFile {
  readonly path: string;
  /** Without its ending. */
  readonly name: string;
  readonly text: string;
  readonly source: AgentSource;
}

export async function readAgent(file: AgentFile): Promise<AgentDefinition> {
  const { path: from, source, text } = file;
  const broken = (problem: string): AgentDefinition => {
    return { name: file.name, source, from, description: "", prompt: "", problem };
  };
  const [, head, body = ""] = /^﻿?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === undefined) return broken("it does not begin with front matter between two lines of ---");
  const { parse } = await import("yaml");
  let front: unknown;
  try {
    // Lines are counted from the file's first one.
    front = parse(`\n${head}`);
  } catch (error) {
    return broken(`its front matter does not parse: ${firstLine(error)}`);
  }
  if (!isRecord(front)) return broken("its front matter is no list of keys and values");
  const fields = new Fields(front);
  const definition: AgentDefinition = {
    name: fields.text("name") ?? file.name,
    source,
    from,
    description: fields.text("description") ?? "",
    prompt: body.trim(),
    tools: fields.list("tools"),
    spawns: fields.list("spawns"),
    output: front.output,
    // A folder never chooses a model, however much it is trusted.
    model: source === "project" ? undefined : fields.text("model"),
    thinking: fields.oneOf(thinkingLevels, "thinking", "thinking-level", "thinkingLevel"),
    toolset: fields.oneOf(toolsetNames, "toolset"),
    permission: fields.oneOf(permissionModes, "permission"),
    blocking: fields.flag("blocking"),
    isolated: fields.flag("isolated"),
    maxTokens: fields.amount("maxTokens"),
    maxCost: fields.amount("maxCost"),
    maxMinutes: fields.amount("maxMinutes"),
  };
  const problem = fields.problem ?? problemOf(definition);
  return problem === undefined ? definition : { ...definition, problem };
}

const namePattern = /^[a-z0-9][a-z0-9_-]{0,47}$/i;

function problemOf({ name, description, prompt }: AgentDefinition): string | undefined {
  if (!namePattern.test(name)) return `its name ${JSON.stringify(name)} has characters that no name has`;
  if (description === "") return "it has no description, so nobody could choose it";
  return prompt === "" ? "it is told nothing: there is no text below its front matter" : undefined;
}

/** Reads fields, and keeps the first problem. */
class Fields {
  readonly #front: Readonly<Record<string, unknown>>;
  problem: string | undefined;

  constructor(front: Readonly<Record<string, unknown>>) {
    this.#front = front;
  }

  text(key: string): string | undefined {
    const value = this.#front[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value.trim() : this.#wrong(key, "a text");
  }

  /** Written as a list, or with commas. */
  list(key: string): readonly string[] | undefined {
    const value = this.#front[key];
    if (value === undefined || value === null) return undefined;
    const names = typeof value === "string" ? value.split(",") : value;
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
      return this.#wrong(key, "a list of names");
    return names.map((name) => name.trim()).filter((name) => name !== "");
  }

  oneOf<const Name extends string>(names: readonly Name[], ...keys: readonly string[]): Name | undefined {
    const key = keys.find((name) => this.#front[name] !== undefined);
    if (key === undefined) return undefined;
    // YAML reads a bare off as false.
    const value = this.#front[key] === false ? "off" : this.#front[key];
    return names.find((name) => name === value) ?? this.#wrong(key, `one of ${names.join(", ")}`);
  }

  flag(key: string): boolean | undefined {
    const value = this.#front[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === "boolean" ? value : this.#wrong(key, "true or false");
  }

  amount(key: string): number | undefined {
    const value = this.#front[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === "number" && value > 0 ? value : this.#wrong(key, "a number above 0");
  }

  #wrong(key: string, what: string): undefined {
    this.problem ??= `its ${key} is ${JSON.stringify(this.#front[key])}, and not ${what}`;
    return undefined;
  }
}

/** Whether its tools run commands. */
export function runsCommands({ tools }: AgentDefinition): boolean {
  return tools === undefined || tools.some((name) => name === "bash" || name === "exec");
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n", 1)[0] ?? "").replace(/:$/, "");
}

/** Later ones come before earlier ones of the same name; one with a problem hides nobody that works. */
export function byName(definitions: readonly AgentDefinition[]): AgentDefinition[] {
  const found = new Map<string, AgentDefinition>();
  for (const definition of definitions) {
    const key = definition.name.toLowerCase();
    const known = found.get(key);
    if (definition.problem === undefined || known === undefined || known.problem !== undefined)
      found.set(key, definition);
  }
  return [...found.values()];
}
