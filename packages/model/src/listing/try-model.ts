// One very short request to a model, to see that it answers, and how fast.

import type { Model, ModelFailure } from "@stet/protocol/model-stream";

export interface TriedModel {
  readonly text: string;
  readonly firstTokenMs: number;
  readonly durationMs: number;
  /** In US dollars; undefined where its price is not known. */
  readonly cost: number | undefined;
}

/** Enough for a model that thinks before it says a word. */
const maxTokens = 256;
const mostText = 200;

export async function tryModel(model: Model, signal?: AbortSignal): Promise<TriedModel | ModelFailure> {
  const started = performance.now();
  let firstTokenMs: number | undefined;
  const request = {
    system: "",
    messages: [{ role: "user" as const, content: "Answer with the word ready.", timestamp: Date.now() }],
    tools: [],
    maxTokens,
  };
  for await (const event of model.stream(request, signal)) {
    if ("delta" in event) firstTokenMs ??= performance.now() - started;
    if (event.type === "error") return event.failure;
    if (event.type !== "done") continue;
    const { content, usage } = event.message;
    const durationMs = performance.now() - started;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return {
      text: text.trim().slice(0, mostText),
      firstTokenMs: Math.round(firstTokenMs ?? durationMs),
      durationMs: Math.round(durationMs),
      cost: usage.cost.isUnknown === true ? undefined : usage.cost.total,
    };
  }
  return { kind: "bad_response", message: "The model's answer had no end." };
}
