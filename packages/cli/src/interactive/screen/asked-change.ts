// What a call that waits for the person would change: of the session's own agent it stands in the turn that is shown, of another
// agent it is read from the events of its job. Those do not keep diffs, so there it is what the call says.

import { emptyView, fold, type TurnView } from "@stet/client/fold";
import type { Question } from "@stet/protocol/question";
import type { App } from "../app.ts";
import type { QuestionBody } from "../transcript/question-body.ts";

export type AskedChange = Pick<QuestionBody, "preview" | "call">;

export function changeIn(items: TurnView["items"], asked: Question): AskedChange | undefined {
  if (asked.kind !== "permission") return undefined;
  const call = items.find((one) => one.kind === "tool" && one.callId === asked.tool_call_id);
  return call?.kind === "tool" ? { preview: call.preview, call: call.arguments } : undefined;
}

/** Waits until it is known; undefined where the signal is aborted or the job ends before that. */
export async function changeInJob(
  follow: App["follow"],
  job: string,
  asked: Question,
  signal: AbortSignal,
): Promise<AskedChange | undefined> {
  let turn = emptyView;
  for await (const event of follow({ job, cursor: 0, signal })) {
    turn = fold(turn, event);
    const change = changeIn(turn.items, asked);
    if (change?.call !== undefined || signal.aborted) return change;
  }
  return undefined;
}
