// What the practice model's skills may do to documents, whatever the tools are called. Each toolset that it can use has
// one adapter to this; `adapters` is the table of them, and the one with most of its tools offered is used.
//
// An adapter may remember what results said (versions, tabs): it is opened anew for each step, and hears every result of
// the turn again in the same order.

import type { ToolDescription } from "@stet/protocol/model-stream";
import { codeToolNames, codeTools } from "./code.ts";
import { paperToolNames, paperTools } from "./paper.ts";
import type { Scope } from "./phrases.ts";
import { projectToolNames, projectTools } from "./project.ts";
import type { Language, Request } from "./request-lines.ts";
import type { CallRecord, Obstacle, Steps } from "./steps.ts";
import { tabsToolNames, tabsTools } from "./tabs.ts";
import type { Desk } from "./target.ts";

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
  /** Whether the last line has a line break; undefined where the tool does not tell. */
  readonly isClosed?: boolean;
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
  /** What a document is called here. */
  readonly noun: "file" | "tab" | "paper";
  can(ability: Ability): boolean;
  /** The name of the tool behind an ability. */
  tool(ability: Ability): string;
  /** What a place means here: a toolset with a document in front takes that one where none was named. */
  place(scope: Scope): Steps<Scope | Obstacle>;
  /** A way of its own to carry out a request; undefined where the common one is as good. */
  skill?(desk: Desk, request: Request): Steps<string> | undefined;
  /**
   * Literal text; `path` limits it to one file. Finds at least what is meant: the caller looks at the lines itself. A tool
   * that can ignore case is told whether it shall.
   */
  search(
    query: string,
    thought: string,
    path?: string,
    ignoresCase?: boolean,
  ): Steps<SearchAnswer | Obstacle>;
  read(path: string, thought: string): Steps<Reading | Obstacle>;
  /** Where there are more than can be listed, at least those that `names` may mean; without names an obstacle. */
  list(thought: string, prefix?: string, names?: readonly string[]): Steps<readonly string[] | Obstacle>;
  ask(question: string, options: readonly string[]): Steps<string | Obstacle>;
  edit(reading: Reading, edit: LineEdit, options: EditOptions): Steps<Obstacle | undefined>;
  /** All edits of one text in one call, all or none of them made; used instead of `edit` where there is one. */
  editAll?(reading: Reading, edits: readonly LineEdit[], options: EditOptions): Steps<Obstacle | undefined>;
  /** Whether an edit takes one line at a time. */
  readonly isLineByLine?: boolean;
  /** All lines at once, for more edits than calls are worth. */
  rewrite?(reading: Reading, lines: readonly string[], options: EditOptions): Steps<Obstacle | undefined>;
  /** Whether the person refused something: then nothing more is begun. */
  isStopped?(): boolean;
  /** What is left to do and to say once everything else is done. */
  finish?(language: Language): Steps<string | undefined>;
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
  { toolset: "tabs", tools: tabsToolNames, open: tabsTools },
  { toolset: "paper", tools: paperToolNames, open: paperTools },
  { toolset: "code", tools: codeToolNames, open: codeTools },
];

export function toolsetFor(tools: readonly ToolDescription[]): Toolset | undefined {
  return adapterFor(tools.map(({ name }) => name))?.open(tools);
}

/** The toolset that earlier calls were made with, for a request that offers no tools any more. */
export function toolsetOf(records: readonly CallRecord[]): Toolset | undefined {
  const adapter = adapterFor(records.map(({ tool }) => tool));
  return adapter?.open(adapter.tools.map((name) => asCalled(name, records)));
}

/** A tool with the parameters that it was given: they may be named otherwise than usual, or be those of another mode. */
function asCalled(name: string, records: readonly CallRecord[]): ToolDescription {
  const given = records
    .filter(({ tool }) => tool === name)
    .flatMap((record) => Object.entries(record.arguments));
  if (given.length === 0) return { name, description: "", parameters: {} };
  return {
    name,
    description: "",
    parameters: { properties: Object.fromEntries(given.map(([key]) => [key, {}])) },
  };
}

function adapterFor(names: readonly string[]): ToolsetAdapter | undefined {
  const counted = adapters.map((adapter) => ({
    adapter,
    count: adapter.tools.filter((name) => names.includes(name)).length,
  }));
  const [best] = counted.toSorted((one, other) => other.count - one.count);
  return best === undefined || best.count === 0 ? undefined : best.adapter;
}
