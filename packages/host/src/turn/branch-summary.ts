// The model's summary of the branch that a person leaves when a conversation goes on from an earlier entry.

import { filledPrompt } from "@stet/agent/prompt-file";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { toolsCalledIn } from "./compact-session.ts";

/** Undefined where nothing is left behind that was said. */
export async function branchSummary(
  session: Session,
  leafId: string | null,
  model: Model,
  {
    prompt = filledPrompt("summarise-branch.md"),
    signal,
  }: { readonly prompt?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<string | undefined | Fault> {
  const left = new Set(session.abandonedBy(leafId).entryIds);
  const { messages, entryIds } = buildContext(session);
  const said = messages.filter((_, index) => left.has(entryIds[index] ?? ""));
  if (said.length === 0) return undefined;
  const asked: Message = { role: "user", content: prompt, timestamp: Date.now() };
  const tools = toolsCalledIn(said);
  const request = { system: "", messages: [...said, asked], tools, toolChoice: "none" as const };
  for await (const event of model.stream(request, signal)) {
    if (signal?.aborted)
      return new Fault("aborted", "The summary was stopped.", "The conversation is where it was.");
    if (event.type === "error")
      return new Fault("model_failed", event.failure.message, "Go back without a summary.", {
        ...event.failure.mend,
      });
    if (event.type !== "done") continue;
    const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return text.trim() === "" ? undefined : text.trim();
  }
  return undefined;
}
