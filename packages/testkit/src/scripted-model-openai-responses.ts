// OpenAI Responses, `POST /v1/responses`.
//
//   response.created  response.in_progress
//   ( response.output_item.added  PART.added  PART.delta*  PART.done  response.output_item.done )*
//   response.completed | response.incomplete
//
// Every event has the next `sequence_number`, and each item its `output_index`. There is no stop reason for tool use: a
// client sees it from the calls. Items are remembered, because a client may send back only a reference to one.

import { gatherConversation } from "./scripted-model-conversation.ts";
import {
  asList,
  asObject,
  asText,
  contentText,
  imageFromUrl,
  type JsonObject,
  namedEvent,
  parseOrKeep,
  type RequestConversation,
  RequestRefused,
  type SeenTool,
  type WireEvent,
  type WireFormat,
} from "./scripted-model-format.ts";
import { openaiError } from "./scripted-model-openai-chat.ts";
import type { ReplyUsage, ScriptedAnswer, SpokenText } from "./scripted-model-reply.ts";

export function createOpenaiResponses(): WireFormat {
  const sent = new Map<string, JsonObject>();
  const remember = (answer: ScriptedAnswer, body: JsonObject) => {
    const items = writeItems(answer, body);
    for (const { item } of items) sent.set(item.id, item);
    return items;
  };
  return {
    name: "openai-responses",
    read: (body) => read(body, sent),
    stream: (answer, body) => stream(answer, body, remember(answer, body)),
    whole: (answer, body) => writeResponse(answer, body, remember(answer, body)),
    error: openaiError,
  };
}

function read(body: JsonObject, sent: ReadonlyMap<string, JsonObject>): RequestConversation {
  const conversation = gatherConversation();
  conversation.system(asText(body.instructions));
  if (typeof body.input === "string") conversation.user(body.input, []);
  for (const given of asList(body.input).map(asObject)) {
    const item = given.type === "item_reference" ? sent.get(asText(given.id)) : given;
    if (item === undefined) throw new RequestRefused(404, `Item with id '${asText(given.id)}' not found.`);
    const { role, content, type } = item;
    if (role === "system" || role === "developer") conversation.system(contentText(content));
    else if (role === "user") conversation.user(contentText(content), readImages(content));
    else if (role === "assistant") conversation.assistant({ text: contentText(content) });
    else if (type === "reasoning")
      conversation.assistant({
        thinking: contentText(item.summary),
        signature: asText(item.encrypted_content),
      });
    else if (type === "function_call")
      conversation.assistant({
        toolCall: {
          id: asText(item.call_id),
          name: asText(item.name),
          arguments: parseOrKeep(asText(item.arguments)),
        },
      });
    else if (type === "function_call_output")
      conversation.toolResult({
        id: asText(item.call_id),
        text: contentText(item.output),
        images: readImages(item.output),
        isError: false,
      });
  }
  return { ...conversation.finish(), tools: asList(body.tools).map(readTool) };
}

function readImages(content: unknown) {
  return asList(content)
    .map(asObject)
    .filter((part) => part.type === "input_image")
    .map((part) => imageFromUrl(asText(part.image_url)));
}

function readTool(tool: unknown): SeenTool {
  const { name, description, parameters } = asObject(tool);
  return { name: asText(name), description: asText(description), parameters: asObject(parameters) };
}

interface Item {
  readonly item: JsonObject & { readonly id: string };
  /** The item as it stands before its first delta. */
  readonly opened: JsonObject;
  readonly spoken: SpokenText;
  readonly part: Part | undefined;
  readonly delta: string;
  readonly done: string;
  /** What the closing event calls the whole text. */
  readonly wholeField: "text" | "arguments";
}

interface Part {
  readonly added: string;
  readonly done: string;
  readonly indexField: "content_index" | "summary_index";
  readonly value: JsonObject;
}

