// Gemini, `POST /v1beta/models/NAME:streamGenerateContent?alt=sse` and `:generateContent`.
//
//   data: {one part}  ...  data: {no part, finishReason, usageMetadata}
//
// A call is never cut: it comes as one part with its arguments as an object. Broken arguments end the answer with
// MALFORMED_FUNCTION_CALL and no call at all, as Gemini itself does it. There is no stop reason for tool use, and no count
// of tokens written to a cache: they are input.

import { gatherConversation } from "./scripted-model-conversation.ts";
import {
  asList,
  asObject,
  asText,
  contentText,
  dataEvent,
  type JsonObject,
  parseOrKeep,
  type RequestConversation,
  type SeenImage,
  type SeenTool,
  type WireEvent,
  type WireFormat,
} from "./scripted-model-format.ts";
import type { ScriptedAnswer } from "./scripted-model-reply.ts";

export const gemini: WireFormat = { name: "gemini", read, stream, whole, error };

function read(body: JsonObject): RequestConversation {
  const conversation = gatherConversation();
  conversation.system(contentText(asObject(body.systemInstruction).parts));
  for (const { role, parts } of asList(body.contents).map(asObject)) {
    if (role === "model") {
      for (const part of asList(parts).map(asObject)) conversation.assistant(readModelPart(part));
      continue;
    }
    const responses = asList(parts)
      .map((part) => asObject(part).functionResponse)
      .filter((response) => response !== undefined)
      .map(asObject);
    for (const response of responses) conversation.toolResult(readFunctionResponse(response));
    if (asList(parts).length > responses.length) conversation.user(contentText(parts), readImages(parts));
  }
  return { ...conversation.finish(), tools: asList(body.tools).flatMap(readTools) };
}

function readModelPart(part: JsonObject) {
  const signature = asText(part.thoughtSignature);
  if (part.thought === true) return { thinking: asText(part.text), signature };
  if (part.functionCall === undefined) return { text: asText(part.text), signature };
  const call = asObject(part.functionCall);
  return {
    toolCall: { id: asText(call.id), name: asText(call.name), arguments: call.args ?? {} },
    signature,
  };
}

function readFunctionResponse({ id, name, response, parts }: JsonObject) {
  const given = asObject(response);
  const isError = given.error !== undefined;
  const said = isError ? given.error : (given.content ?? given.output ?? given.result ?? given);
  return {
    id: asText(id),
    name: asText(name),
    text: typeof said === "string" ? said : JSON.stringify(said),
    images: readImages(parts),
    isError,
  };
}

function readImages(parts: unknown): readonly SeenImage[] {
  return asList(parts)
    .map((part) => asObject(part).inlineData)
    .filter((data) => data !== undefined)
    .map(asObject)
    .map(({ mimeType, data }) => ({ mimeType: asText(mimeType), data: asText(data) }));
}

function readTools(group: unknown): readonly SeenTool[] {
  return asList(asObject(group).functionDeclarations)
    .map(asObject)
    .map(({ name, description, parameters, parametersJsonSchema }) => ({
      name: asText(name),
      description: asText(description),
      parameters: asObject(parametersJsonSchema ?? parameters),
    }));
}

function* stream(answer: ScriptedAnswer): Iterable<WireEvent> {
  const chunk = (candidate: JsonObject, usageMetadata: JsonObject, isDelta: boolean) =>
    dataEvent({ candidates: [{ ...candidate, index: 0 }], usageMetadata, ...identity(answer) }, isDelta);
  const { promptTokenCount } = writeUsage(answer);
  const running = { promptTokenCount, totalTokenCount: promptTokenCount };
  for (const part of streamParts(answer))
    yield chunk({ content: { parts: [part], role: "model" } }, running, true);
  yield chunk(ending(answer), writeUsage(answer), false);
}

function* streamParts(answer: ScriptedAnswer): Iterable<JsonObject> {
  for (const delta of answer.thinking?.deltas ?? []) yield { text: delta, thought: true };
  for (const delta of answer.text?.deltas ?? []) yield { text: delta };
  yield* callParts(answer);
}

function whole(answer: ScriptedAnswer): unknown {
  const { thinking, text } = answer;
  const parts = [
    ...(thinking ? [{ text: thinking.whole, thought: true }] : []),
    ...(text ? [{ text: text.whole }] : []),
    ...callParts(answer),
  ];
  return {
    candidates: [{ content: { parts, role: "model" }, ...ending(answer), index: 0 }],
    usageMetadata: writeUsage(answer),
    ...identity(answer),
  };
}

function callParts(answer: ScriptedAnswer): readonly JsonObject[] {
  if (brokenCall(answer) !== undefined) return [];
  return answer.toolCalls.map((call, place) => ({
    functionCall: {
      ...(call.id === "" ? {} : { id: call.id }),
      name: call.name,
      args: parseOrKeep(call.arguments.whole),
    },
    // Only the first of several parallel calls is signed.
    ...(answer.thinking !== undefined && place === 0 ? { thoughtSignature: answer.signature } : {}),
  }));
}

function brokenCall(answer: ScriptedAnswer) {
  return answer.toolCalls.find((call) => typeof parseOrKeep(call.arguments.whole) === "string");
}

function ending(answer: ScriptedAnswer) {
  const broken = brokenCall(answer);
  if (broken !== undefined)
    return {
      finishReason: "MALFORMED_FUNCTION_CALL",
      finishMessage: `Malformed function call: ${broken.name}(${broken.arguments.whole})`,
    };
  return { finishReason: answer.stop === "length" ? "MAX_TOKENS" : "STOP" };
}

function identity(answer: ScriptedAnswer) {
  return { modelVersion: answer.model, responseId: `response-${answer.index}` };
}

function writeUsage({ usage }: ScriptedAnswer) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: usage.output - usage.thinking,
    totalTokenCount: prompt + usage.output,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    ...(usage.thinking > 0 ? { thoughtsTokenCount: usage.thinking } : {}),
  };
}

function error(status: number, message: string): unknown {
  const names: Readonly<Record<number, string>> = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
  };
  const name = names[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code: status, message, status: name } };
}
