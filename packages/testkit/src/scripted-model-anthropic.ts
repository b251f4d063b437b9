// Anthropic Messages, `POST /v1/messages`.
//
//   message_start  ping  ( content_block_start  content_block_delta*  content_block_stop )*  message_delta  message_stop
//
// Thinking closes with a `signature_delta`, which the client must send back. Arguments are streamed as raw text, but an
// answer that is not streamed carries them as an object, so broken ones cannot be said there.

import { gatherConversation } from "./scripted-model-conversation.ts";
import {
  asList,
  asObject,
  asText,
  contentText,
  type JsonObject,
  namedEvent,
  parseOrKeep,
  type RequestConversation,
  type SeenImage,
  type SeenTool,
  type WireEvent,
  type WireFormat,
} from "./scripted-model-format.ts";
import { type ScriptedAnswer, ScriptMistake } from "./scripted-model-reply.ts";

export const anthropic: WireFormat = { name: "anthropic", read, stream, whole, error };

const stopReasons = { stop: "end_turn", length: "max_tokens", toolUse: "tool_use" } as const;

function read(body: JsonObject): RequestConversation {
  const conversation = gatherConversation();
  conversation.system(contentText(body.system));
  for (const { role, content } of asList(body.messages).map(asObject)) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
    if (role === "assistant") {
      for (const block of blocks.map(asObject)) conversation.assistant(readAssistantBlock(block));
    } else if (role === "system") {
      conversation.system(contentText(blocks));
    } else {
      const results = blocks.map(asObject).filter((block) => block.type === "tool_result");
      for (const result of results)
        conversation.toolResult({
          id: asText(result.tool_use_id),
          text: contentText(result.content),
          images: readImages(result.content),
          isError: result.is_error === true,
        });
      if (blocks.length > results.length) conversation.user(contentText(blocks), readImages(blocks));
    }
  }
  return { ...conversation.finish(), tools: asList(body.tools).map(readTool) };
}

function readAssistantBlock(block: JsonObject) {
  if (block.type === "thinking")
    return { thinking: asText(block.thinking), signature: asText(block.signature) };
  if (block.type === "tool_use")
    return {
      toolCall: { id: asText(block.id), name: asText(block.name), arguments: block.input },
    };
  return { text: asText(block.text) };
}

function readImages(content: unknown): readonly SeenImage[] {
  return asList(content)
    .map(asObject)
    .filter((block) => block.type === "image")
    .map((block) => asObject(block.source))
    .map(({ media_type, data, url }) => ({ mimeType: asText(media_type), data: asText(data ?? url) }));
}

function readTool(tool: unknown): SeenTool {
  const { name, description, input_schema } = asObject(tool);
  return { name: asText(name), description: asText(description), parameters: asObject(input_schema) };
}

function* stream(answer: ScriptedAnswer): Iterable<WireEvent> {
  const message = { ...identity(answer), content: [], stop_reason: null, stop_sequence: null };
  yield namedEvent("message_start", { message: { ...message, usage: writeUsage(answer, 1) } });
  yield namedEvent("ping", {});
  for (const [index, block] of streamBlocks(answer).entries()) {
    yield namedEvent("content_block_start", { index, content_block: block.opened });
    for (const delta of block.deltas) yield namedEvent("content_block_delta", { index, delta }, true);
    if (block.signature !== undefined)
      yield namedEvent("content_block_delta", {
        index,
        delta: { type: "signature_delta", signature: block.signature },
      });
    yield namedEvent("content_block_stop", { index });
  }
  yield namedEvent("message_delta", {
    delta: { stop_reason: stopReasons[answer.stop], stop_sequence: null },
    usage: writeUsage(answer, answer.usage.output),
  });
  yield namedEvent("message_stop", {});
}

interface StreamedBlock {
  readonly opened: JsonObject;
  readonly deltas: Iterable<JsonObject>;
  readonly signature?: string;
}

function streamBlocks({ thinking, text, toolCalls, signature }: ScriptedAnswer): readonly StreamedBlock[] {
  const blocks: StreamedBlock[] = [];
  if (thinking !== undefined)
    blocks.push({
      opened: { type: "thinking", thinking: "", signature: "" },
      deltas: mapEach(thinking.deltas, (delta) => ({ type: "thinking_delta", thinking: delta })),
      signature,
    });
  if (text !== undefined)
    blocks.push({
      opened: { type: "text", text: "" },
      deltas: mapEach(text.deltas, (delta) => ({ type: "text_delta", text: delta })),
    });
  for (const call of toolCalls)
    blocks.push({
      opened: { type: "tool_use", id: call.id, name: call.name, input: {} },
      deltas: mapEach(call.arguments.deltas, (delta) => ({ type: "input_json_delta", partial_json: delta })),
    });
  return blocks;
}

/** Lazily, so that a flood is never held in memory. */
function* mapEach(deltas: Iterable<string>, wrap: (delta: string) => JsonObject): Iterable<JsonObject> {
  for (const delta of deltas) yield wrap(delta);
}

function whole(answer: ScriptedAnswer): unknown {
  const { thinking, text, toolCalls, signature } = answer;
  return {
    ...identity(answer),
    content: [
      ...(thinking ? [{ type: "thinking", thinking: thinking.whole, signature }] : []),
      ...(text ? [{ type: "text", text: text.whole }] : []),
      ...toolCalls.map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: wholeInput(call.arguments.whole, answer.index),
      })),
    ],
    stop_reason: stopReasons[answer.stop],
    stop_sequence: null,
    usage: writeUsage(answer, answer.usage.output),
  };
}

function wholeInput(text: string, index: number): unknown {
  const input = parseOrKeep(text);
  if (typeof input !== "string") return input;
  throw new ScriptMistake(
    `Reply ${index} has arguments that are no JSON; Anthropic's format can say that only in a stream.`,
  );
}

function identity(answer: ScriptedAnswer) {
  return { id: `msg_${answer.index}`, type: "message", role: "assistant", model: answer.model };
}

function writeUsage({ usage }: ScriptedAnswer, output: number) {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
    ...(usage.thinking > 0 ? { output_tokens_details: { thinking_tokens: usage.thinking } } : {}),
  };
}

function error(status: number, message: string): unknown {
  const types: Readonly<Record<number, string>> = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message }, request_id: "req_scripted" };
}
