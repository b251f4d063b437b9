// OpenRouter: Chat Completions, and what it adds to them.
//
// - Thinking arrives in `reasoning_details`, some of it signed or encrypted. They go back to it as they came, pieces of one block
//   joined, in the message that they belong to; `reasoning_content` is not sent beside them.
// - Anthropic's models cache up to a mark, which only a part of a message can carry: the system prompt and the last message get one.

import type { JSONObject, LanguageModelV4, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { isRecord } from "@stet/protocol/json-record";
import { compatibleUsage } from "../adapter/compatible-usage.ts";
import { clientSettings } from "./client-settings.ts";
import type { ProviderClientOptions } from "./provider-definition.ts";

export async function createOpenrouter(options: ProviderClientOptions): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const hasMarks = cachesByMarks(options.model);
  const provider = createOpenAICompatible({
    ...clientSettings(options, "openrouter"),
    baseURL: options.baseURL ?? "",
    name: "openrouter",
    includeUsage: true,
    convertUsage: compatibleUsage,
    metadataExtractor: {
      extractMetadata: () => Promise.resolve(undefined),
      createStreamExtractor: gatherDetails,
    },
    transformRequestBody: (body) => (hasMarks ? withCacheMarks(body) : body),
  });
  return provider(options.model);
}

function cachesByMarks(model: string): boolean {
  return /^~?anthropic\//.test(model);
}

function gatherDetails() {
  const details: JSONObject[] = [];
  return {
    processChunk(chunk: unknown): void {
      const choices = isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
      const [choice] = choices;
      const delta = isRecord(choice) ? choice.delta : undefined;
      const pieces = isRecord(delta) && Array.isArray(delta.reasoning_details) ? delta.reasoning_details : [];
      for (const piece of pieces) if (isJsonObject(piece)) addDetail(details, piece);
    },
    buildMetadata(): SharedV4ProviderMetadata | undefined {
      return details.length === 0 ? undefined : { openrouter: { reasoningDetails: details } };
    },
  };
}

/** The fields of a block that come in pieces. */
const pieceFields = ["text", "summary", "data"] as const;

function addDetail(details: JSONObject[], piece: JSONObject): void {
  const last = details.at(-1);
  const isSame =
    last !== undefined && last.type === piece.type && last.index === piece.index && last.type !== undefined;
  if (!isSame || piece.type === "reasoning.encrypted") {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const before = last[name];
    const isPiece = pieceFields.some((field) => field === name);
    last[name] = isPiece && typeof before === "string" && typeof value === "string" ? before + value : value;
  }
}

function withCacheMarks(body: Record<string, unknown>): Record<string, unknown> {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const last = messages.length - 1;
  return {
    ...body,
    messages: messages.map((message, index) =>
      isRecord(message) && (message.role === "system" || index === last) ? withMark(message) : message,
    ),
  };
}

function withMark(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { content } = message;
  if (typeof content === "string" && content !== "") {
    return { ...message, content: [{ type: "text", text: content, cache_control: mark }] };
  }
  if (!Array.isArray(content)) return message;
  const at = content.findLastIndex((part) => isRecord(part) && part.type === "text");
  return {
    ...message,
    content: content.map((part: unknown, index) =>
      index === at && isRecord(part) ? { ...part, cache_control: mark } : part,
    ),
  };
}

const mark = { type: "ephemeral" };

function isJsonObject(value: unknown): value is JSONObject {
  return isRecord(value);
}
