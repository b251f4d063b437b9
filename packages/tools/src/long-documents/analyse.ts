// Analysing a document of any length: chunk analysers in parallel, then aggregators, level by level, until one result is left.

import { Fault, isFault } from "@stet/protocol/fault";
import type * as z from "zod";
import {
  type AnalysisTask,
  charactersSchema,
  customSchema,
  plotSchema,
  rolesOf,
  styleSchema,
  summarySchema,
} from "./analysis-kinds.ts";
import { type Analysis, finishCustom, finishPlot, finishSummary } from "./analysis-reports.ts";
import { finishCharacters } from "./characters.ts";
import { chunkName, chunksOf, emptyFault, type SourceDocument } from "./document-chunks.ts";
import { finishStyle } from "./style-measures.ts";
import { assign, type Workshop } from "./workshop.ts";

export interface AnalysisRequest {
  readonly task: AnalysisTask;
  readonly customPrompt?: string | undefined;
}

export async function analyse(
  workshop: Workshop,
  document: SourceDocument,
  request: AnalysisRequest,
): Promise<Analysis | Fault> {
  const { task, customPrompt = "" } = request;
  const run = <T>(schema: z.ZodType<T>, finish: (result: T, document: SourceDocument) => Analysis) =>
    resultFor(workshop, document, request, schema, finish);
  if (task === "custom" && customPrompt.trim() === "") {
    return new Fault(
      "invalid_arguments",
      'The task "custom" needs custom_prompt: what should be found out?',
      "Give custom_prompt, or choose another task.",
      { missing: "custom_prompt" },
    );
  }
  const empty = emptyFault(document);
  if (empty !== undefined) return empty;
  switch (task) {
    case "characters":
      return run(charactersSchema, finishCharacters);
    case "plot":
      return run(plotSchema, finishPlot);
    case "style":
      return run(styleSchema, finishStyle);
    case "summary":
      return run(summarySchema, finishSummary);
    case "custom":
      return run(customSchema, finishCustom);
  }
}

interface Partial<T> {
  /** The chapter or section that it tells of. */
  readonly part: string;
  readonly result: T;
}

async function resultFor<T>(
  workshop: Workshop,
  document: SourceDocument,
  { task, customPrompt }: AnalysisRequest,
  schema: z.ZodType<T>,
  finish: (result: T, document: SourceDocument) => Analysis,
): Promise<Analysis | Fault> {
  const roles = rolesOf(task, schema);
  const instructions = customPrompt === undefined ? {} : { instructions: customPrompt };
  const chunks = await chunksOf(document, workshop.chunkTokens);
  const results = await assign(
    workshop,
    roles.report,
    chunks.map((chunk) => ({
      name: chunkName(chunk, chunks),
      task: { analyse: task, section: chunk.heading, ...instructions },
      context: chunk.before,
      document: chunk.text,
    })),
    { doing: "Analysing parts", isKept: true },
  );
  if (isFault(results)) return results;
  let partials = results.map((result, index) => ({ part: chunks[index]?.heading ?? "", result }));
  while (partials.length > 1) {
    const merged = await mergeOnce(workshop, roles.merge, partials, { analyse: task, ...instructions });
    if (isFault(merged)) return merged;
    partials = merged;
  }
  const [whole] = partials;
  if (whole === undefined) throw new Error("a document has at least one chunk");
  return finish(whole.result, document);
}

/** Neighbours merged as far as the budget reaches: at most half as many are left. */
async function mergeOnce<T>(
  workshop: Workshop,
  role: Parameters<typeof assign<T>>[1],
  partials: readonly Partial<T>[],
  task: Readonly<Record<string, unknown>>,
): Promise<Partial<T>[] | Fault> {
  const { loadTokenCounter } = await import("../count-tokens.ts");
  const measure = await loadTokenCounter();
  const groups = groupsWithin(partials, workshop.chunkTokens, (one) => measure(JSON.stringify(one)));
  const open = groups.filter((group) => group.length > 1);
  const merged = await assign(
    workshop,
    role,
    open.map((group, index) => ({
      name: `the results of ${group.length} parts (${index + 1} of ${open.length})`,
      task,
      document: `[\n${group.map((one) => JSON.stringify(one)).join(",\n")}\n]`,
    })),
    { doing: "Joining results", isKept: true },
  );
  if (isFault(merged)) return merged;
  const next = merged[Symbol.iterator]();
  return groups.map((group) => {
    const [first] = group;
    if (group.length === 1 && first !== undefined) return first;
    return { part: spanOf(group), result: next.next().value as T };
  });
}

/** "CHAPTER 1 – CHAPTER 9" */
function spanOf<T>(group: readonly Partial<T>[]): string {
  const first = group[0]?.part.split(" – ")[0] ?? "";
  const last = group.at(-1)?.part.split(" – ").at(-1) ?? "";
  return first === last ? first : `${first} – ${last}`;
}

/** Runs of neighbours whose sizes fit the budget together, never one alone where it has a neighbour to join. */
export function groupsWithin<T>(items: readonly T[], budget: number, size: (item: T) => number): T[][] {
  const groups: { items: T[]; size: number }[] = [];
  for (const item of items) {
    const grown = size(item);
    const last = groups.at(-1);
    if (last !== undefined && (last.items.length < 2 || last.size + grown <= budget)) {
      last.items.push(item);
      last.size += grown;
    } else {
      groups.push({ items: [item], size: grown });
    }
  }
  return groups.map((group) => group.items);
}
