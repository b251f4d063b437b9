// What the practice model's skills may do to a project, whatever the tools are called. Each toolset that it can use has
// one adapter to this; `adapters` is the table of them, and the first whose tools are offered is used.

import type { ToolDescription } from "@stet/protocol/model-stream";
import { projectToolNames, projectTools } from "./practice-project.ts";
import type { Obstacle, Steps } from "./practice-steps.ts";

export interface Hit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly snippet: string;
}

export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** False where the tool's cap was reached: something that matches may not be in the hits. */
  readonly isComplete: boolean;
}

/** A file as it was read, whole. */
export interface Reading {
  readonly path: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
  /** Whether the hash of lines, computed here, is the one that the tool computes. */
  readonly isHashKnown: boolean;
}

/** Lines count from 1; ranges include both ends. */
export type LineEdit =
  | { readonly operation: "replace"; readonly first: number; readonly last: number; readonly text: string }
  | { readonly operation: "insert"; readonly before: number; readonly text: string }
  | { readonly operation: "delete"; readonly first: number; readonly last: number };

export interface EditOptions {
  readonly reason: string;
  readonly thought: string;
  /** The same edit was refused before: an adapter may then say it in another way. */
  readonly isRepeated: boolean;
}

export type Ability = "search" | "read" | "list" | "ask" | "edit";

export interface Toolset {
  can(ability: Ability): boolean;
  /** Literal text; `path` limits it to one file. Finds at least what is meant: the caller looks at the lines itself. */
  search(query: string, thought: string, path?: string): Steps<SearchAnswer | Obstacle>;
  read(path: string, thought: string): Steps<Reading | Obstacle>;
  list(thought: string, prefix?: string): Steps<readonly string[] | Obstacle>;
  ask(question: string, options: readonly string[]): Steps<string | Obstacle>;
  edit(reading: Reading, edit: LineEdit, options: EditOptions): Steps<Obstacle | undefined>;
}

export interface ToolsetAdapter {
  readonly toolset: string;
  /** The names of its tools. */
  readonly tools: readonly string[];
  /** Undefined where none of its tools are offered. */
  open(tools: readonly ToolDescription[]): Toolset | undefined;
}

const adapters: readonly ToolsetAdapter[] = [
  { toolset: "project", tools: projectToolNames, open: projectTools },
];

export function toolsetFor(tools: readonly ToolDescription[]): Toolset | undefined {
  for (const adapter of adapters) {
    const toolset = adapter.open(tools);
    if (toolset !== undefined) return toolset;
  }
  return undefined;
}

/** The toolset that earlier calls were made with, for a request that offers no tools any more. */
export function toolsetOf(calledTools: readonly string[]): Toolset | undefined {
  const adapter = adapters.find(({ tools }) => calledTools.some((name) => tools.includes(name)));
  return adapter?.open(adapter.tools.map((name) => ({ name, description: "", parameters: {} })));
}
