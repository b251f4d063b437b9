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

/** Streams the blocks that `compose` decides on. Whatever goes wrong is the last event. */
export async function* speak(
  { provider, name: model }: { readonly provider: string; readonly name: string },
  request: ModelRequest,
  compose: () => readonly AssistantContent[],
  { wordDelayMs, signal }: { readonly wordDelayMs: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ModelEvent, void, undefined> {
  const content: AssistantContent[] = [];
  const input = tokensOf([request.system, request.messages, request.tools]);
  const ending = (stopReason: StopReason, errorMessage?: string): AssistantMessage => ({
    role: "assistant",
    content,
    provider,
    model,
    usage: { ...noUsage, input, output: tokensOf(content), cost: noCost },
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
  yield { type: "start", provider, model };
  try {
    for (const [index, block] of compose().entries()) {
      const { start, delta, end } = eventsOf(block, index);
      yield start;
      let said = "";
      for (const piece of piecesOf(block)) {
        if (signal?.aborted) break;
        // The pause ends early when aborted; the loop sees that on the signal itself.
        if (wordDelayMs > 0) await delay(wordDelayMs, undefined, { signal }).catch(() => undefined);
        said += piece;
        yield delta(piece);
      }
      // A call whose arguments were cut off must not be carried out, so it is not part of the message.
      if (signal?.aborted && block.type === "toolCall") break;
      content.push(block.type === "text" ? { ...block, text: said } : block);
      if (signal?.aborted) break;
      yield end;
    }
  } catch (error) {
    const message = `The practice model failed: ${error instanceof Error ? error.message : String(error)}`;
    yield failed("error", { kind: "unknown", message });
    return;
  }
  if (signal?.aborted) {
    yield failed("aborted", { kind: "aborted", message: "The answer was stopped." });
    return;
  }
  const reason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
  yield { type: "done", reason, message: ending(reason) };
}

interface BlockEvents {
  readonly start: ModelEvent;
  delta(piece: string): ModelEvent;
  readonly end: ModelEvent;
}

function eventsOf(block: AssistantContent, index: number): BlockEvents {
  if (block.type === "toolCall") {
    return {
      start: { type: "toolcall_start", index, id: block.id, name: block.name },
      delta: (delta) => ({ type: "toolcall_delta", index, delta }),
      end: { type: "toolcall_end", index, toolCall: block },
    };
  }
  return block.type === "text"
    ? {
        start: { type: "text_start", index },
        delta: (delta) => ({ type: "text_delta", index, delta }),
        end: { type: "text_end", index, text: block.text },
      }
    : {
        start: { type: "thinking_start", index },
        delta: (delta) => ({ type: "thinking_delta", index, delta }),
        end: { type: "thinking_end", index, thinking: block.thinking },
      };
}

/** Words with the space behind them, so that the pieces joined are the text. */
function piecesOf(block: AssistantContent): readonly string[] {
  if (block.type === "toolCall") return JSON.stringify(block.arguments).match(/[\s\S]{1,32}/gu) ?? [];
  const text = block.type === "text" ? block.text : block.thinking;
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];
}

/** Roughly: four characters are a token. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
