// What the practice model can do to documents, whatever the tools are called. Each toolset has one adapter to this, which
// turns it into calls and reads their results; the adapter with most of its tools offered is used.
//
// An adapter may remember what results said (versions, anchors): it is opened anew for each step, and hears every result of
// the turn again in the same order.

import { isRecord } from "@stet/protocol/json-record";
import type { ToolDescription } from "@stet/protocol/model-stream";
import type { ReplaceWish, RequestLanguage } from "./request.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";

export interface SearchHit {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface LineSearchOptions {
  /** A file, or a folder as `notes/**`. */
  readonly path?: string | undefined;
  readonly ignoresCase?: boolean;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** False where the tool's cap was reached: something that matches may not be in the hits. */
  readonly isComplete: boolean;
}

/** A document as it was read, whole. */
export interface ReadLines {
  readonly path: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
}

/** The lines from `first` to `last`, from 1, become `lines`. An insertion before `first` has the line before it as `last`. */
export interface RowEdit {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

export interface Edited {
  /** How many of the edits were applied. */
  readonly made: number;
  readonly obstacle: Obstacle | undefined;
}

export interface PracticeTools {
  /** What a document is called here. */
  readonly noun: "file" | "tab" | "paper";
  list(prefix?: string): Steps<readonly string[] | Obstacle>;
  /** Literal text. Finds a superset of the matches: the caller checks the lines itself. */
  search(text: string, options: LineSearchOptions): Steps<SearchAnswer | Obstacle>;
  read(path: string): Steps<ReadLines | Obstacle>;
  /** Edits of one reading, in the order of its lines. */
  edit(reading: ReadLines, edits: readonly RowEdit[], reason: string): Steps<Edited>;
  /** The default document where none is named; absent where none is in front. */
  front?(): Steps<string | Obstacle>;
  ask?(question: string, options: readonly string[]): Steps<string | Obstacle>;
  /** A tool's own way to replace in one document: how many matches; undefined where it has none for this request. */
  replace?(path: string, request: ReplaceWish): Steps<number | Obstacle> | undefined;
  run(command: string): Steps<string>;
  /** What is left to do and to say once everything else is done. */
  finish?(language: RequestLanguage): Steps<string | undefined>;
}

export interface ToolsetAdapter {
  /** The names of its tools. */
  readonly tools: readonly string[];
  open(tools: readonly ToolDescription[]): PracticeTools;
}

/** The adapter with most of its tools among those that are offered. */
export function adapterFor(
  adapters: readonly ToolsetAdapter[],
  offered: readonly ToolDescription[],
): ToolsetAdapter | undefined {
  const fit = ({ tools }: ToolsetAdapter) => offered.filter(({ name }) => tools.includes(name)).length;
  const [best] = adapters.toSorted((one, other) => fit(other) - fit(one));
  return best !== undefined && fit(best) > 0 ? best : undefined;
}

/** Makes a call of an offered tool, without what is undefined. */
export function* call(
  offered: readonly ToolDescription[],
  tool: string,
  thought: string,
  values: Fields,
  isText = false,
): Steps<Fields | Obstacle> {
  if (!offered.some(({ name }) => name === tool)) return notOffered(tool);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return yield { thought, tool, arguments: Object.fromEntries(given), ...(isText && { isText }) };
}

// biome-ignore lint/correctness/useYield: what cannot be done needs no call.
export function* runNothing(): Steps<string> {
  return "I have no tool here that runs commands. Toolset code has one (`--toolset code`).";
}

function notOffered(tool: string): Obstacle {
  return new Obstacle("not_offered", `The tool ${tool} is not offered here.`);
}

export function notWhole(path: string): Obstacle {
  return new Obstacle("cut", `${path} could not be read whole, so I leave it as it is.`);
}

export function textIn(value: Fields, name: string): string | undefined {
  const text = value[name];
  return typeof text === "string" ? text : undefined;
}

export function numberIn(value: Fields, name: string): number | undefined {
  const number = value[name];
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The objects of a list; anything else in it is left out. */
export function itemsIn(value: Fields, name: string): readonly Fields[] {
  const items = value[name];
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

/** A page of text as lines; a final line break ends the last line and does not begin another. */
export function pageLines(content: string, count: number | undefined): string[] {
  const lines = content.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "" && lines.length > (count ?? 1)) lines.pop();
  return lines;
}

export function edited(lines: readonly string[], edits: readonly RowEdit[]): string[] {
  const result = [...lines];
  for (const { first, last, lines: fresh } of edits.toReversed())
    result.splice(first - 1, last - first + 1, ...fresh);
  return result;
}

/** One call for each edit, from the last line to the first, so that the line numbers of the others remain valid. */
export function* oneByOne(
  edits: readonly RowEdit[],
  make: (edit: RowEdit, thought: string) => Steps<Obstacle | undefined>,
): Steps<Edited> {
  let made = 0;
  for (const edit of edits.toReversed()) {
    const thought =
      made > 0
        ? ""
        : `I start with the last place, line ${edit.first}, so that the other line numbers stay true.`;
    const obstacle = yield* make(edit, edits.length === 1 ? `I change line ${edit.first}.` : thought);
    if (obstacle !== undefined) return { made, obstacle };
    made += 1;
  }
  return { made, obstacle: undefined };
}
