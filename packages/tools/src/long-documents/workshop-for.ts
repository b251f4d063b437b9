// The workshop of one tool call.

import type { Subagents } from "@stet/agent/subagents";
import type { ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { TabsContext, TokenBudget } from "../tabs/tabs-context.ts";
import { type StoredResults, withKeptResults } from "./stored-results.ts";
import type { Workshop } from "./workshop.ts";

export async function inWorkshop<T>(
  { workspace, subagents, tokenBudget }: TabsContext,
  { signal, progress, subagents: active }: ToolContext,
  action: (workshop: Workshop) => Promise<T | Fault>,
): Promise<T | Fault> {
  if (subagents === undefined) return noModel();
  const workshop = (kept: StoredResults | undefined, agents: Subagents): Workshop => ({
    subagents: agents,
    kept,
    chunkTokens: chunkTokens(agents.contextWindow, tokenBudget),
    signal,
    progress,
    active,
  });
  const result = await withKeptResults(workspace, (kept) => action(workshop(kept, subagents)));
  if (!isFault(result) || result.error !== "subagent_failed") return result;
  const { error, message, suggestion, details } = result;
  return new Fault(error, `${message} Nothing was changed.`, suggestion, details);
}

/** What a subagent is told beside its chunk, in tokens, about. */
const instructionTokens = 1500;
const leastChunk = 500;

/** A chunk leaves room in the model's context for the instructions and for the answer. */
function chunkTokens(contextWindow: number, { chunkSize, responseReserve }: TokenBudget): number {
  const room = contextWindow - responseReserve - instructionTokens;
  return Math.max(leastChunk, Math.min(chunkSize, room));
}

function noModel(): Fault {
  return new Fault(
    "subagent_failed",
    "Subagents need a model, and none is connected. Nothing was changed.",
    "Connect a model, or work through the document with read_document and replace_lines.",
  );
}
