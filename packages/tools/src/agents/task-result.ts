// What an agent gave back, for the model that sent it and for people.

import type { AgentStatus } from "@stet/protocol/api/agents";
import { beginningOf, cutText } from "@stet/protocol/cut-text";
import { addUsage, noUsage } from "@stet/protocol/message";
import type { ChildConflict, ChildResult } from "./delegation.ts";

/** Characters of an output that are told at once. */
export const fullOutputThreshold = 5000;
const maxConflicts = 10;
const maxConflictLines = 12;
const maxConflictLine = 200;

export function resultText(result: ChildResult): string {
  const { id, agent, status, durationMs, usage, output, stderr, turn, changed, conflicts, patchPath } =
    result;
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  const head = `## ${id} (${agent}) ${status} after ${(durationMs / 1000).toFixed(1)} s, ${tokens} tokens`;
  return [
    head,
    ...(output.trim() === "" ? [] : [shortened(output.trim(), id)]),
    ...(stderr === "" ? [] : [stderr]),
    ...(turn === undefined ? [] : [`Changed: ${changed.join(", ")}`]),
    ...(conflicts.length === 0 ? [] : [conflictText(conflicts)]),
    ...(patchPath === undefined ? [] : [`What is not in the files is kept as a patch: agent://${id}.patch`]),
  ].join("\n");
}

function shortened(output: string, id: string): string {
  if (output.length <= fullOutputThreshold) return output;
  const shown = beginningOf(output, fullOutputThreshold);
  const rest = output.length - shown.length;
  return `${shown}\n[… ${rest} more characters: read agent://${id}]`;
}

function conflictText(conflicts: readonly ChildConflict[]): string {
  const shown = conflicts.slice(0, maxConflicts).map(({ path, line, theirs, own }) => {
    return [`${path}:${line}`, ...side("is now", theirs), ...side("was to be", own)].join("\n");
  });
  const more = conflicts.length - shown.length;
  const count = `${conflicts.length} ${conflicts.length === 1 ? "change does" : "changes do"} not fit any more, and nothing was overwritten:`;
  return [count, ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function side(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`  ${title}: (nothing)`];
  const shown = lines.slice(0, maxConflictLines).map((line) => `  | ${cutText(line, maxConflictLine)}`);
  const more = lines.length - maxConflictLines;
  return [`  ${title}:`, ...shown, ...(more > 0 ? [`  | … ${more} more lines`] : [])];
}

/** How far an agent is, as the call leaves it. */
export interface TaskProgress {
  readonly id: string;
  readonly agent: string;
  readonly description: string;
  readonly status: AgentStatus;
}

export function detailsOf(
  results: readonly ChildResult[],
  totalDurationMs: number,
  progress: readonly TaskProgress[] = results,
) {
  const usage = results.reduce((sum, result) => addUsage(sum, result.usage), noUsage);
  const outputPaths = results.flatMap(({ outputPath }) => outputPath ?? []);
  return {
    results: results.map((result, index) => {
      const { findings, usage: used, ...rest } = result;
      const tokens = used.input + used.cacheRead + used.cacheWrite + used.output;
      const extracted = findings.length === 0 ? {} : { extractedToolData: { report_finding: findings } };
      return { index, ...rest, tokens, ...extracted };
    }),
    totalDurationMs: Math.round(totalDurationMs),
    usage,
    outputPaths,
    progress: progress.map(({ id, agent, description, status }, index) => {
      return { index, id, agent, description, status };
    }),
  };
}
