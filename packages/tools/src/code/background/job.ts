import { setTimeout as pause } from "node:timers/promises";
import type { CancelOutcome, JobSnapshot } from "@stet/agent/background/jobs";
import {
  defineTool,
  type GivenArguments,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { listed } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import { effectLines } from "../bash/bash-answer.ts";
import { type BashContext, type Effect, noEffect } from "../bash/bash-context.ts";
import type { CodeSettings } from "../code-settings.ts";

interface Cancelled {
  readonly id: string;
  readonly status: CancelOutcome;
}

const progressMs = 500;

const schema = z.object({
  poll: z.array(z.string()).optional().describe("Ids to wait for"),
  cancel: z.array(z.string()).optional().describe("Ids to end"),
  list: z.boolean().optional().describe("Show all, without waiting"),
});

/** What it takes of a toolset. */
export interface JobContext extends Pick<BashContext, "background" | "aroundCommand"> {
  readonly settings: Pick<CodeSettings, "jobWait">;
}

export const job = (context: JobContext): Tool =>
  defineTool({
    name: "job",
    description: prompt(import.meta.url, "job"),
    traits: ["runs", "volatile"],
    words: jobWords,
    schema,
    async execute({ poll, cancel, list }, call) {
      const { jobs } = context.background;
      if (list) {
        if (poll !== undefined || cancel !== undefined) return combined();
        const all = jobs.all();
        acknowledge(context, all);
        return all.length === 0
          ? told("There are no background jobs.", [])
          : report(all, undefined, noEffect);
      }
      // Until the agent has seen them here, they are told nowhere else.
      const unwatch = context.background.watch([
        ...(poll ?? jobs.running().map(({ id }) => id)),
        ...(cancel ?? []),
      ]);
      try {
        return await pollAndCancel(context, { poll, cancel }, call);
      } finally {
        unwatch();
      }
    },
  });

async function pollAndCancel(
  context: JobContext,
  { poll, cancel }: Pick<z.infer<typeof schema>, "poll" | "cancel">,
  call: ToolContext,
): Promise<ToolOutcome> {
  const { jobs } = context.background;
  const cancelled = cancel?.map((id): Cancelled => ({ id, status: jobs.cancel(id) }));
  const shouldPoll = poll !== undefined || (cancel ?? []).length === 0;
  const watched = shouldPoll ? (poll ?? jobs.running().map(({ id }) => id)) : [];
  const known = watched.filter((id) => jobs.get(id) !== undefined);
  if (known.length === 0 && cancelled === undefined) {
    if (poll === undefined) return told("No running background jobs to wait for.", []);
    return told(`No matching jobs found for IDs: ${poll.join(", ")}`, []);
  }
  // What jobs change on disk is noticed here, because nobody looked while they were left to themselves.
  const isOfCommands = known.some((id) => jobs.get(id)?.type !== "task");
  const effect = isOfCommands
    ? await context.aroundCommand("maybe", () => waitFor(context, known, call))
    : { ...noEffect, result: await waitFor(context, known, call) };
  const ids = new Set([...known, ...(cancelled ?? []).map(({ id }) => id)]);
  const shown = [...ids].flatMap((id) => jobs.get(id) ?? []);
  acknowledge(context, shown);
  return report(shown, cancelled, effect);
}

/** What the agent has seen the end of is not told again. */
function acknowledge({ background }: JobContext, jobs: readonly JobSnapshot[]): void {
  background.acknowledge(jobs.filter(({ status }) => status !== "running").map(({ id }) => id));
}

/** Until one of them has ended, the time is over, or the call is aborted, which leaves the jobs as they are. */
async function waitFor(
  { background, settings }: JobContext,
  ids: readonly string[],
  call: ToolContext,
): Promise<void> {
  const { jobs } = background;
  const isRunning = (id: string) => jobs.get(id)?.status === "running";
  const running = ids.filter(isRunning);
  if (running.length === 0) return;
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, call.signal]);
  const show = () =>
    call.progress(
      ids
        .flatMap((id) => jobs.get(id) ?? [])
        .map(line)
        .join("\n"),
    );
  show();
  const timer = setInterval(show, progressMs);
  try {
    const over = pause(settings.jobWait * 1000, undefined, { signal }).catch(() => undefined);
    await Promise.race([jobs.firstToEnd(running), over]);
  } finally {
    clearInterval(timer);
    done.abort();
  }
}

function report(
  jobs: readonly JobSnapshot[],
  cancelled: readonly Cancelled[] | undefined,
  effect: Effect,
): ToolOutcome {
  const running = jobs.filter(({ status }) => status === "running");
  const ended = jobs.filter(({ status }) => status !== "running");
  const sections = [
    section(
      "Cancelled",
      (cancelled ?? []).map(({ id, status }) => `- ${id}: ${status}`),
    ),
    section(
      "Completed",
      ended.map((each) => [line(each), ...texts(each)].join("\n")),
    ),
    section(
      "Still Running",
      running.map((each) => [line(each), ...texts(each)].join("\n")),
    ),
    ...effectLines(effect),
  ];
  return told(sections.filter((text) => text !== "").join("\n\n"), jobs, cancelled);
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `## ${title} (${entries.length})\n${entries.join("\n")}`;
}

function line({ id, type, status, label, durationMs }: JobSnapshot): string {
  return `- ${id} (${type}) ${status} after ${(durationMs / 1000).toFixed(1)} s: ${label}`;
}

function texts({ resultText, errorText, outputText }: JobSnapshot): string[] {
  return [resultText, errorText, outputText?.trimEnd()].filter((text) => text !== undefined);
}

function told(content: string, jobs: readonly JobSnapshot[], cancelled?: readonly Cancelled[]): ToolOutcome {
  return { content, details: cancelled === undefined ? { jobs } : { jobs, cancelled } };
}

function combined(): Fault {
  return new Fault(
    "invalid_arguments",
    "list cannot be combined with poll or cancel.",
    "Call job with list alone, then with poll or cancel.",
  );
}

function jobWords({ cancel, poll }: GivenArguments): string {
  if (Array.isArray(cancel)) return `Cancel ${listed(cancel)}`;
  return Array.isArray(poll) ? `Wait for ${listed(poll)}` : "Look at the jobs";
}
