// What can be analysed, and the shape of each result. A chunk's result and the result of the whole have the same shape, so
// results can be merged level by level.

import * as z from "zod";
import { listOf, type Role, remark, written } from "./workshop.ts";

export const analysisTasks = ["characters", "plot", "style", "summary", "custom"] as const;
export type AnalysisTask = (typeof analysisTasks)[number];

export const charactersSchema = z.object({
  characters: listOf(
    {
      name: written("The name as the text writes it most often"),
      aliases: z.array(z.string()).default([]).describe("Other names in the text for the same character"),
      description: remark("Who this is, in one sentence"),
    },
    "Every person or being that acts or speaks; empty where there is none",
  ),
});

export const plotSchema = z.object({
  synopsis: written("What happens, in a few sentences"),
  threads: listOf(
    {
      title: written("The thread in a few words"),
      description: written("How it goes, in one or two sentences"),
    },
    "Lines of action that run through the text",
  ),
  events: listOf(
    {
      what: written("What happens, in one sentence"),
      where: remark("The chapter or section, where known"),
    },
    "The events that matter, in the order of the text",
  ),
});

export const styleSchema = z.object({
  point_of_view: written("Who tells it"),
  tense: written("The tense it is told in"),
  tone: written("The tone in a few words"),
  sentences: written("How sentences are built"),
  vocabulary: written("What kind of words are used"),
  dialogue: written("How people speak, and how speech is set"),
  features: z
    .array(written("One feature"))
    .describe("What else marks the style, each with a short quotation"),
});

export const summarySchema = z.object({
  summary: written("A summary in one paragraph"),
  key_points: z.array(written("One point, in one sentence")).describe("What one must know of it, in order"),
});

export const customSchema = z.object({
  answer: written("The answer to the instructions, in one paragraph"),
  findings: z.array(written("One finding, in one or two sentences")).describe("What the answer rests on"),
});

export type Characters = z.infer<typeof charactersSchema>;
export type Plot = z.infer<typeof plotSchema>;
export type Style = z.infer<typeof styleSchema>;
export type Summary = z.infer<typeof summarySchema>;
export type Custom = z.infer<typeof customSchema>;

/** For chunks, and for results that are merged. */
export interface AnalysisRoles<T> {
  readonly report: Role<T>;
  readonly merge: Role<T>;
}

export function rolesOf<T>(task: AnalysisTask, schema: z.ZodType<T>): AnalysisRoles<T> {
  return {
    report: { tool: `report_${task}`, prompts: [`analyse-${task}`], schema },
    merge: { tool: `merge_${task}`, prompts: ["merge", `analyse-${task}`], schema },
  };
}
