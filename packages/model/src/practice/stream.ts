// One message of the practice model as the events of the stream contract (protocol/model-stream.ts), word by word.

import { setTimeout as delay } from "node:timers/promises";
import {
  type AssistantContent,
  type AssistantMessage,
  noCost,
  noUsage,
  type StopReason,
} from "@stet/protocol/message";
import type { ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";

export interface Pace {
  readonly wordDelayMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Speaker {
  readonly provider: string;
  readonly name: string;
}

/** Streams the blocks that `compose` decides on. Whatever goes wrong is the last event. */
export async function* speak(
  speaker: Speaker,
  request: ModelRequest,
  compose: () => readonly AssistantContent[],
  pace: Pace,
): AsyncGenerator<ModelEvent, void, undefined> {
  const said: AssistantContent[] = [];
  const ending = (stopReason: StopReason, errorMessage?: string): AssistantMessage => ({
    role: "assistant",
    content: said,
    provider: speaker.provider,
    model: speaker.name,
    usage: { ...noUsage, input: tokensOf(inputOf(request)), output: tokensOf(said), cost: noCost },
    stopReason,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    timestamp: Date.now(),
  });
  const failed = (reason: "aborted" | "error", failure: ModelFailure): ModelEvent => ({
    type: "error",
    reason,
    message: ending(reason, failure.message),
    failure,
  });
  yield { type: "start", provider: speaker.provider, model: speaker.name };
  try {
    for (const block of compose()) {
      const index = said.length;
      for (const event of blockEvents(block, index)) {
        if (pace.signal?.aborted) break;
        if (event.type.endsWith("_delta")) await pause(pace);
        said[index] = heardSoFar(said[index], event);
        yield event;
      }
      if (pace.signal?.aborted) break;
    }
  } catch (error) {
    const message = `The practice model failed: ${error instanceof Error ? error.message : String(error)}`;
    yield failed("error", { kind: "unknown", message });
    return;
  }
  if (pace.signal?.aborted) {
    // A call whose arguments were cut off must not be carried out, so it is not part of the message.
    if (said.at(-1)?.type === "toolCall") said.pop();
    yield failed("aborted", { kind: "aborted", message: "The answer was stopped." });
    return;
  }
  const reason = said.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
  yield { type: "done", reason, message: ending(reason) };
}

function* blockEvents(block: AssistantContent, index: number): Generator<ModelEvent> {
  if (block.type === "text") {
    yield { type: "text_start", index };
    for (const delta of wordsOf(block.text)) yield { type: "text_delta", index, delta };
    yield { type: "text_end", index, text: block.text };
  } else if (block.type === "thinking") {
    yield { type: "thinking_start", index };
    for (const delta of wordsOf(block.thinking)) yield { type: "thinking_delta", index, delta };
    yield { type: "thinking_end", index, thinking: block.thinking };
  } else {
    yield { type: "toolcall_start", index, id: block.id, name: block.name };
    for (const delta of piecesOf(JSON.stringify(block.arguments)))
      yield { type: "toolcall_delta", index, delta };
    yield { type: "toolcall_end", index, toolCall: block };
  }
}

/** The block as far as its events told it. */
function heardSoFar(block: AssistantContent | undefined, event: ModelEvent): AssistantContent {
  if (event.type === "toolcall_end") return event.toolCall;
  if (event.type === "toolcall_start")
    return { type: "toolCall", id: event.id, name: event.name, arguments: {} };
  if (event.type === "text_delta" && block?.type === "text")
    return { type: "text", text: block.text + event.delta };
  if (event.type === "thinking_delta" && block?.type === "thinking") {
    return { type: "thinking", thinking: block.thinking + event.delta };
  }
  return (
    block ??
    (event.type === "thinking_start" ? { type: "thinking", thinking: "" } : { type: "text", text: "" })
  );
}

/** A word with the space behind it, so that the pieces joined are the text. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];
}

function piecesOf(json: string): readonly string[] {
  return json.match(/[\s\S]{1,32}/gu) ?? [];
}

async function pause({ wordDelayMs, signal }: Pace): Promise<void> {
  if (wordDelayMs <= 0) return;
  // Ends early when aborted; the caller sees that on the signal itself.
  await delay(wordDelayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

function inputOf({ system, messages, tools }: ModelRequest): unknown {
  const shown = messages.map(({ role, content }) => ({ role, content }));
  return { system, messages: shown, tools };
}

/** Roughly: four characters are a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