function writeItems(answer: ScriptedAnswer, body: JsonObject): readonly Item[] {
  const items: Item[] = [];
  const { thinking, text } = answer;
  if (thinking !== undefined) {
    const wantsSecret = asList(body.include).includes("reasoning.encrypted_content");
    const opened = {
      id: `rs_${answer.index}`,
      type: "reasoning",
      summary: [],
      ...(wantsSecret ? { encrypted_content: answer.signature } : {}),
    };
    items.push({
      item: { ...opened, summary: [{ type: "summary_text", text: thinking.whole }] },
      opened,
      spoken: thinking,
      part: {
        added: "response.reasoning_summary_part.added",
        done: "response.reasoning_summary_part.done",
        indexField: "summary_index",
        value: { type: "summary_text" },
      },
      delta: "response.reasoning_summary_text.delta",
      done: "response.reasoning_summary_text.done",
      wholeField: "text",
    });
  }
  const status = answer.stop === "length" ? "incomplete" : "completed";
  if (text !== undefined) {
    const opened = { id: `msg_${answer.index}`, type: "message", role: "assistant" };
    const value = { type: "output_text", annotations: [], logprobs: [] };
    items.push({
      item: { ...opened, status, content: [{ ...value, text: text.whole }] },
      opened: { ...opened, status: "in_progress", content: [] },
      spoken: text,
      part: {
        added: "response.content_part.added",
        done: "response.content_part.done",
        indexField: "content_index",
        value,
      },
      delta: "response.output_text.delta",
      done: "response.output_text.done",
      wholeField: "text",
    });
  }
  for (const [place, call] of answer.toolCalls.entries()) {
    const opened = {
      id: `fc_${answer.index}_${place}`,
      type: "function_call",
      call_id: call.id,
      name: call.name,
    };
    items.push({
      item: { ...opened, status, arguments: call.arguments.whole },
      opened: { ...opened, status: "in_progress", arguments: "" },
      spoken: call.arguments,
      part: undefined,
      delta: "response.function_call_arguments.delta",
      done: "response.function_call_arguments.done",
      wholeField: "arguments",
    });
  }
  return items;
}

function* stream(answer: ScriptedAnswer, body: JsonObject, items: readonly Item[]): Iterable<WireEvent> {
  let sequence = 0;
  const event = (name: string, value: JsonObject, isDelta = false) =>
    namedEvent(name, { sequence_number: sequence++, ...value }, isDelta);
  const whole = writeResponse(answer, body, items);
  const begun = { ...whole, status: "in_progress", incomplete_details: null, output: [], usage: null };
  yield event("response.created", { response: begun });
  yield event("response.in_progress", { response: begun });
  for (const [place, { item, opened, spoken, part, delta, done, wholeField }] of items.entries()) {
    const index = { output_index: place };
    const where = { item_id: item.id, ...index, ...(part ? { [part.indexField]: 0 } : {}) };
    yield event("response.output_item.added", { ...index, item: opened });
    if (part) yield event(part.added, { ...where, part: { ...part.value, text: "" } });
    for (const piece of spoken.deltas) yield event(delta, { ...where, delta: piece }, true);
    yield event(done, { ...where, [wholeField]: spoken.whole });
    if (part) yield event(part.done, { ...where, part: { ...part.value, text: spoken.whole } });
    yield event("response.output_item.done", { ...index, item });
  }
  yield event(answer.stop === "length" ? "response.incomplete" : "response.completed", { response: whole });
}

function writeResponse(answer: ScriptedAnswer, body: JsonObject, items: readonly Item[]): JsonObject {
  const isCut = answer.stop === "length";
  return {
    id: `resp_${answer.index}`,
    object: "response",
    created_at: 1_700_000_000,
    status: isCut ? "incomplete" : "completed",
    background: false,
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: answer.model,
    output: items.map(({ item }) => item),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? true,
    text: { format: { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    truncation: "disabled",
    usage: writeUsage(answer.usage),
    user: null,
    metadata: {},
  };
}

function writeUsage(usage: ReplyUsage) {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.thinking },
    total_tokens: input + usage.output,
  };
}
