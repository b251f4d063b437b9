// Where a long document is worked on: its chunks, the subagents, what is kept of their results, and how a person is told.

import type { Subagents, SubagentTask } from "@stet/agent/subagents";
import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { keyOf, type StoredResults } from "./stored-results.ts";
import { promptOf, systemOf } from "./subagent-prompt.ts";

export interface Workshop {
  readonly subagents: Subagents;
  readonly kept: StoredResults | undefined;
  /** What one subagent gets of a document, in tokens. */
  readonly chunkTokens: number;
  readonly signal: AbortSignal;
  progress(text: string): void;
  active(count: number): void;
}

/** A kind of subagent: its one tool, its instructions (files subagent-<name>.md) and the shape of its result. */
export interface Role<T> {
  readonly tool: string;
  readonly prompts: readonly string[];
  readonly schema: z.ZodType<T>;
}

export interface Assignment<T> {
  readonly name: string;
  readonly task: Readonly<Record<string, unknown>>;
  readonly context?: string;
  readonly document: string;
  readonly check?: (result: T) => string | undefined;
}

const description = "Returns the result of your work. Call it exactly once.";

/** One subagent for each assignment. What is told to the person: `<doing>: 12 of 80`. */
export async function assign<T>(
  workshop: Workshop,
  role: Role<T>,
  assignments: readonly Assignment<T>[],
  { doing, isKept }: { readonly doing: string; readonly isKept: boolean },
): Promise<T[] | Fault> {
  const { subagents, kept, signal } = workshop;
  const system = systemOf(role.prompts);
  const tool = { name: role.tool, description };
  const results = new Array<T>(assignments.length);
  const open: { index: number; key: string; task: SubagentTask<T> }[] = [];
  for (const [index, { name, check, ...material }] of assignments.entries()) {
    const prompt = promptOf(material);
    const key = isKept ? keyOf({ modelId: subagents.modelId, tool, system, prompt }) : "";
    const known = isKept ? role.schema.safeParse(kept?.get(key)) : undefined;
    const task = {
      name,
      system,
      prompt,
      schema: role.schema,
      tool,
      ...(check === undefined ? {} : { check }),
    };
    if (known?.success && check?.(known.data) === undefined) results[index] = known.data;
    else open.push({ index, key, task });
  }
  let done = assignments.length - open.length;
  const tell = () => workshop.progress(`${doing}: ${done} of ${assignments.length}`);
  if (open.length > 0) tell();
  const found = await subagents.runAll(
    open.map(({ task }) => task),
    {
      signal,
      onActive: (active) => workshop.active(active),
      onResult: (result, at) => {
        const { key = "" } = open[at] ?? {};
        if (isKept) kept?.set(key, result);
        done += 1;
        tell();
      },
    },
  );
  if (isFault(found)) return found;
  for (const [at, result] of found.entries()) {
    const index = open[at]?.index;
    if (index !== undefined) results[index] = result;
  }
  return results;
}

export async function assignOne<T>(
  workshop: Workshop,
  role: Role<T>,
  assignment: Assignment<T>,
  options: { readonly doing: string; readonly isKept: boolean },
): Promise<T | Fault> {
  const results = await assign(workshop, role, [assignment], options);
  return isFault(results) ? results : (results[0] as T);
}

/** A text that a model writes; an empty one is no answer. */
export const written = (description: string) => z.string().trim().min(1).describe(description);

/** A text that may be left out. */
export const remark = (description: string) => z.string().default("").describe(description);

/** A list of things of one shape. */
export function listOf<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  return z.array(z.object(shape)).describe(description);
}

export function roleOf<Shape extends z.ZodRawShape>(tool: string, prompt: string, shape: Shape) {
  return { tool, prompts: [prompt], schema: z.object(shape) };
}
