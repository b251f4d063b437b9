// A model that plays replies, in this process, behind the same contract as a real one.

import {
  type AssistantContent,
  type AssistantMessage,
  noUsage,
  type StopReason,
  type Usage,
} from "@stet/protocol/message";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";

export interface PlayedReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
  readonly usage?: Partial<Usage>;
  /** After everything else of the reply. */
  readonly failure?: ModelFailure;
  readonly reason?: "length";
  /** Waits before it goes on; ends early when the request is aborted. */
  readonly delayMs?: number;
}

export interface PlayedModel extends Model {
  readonly requests: ModelRequest[];
}

/** Plays one reply for each request; a function chooses by what was asked. */
export function modelOf(
  replies:
    | readonly PlayedReply[]
    | ((request: ModelRequest, index: number) => PlayedReply | Promise<PlayedReply>),
  options: { contextWindow?: number } = {},
): PlayedModel {
  const requests: ModelRequest[] = [];
  return {
    provider: "played",
    name: "played",
    contextWindow: options.contextWindow ?? 100_000,
    maxOutput: 10_000,
    requests,
    stream(request, signal) {
      // A copy: the conversation grows on.
      const index = requests.push({ ...request, messages: [...request.messages] }) - 1;
      const reply = typeof replies === "function" ? replies(request, index) : replies[index];
      return play(reply ?? { text: `There is no reply number ${index}.` }, index, signal);
    },
  };
}

/** A reply that nobody waits for any more is an empty one. */
async function orNothing(reply: Promise<PlayedReply>, signal?: AbortSignal): Promise<PlayedReply> {
  const { promise: aborted, resolve } = Promise.withResolvers<PlayedReply>();
  const onAbort = () => resolve({});
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([reply, aborted]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

async function* play(
  chosen: PlayedReply | Promise<PlayedReply>,
  index: number,
  signal?: AbortSignal,
): AsyncGenerator<ModelEvent> {
  yield { type: "start", provider: "played", model: "played" };
  const reply = chosen instanceof Promise ? await orNothing(chosen, signal) : chosen;
  const content: AssistantContent[] = [];
  const end = (stopReason: StopReason): AssistantMessage => ({
    role: "assistant",
    content,
    provider: "played",
    model: "played",
    usage: { ...noUsage, ...reply.usage },
    stopReason,
    timestamp: Date.now(),
  });
  if (reply.text !== undefined) {
    const at = content.length;
    yield { type: "text_start", index: at };
    for (const word of reply.text.split(/(?<= )/)) yield { type: "text_delta", index: at, delta: word };
    content.push({ type: "text", text: reply.text });
    yield { type: "text_end", index: at, text: reply.text };
  }
  if (reply.delayMs !== undefined) await pause(reply.delayMs, signal);
  if (signal?.aborted) {
    yield {
      type: "error",
      reason: "aborted",
      message: end("aborted"),
      failure: { kind: "aborted", message: "Stopped." },
    };
    return;
  }
  for (const [number, call] of (reply.calls ?? []).entries()) {
    const at = content.length;
    const toolCall = {
      type: "toolCall",
      id: `call_${index}_${number}`,
      name: call.name,
      arguments: call.arguments,
    } as const;
    yield { type: "toolcall_start", index: at, id: toolCall.id, name: call.name };
    yield { type: "toolcall_delta", index: at, delta: JSON.stringify(call.arguments) };
    content.push(toolCall);
    yield { type: "toolcall_end", index: at, toolCall };
  }
  if (reply.failure !== undefined) {
    yield { type: "error", reason: "error", message: end("error"), failure: reply.failure };
    return;
  }
  const reason = reply.reason ?? ((reply.calls ?? []).length > 0 ? "toolUse" : "stop");
  yield { type: "done", reason, message: end(reason) };
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
