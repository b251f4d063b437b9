// Ollama's own API, `POST /api/chat`: one JSON object a line.
//
//   {"message":{"thinking"}} ...  {"message":{"content"}} ...  {"message":{"tool_calls"}} ...  {"done":true, counts}
//
// A call is never cut, and its arguments are an object. Broken ones end the answer with the error of the server, which could not
// read them. Calls carry no id when the script gives an empty one, as older releases do. There are no counts of a cache.

import { gatherConversation } from "./scripted-model-conversation.ts";
import {
  asList,
  asObject,
  asText,
  type JsonObject,
  parseOrKeep,
  type RequestConversation,
  RequestRefused,
  type SeenTool,
  type WireEvent,
  type WireFormat,
} from "./scripted-model-format.ts";
import type { AnsweredCall, ScriptedAnswer } from "./scripted-model-reply.ts";

export const ollama: WireFormat = { name: "ollama", read, stream, whole, error };

function read(body: JsonObject): RequestConversation {
  const conversation = gatherConversation();
  for (const message of asList(body.messages).map(asObject)) {
    const text = asText(message.content);
    const images = asList(message.images).map((data) => ({ mimeType: "", data: asText(data) }));
    switch (message.role) {
      case "system":
        conversation.system(text);
        break;
      case "user":
        conversation.user(text, images);
        break;
      case "assistant":
        conversation.assistant({ text, thinking: asText(message.thinking) });
        for (const call of asList(message.tool_calls).map(asObject))
          conversation.assistant({ toolCall: readCall(call) });
        break;
      case "tool":
        conversation.toolResult({
          id: asText(message.tool_call_id),
          name: asText(message.tool_name),
          text,
          isError: false,
        });
        break;
      default:
        throw new RequestRefused(400, `invalid role: ${String(message.role)}`);
    }
  }
  return { ...conversation.finish(), tools: asList(body.tools).map(readTool) };
}

function readCall({ id, function: called }: JsonObject) {
  const { name, arguments: input } = asObject(called);
  if (typeof input === "string")
    throw new RequestRefused(
      400,
      "json: cannot unmarshal string into Go struct field ToolCallFunction.arguments",
    );
  return { id: asText(id), name: asText(name), arguments: input };
}

function readTool(tool: unknown): SeenTool {
  const { name, description, parameters } = asObject(asObject(tool).function);
  return { name: asText(name), description: asText(description), parameters: asObject(parameters) };
}

function* stream(answer: ScriptedAnswer): Iterable<WireEvent> {
  const line = (value: JsonObject, isDelta: boolean): WireEvent => ({
    before: "",
    json: JSON.stringify({ model: answer.model, created_at: "2026-01-01T00:00:00Z", ...value }),
    after: "\n",
    isDelta,
  });
  const piece = (message: JsonObject) =>
    line({ message: { role: "assistant", content: "", ...message }, done: false }, true);
  for (const delta of answer.thinking?.deltas ?? []) yield piece({ thinking: delta });
  for (const delta of answer.text?.deltas ?? []) yield piece({ content: delta });
  for (const call of answer.toolCalls) {
    if (isBroken(call)) {
      const raw = call.arguments.whole;
      const message = `error parsing tool call: raw='${raw}', err=unexpected end of JSON input`;
      yield { before: "", json: JSON.stringify({ error: message }), after: "\n", isDelta: false };
      return;
    }
    yield piece({ tool_calls: [writeCall(call)] });
  }
  yield line({ message: { role: "assistant", content: "" }, ...ending(answer) }, false);
}

function whole(answer: ScriptedAnswer): unknown {
  const { thinking, text, toolCalls } = answer;
  const message = {
    role: "assistant",
    content: text?.whole ?? "",
    ...(thinking === undefined ? {} : { thinking: thinking.whole }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(writeCall) }),
  };
  return { model: answer.model, created_at: "2026-01-01T00:00:00Z", message, ...ending(answer) };
}

function isBroken(call: AnsweredCall): boolean {
  return typeof parseOrKeep(call.arguments.whole) === "string";
}

function writeCall(call: AnsweredCall) {
  return {
    ...(call.id === "" ? {} : { id: call.id }),
    function: { name: call.name, arguments: parseOrKeep(call.arguments.whole) },
  };
}

function ending({ stop, usage }: ScriptedAnswer) {
  return {
    done: true,
    done_reason: stop === "length" ? "length" : "stop",
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: usage.input + usage.cacheRead + usage.cacheWrite,
    prompt_eval_duration: 342_546_000,
    eval_count: usage.output,
    eval_duration: 4_535_599_000,
  };
}

function error(_status: number, message: string): unknown {
  return { error: message };
}
