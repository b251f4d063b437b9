// OpenAI Chat Completions, `POST /v1/chat/completions`.
//
//   data: {chunk}  ...  data: {chunk with finish_reason}  [data: {chunk without choices, with usage}]  data: [DONE]
//
// Usage is streamed only to a client that asked with `stream_options.include_usage`, as OpenAI does it. Thinking goes out as
// `reasoning_content`, which compatible servers speak and OpenAI's own does not.

import { gatherConversation } from "./scripted-model-conversation.ts";
import {
  asList,
  asObject,
  asText,
  contentText,
  dataEvent,
  imageFromUrl,
  type JsonObject,
  parseOrKeep,
  type RequestConversation,
  type SeenTool,
  type WireEvent,
  type WireFormat,
} from "./scripted-model-format.ts";
import type { ReplyUsage, ScriptedAnswer } from "./scripted-model-reply.ts";

export const openaiChat: WireFormat = { name: "openai-chat", read, stream, whole, error: openaiError };

const finishReasons = { stop: "stop", length: "length", toolUse: "tool_calls" } as const;

function read(body: JsonObject): RequestConversation {
  const conversation = gatherConversation();
  for (const message of asList(body.messages).map(asObject)) {
    const { role, content } = message;
    if (role === "system" || role === "developer") conversation.system(contentText(content));
    else if (role === "user") conversation.user(contentText(content), readImages(content));
    else if (role === "tool")
      conversation.toolResult({
        id: asText(message.tool_call_id),
        text: contentText(content),
        images: readImages(content),
        isError: false,
      });
    else if (role === "assistant") {
      conversation.assistant({ thinking: asText(message.reasoning_content), text: contentText(content) });
      for (const call of asList(message.tool_calls).map(asObject)) {
        const called = asObject(call.function);
        conversation.assistant({
          toolCall: {
            id: asText(call.id),
            name: asText(called.name),
            arguments: parseOrKeep(asText(called.arguments)),
          },
        });
      }
    }
  }
  return { ...conversation.finish(), tools: asList(body.tools).map(readTool) };
}

function readImages(content: unknown) {
  return asList(content)
    .map(asObject)
    .filter((part) => part.type === "image_url")
    .map((part) => imageFromUrl(asText(asObject(part.image_url).url)));
}

function readTool(tool: unknown): SeenTool {
  const described = asObject(asObject(tool).function);
  return {
    name: asText(described.name),
    description: asText(described.description),
    parameters: asObject(described.parameters),
  };
}

function* stream(answer: ScriptedAnswer, body: JsonObject): Iterable<WireEvent> {
  const wantsUsage = asObject(body.stream_options).include_usage === true;
  const frame = identity(answer, "chat.completion.chunk");
  const chunk = (delta: JsonObject, isDelta: boolean, finish: string | null = null) =>
    dataEvent(
      {
        ...frame,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(wantsUsage ? { usage: null } : {}),
      },
      isDelta,
    );
  yield chunk({ role: "assistant", content: answer.text === undefined ? null : "", refusal: null }, false);
  for (const delta of answer.thinking?.deltas ?? []) yield chunk({ reasoning_content: delta }, true);
  for (const delta of answer.text?.deltas ?? []) yield chunk({ content: delta }, true);
  for (const [index, call] of answer.toolCalls.entries()) {
    const opening = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    yield chunk({ tool_calls: [opening] }, false);
    for (const delta of call.arguments.deltas)
      yield chunk({ tool_calls: [{ index, function: { arguments: delta } }] }, true);
  }
  yield chunk({}, false, finishReasons[answer.stop]);
  if (wantsUsage) yield dataEvent({ ...frame, choices: [], usage: writeUsage(answer.usage) });
  yield { before: "data: ", json: "[DONE]", after: "\n\n", isDelta: false };
}

function whole(answer: ScriptedAnswer): unknown {
  const calls = answer.toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments.whole },
  }));
  const message = {
    role: "assistant",
    content: answer.text?.whole ?? null,
    refusal: null,
    ...(answer.thinking ? { reasoning_content: answer.thinking.whole } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...identity(answer, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[answer.stop] }],
    usage: writeUsage(answer.usage),
  };
}

function identity(answer: ScriptedAnswer, object: string) {
  return {
    id: `chatcmpl-${answer.index}`,
    object,
    created: 1_700_000_000,
    model: answer.model,
    system_fingerprint: "fp_scripted",
  };
}

function writeUsage(usage: ReplyUsage) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: 0,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.thinking, audio_tokens: 0 },
  };
}

/** The error object of all of OpenAI's formats. */
export function openaiError(status: number, message: string): unknown {
  const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
    401: ["invalid_request_error", "invalid_api_key"],
    404: ["invalid_request_error", "model_not_found"],
    429: ["requests", "rate_limit_exceeded"],
  };
  const [type, code] = kinds[status] ?? [status < 500 ? "invalid_request_error" : "server_error", null];
  return { error: { message, type, param: null, code } };
}
