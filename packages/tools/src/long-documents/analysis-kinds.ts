// What can be analysed, and the shape of each result. A chunk's result and the result of the whole have the same shape, so
// results can be merged level by level.

import * as z from "zod";
import { type Role, told } from "./workshop.ts";

export const analysisTasks = ["characters", "plot", "style", "summary", "custom"] as const;
export type AnalysisTask = (typeof analysisTasks)[number];

export const charactersSchema = z.object({
  characters: z
    .array(
      z.object({
        name: told("The name as the text writes it most often"),
        aliases: z.array(z.string()).default([]).describe("Other names in the text for the same character"),
        description: z.string().default("").describe("Who this is, in one sentence"),
      }),
    )
    .describe("Every person or being that acts or speaks; empty where there is none"),
});

export const plotSchema = z.object({
  synopsis: told("What happens, in a few sentences"),
  threads: z
    .array(
      z.object({
        title: told("The thread in a few words"),
        description: told("How it goes, in one or two sentences"),
      }),
    )
    .describe("Lines of action that run through the text"),
  events: z
    .array(
      z.object({
        what: told("What happens, in one sentence"),
        where: z.string().default("").describe("The chapter or section, where known"),
      }),
    )
    .describe("The events that matter, in the order of the text"),
});

export const styleSchema = z.object({
  point_of_view: told("Who tells it"),
  tense: told("The tense it is told in"),
  tone: told("The tone in a few words"),
  sentences: told("How sentences are built"),
  vocabulary: told("What kind of words are used"),
  dialogue: told("How people speak, and how speech is set"),
  features: z.array(told("One feature")).describe("What else marks the style, each with a short quotation"),
});

export const summarySchema = z.object({
  summary: told("A summary in one paragraph"),
  key_points: z.array(told("One point, in one sentence")).describe("What one must know of it, in order"),
});

export const customSchema = z.object({
  answer: told("The answer to the instructions, in one paragraph"),
  findings: z.array(told("One finding, in one or two sentences")).describe("What the answer rests on"),
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
