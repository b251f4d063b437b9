// How each remote provider answers on the wire: the same words in the exact format of each.
//
// An answer has thinking, text, one call of a tool and a usage, each as the provider writes it; `usage` is its own raw object.

import { bedrockFrame } from "./bedrock-frames.ts";
import { sendEvents, sendNamedEvents, type WireSink } from "./wire-server.ts";

export interface WireReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly call?: { readonly id: string; readonly name: string; readonly arguments: object };
  /** Raw, in the provider's own form. */
  readonly usage?: object;
}

export type WireWriter = (sink: WireSink, reply: WireReply) => void;

export interface ProviderWire {
  /** As a model is named in Stet. */
  readonly model: string;
  /** The path of an answer, for the model above. */
  readonly path: string;
  /** What follows the server's address in the base URL. */
  readonly base: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly write: WireWriter;
}

export const signature = "c2lnbmF0dXJl";

type ThinkingDelta = (thinking: string) => readonly object[];

function chat(
  thinkingDeltas: ThinkingDelta,
  wrapUsage: (usage: object) => object = (usage) => ({ usage }),
): WireWriter {
  return (response, { thinking, text, call, usage }) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "m",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    sendEvents(response, [
      chunk({ role: "assistant", content: "" }),
      ...(thinking === undefined ? [] : thinkingDeltas(thinking).map((delta) => chunk(delta))),
      ...(text === undefined ? [] : [chunk({ content: text })]),
      ...(call === undefined
        ? []
        : [
            chunk({
              tool_calls: [
                {
                  index: 0,
                  id: call.id,
                  type: "function",
                  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                },
              ],
            }),
          ]),
      {
        ...chunk({}, call === undefined ? "stop" : "tool_calls"),
        ...(usage !== undefined && wrapUsage(usage)),
      },
      "data: [DONE]\n\n",
    ]);
  };
}

function openrouterDeltas(thinking: string): readonly object[] {
  const details = (fields: object) => [
    { type: "reasoning.text", format: "anthropic-claude-v1", index: 0, ...fields },
  ];
  const middle = Math.ceil(thinking.length / 2);
  const [one, other] = [thinking.slice(0, middle), thinking.slice(middle)];
  return [
    { role: "assistant", content: "", reasoning: one, reasoning_details: details({ text: one }) },
    { role: "assistant", content: "", reasoning: other, reasoning_details: details({ text: other }) },
    { role: "assistant", content: "", reasoning: null, reasoning_details: details({ signature }) },
  ];
}

function responses(response: WireSink, { thinking, text, call, usage }: WireReply): void {
  const events: { readonly type: string }[] = [];
  const add = (type: string, fields: object) =>
    events.push({ type, sequence_number: events.length, ...fields } as { readonly type: string });
  const begun = { id: "resp_1", object: "response", created_at: 1_700_000_000, model: "m", output: [] };
  add("response.created", { response: { ...begun, status: "in_progress" } });
  let output = 0;
  if (thinking !== undefined) {
    const item = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: signature };
    const where = { item_id: "rs_1", output_index: output, summary_index: 0 };
    const part = { type: "summary_text", text: "" };
    add("response.output_item.added", { output_index: output, item: { ...item, status: "in_progress" } });
    add("response.reasoning_summary_part.added", { ...where, part });
    add("response.reasoning_summary_text.delta", { ...where, delta: thinking });
    add("response.reasoning_summary_text.done", { ...where, text: thinking });
    add("response.reasoning_summary_part.done", { ...where, part: { ...part, text: thinking } });
    const summary = [{ ...part, text: thinking }];
    add("response.output_item.done", {
      output_index: output++,
      item: { ...item, summary, status: "completed" },
    });
  }
  if (text !== undefined) {
    const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] };
    const where = { item_id: "msg_1", output_index: output, content_index: 0 };
    const part = { type: "output_text", annotations: [], logprobs: [], text: "" };
    add("response.output_item.added", { output_index: output, item });
    add("response.content_part.added", { ...where, part });
    add("response.output_text.delta", { ...where, delta: text, logprobs: [] });
    add("response.output_text.done", { ...where, text, logprobs: [] });
    add("response.content_part.done", { ...where, part: { ...part, text } });
    const content = [{ ...part, text }];
    add("response.output_item.done", {
      output_index: output++,
      item: { ...item, status: "completed", content },
    });
  }
  if (call !== undefined) {
    const item = { id: "fc_1", type: "function_call", call_id: call.id, name: call.name, arguments: "" };
    const whole = JSON.stringify(call.arguments);
    const where = { item_id: "fc_1", output_index: output };
    add("response.output_item.added", { output_index: output, item: { ...item, status: "in_progress" } });
    add("response.function_call_arguments.delta", { ...where, delta: whole });
    add("response.function_call_arguments.done", { ...where, arguments: whole });
    add("response.output_item.done", {
      output_index: output++,
      item: { ...item, arguments: whole, status: "completed" },
    });
  }
  const plain = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  add("response.completed", { response: { ...begun, status: "completed", usage: usage ?? plain } });
  sendNamedEvents(response, events);
}

function anthropic(response: WireSink, { thinking, text, call, usage }: WireReply): void {
  const blocks: { readonly opened: object; readonly deltas: readonly object[] }[] = [];
  if (thinking !== undefined) {
    blocks.push({
      opened: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature },
      ],
    });
    blocks.push({ opened: { type: "redacted_thinking", data: "aGlkZGVu" }, deltas: [] });
  }
  if (text !== undefined) {
    blocks.push({ opened: { type: "text", text: "" }, deltas: [{ type: "text_delta", text }] });
  }
  if (call !== undefined) {
    blocks.push({
      opened: { type: "tool_use", id: call.id, name: call.name, input: {} },
      deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(call.arguments) }],
    });
  }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] };
  sendNamedEvents(response, [
    {
      type: "message_start",
      ...{
        message: { ...message, stop_reason: null, usage: { input_tokens: 1, output_tokens: 1, ...usage } },
      },
    },
    ...blocks.flatMap(({ opened, deltas }, index) => [
      { type: "content_block_start", index, content_block: opened },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      ...{
        delta: { stop_reason: call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 1, ...usage },
      },
    },
    { type: "message_stop" },
  ]);
}

function gemini(response: WireSink, { thinking, text, call, usage }: WireReply): void {
  const parts = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(call === undefined
      ? []
      : [{ functionCall: { name: call.name, args: call.arguments }, thoughtSignature: signature }]),
  ];
  sendEvents(response, [
    ...parts.map((part) => ({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] })),
    {
      candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP", index: 0 }],
      usageMetadata: usage ?? { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  ]);
}

function bedrock(response: WireSink, { thinking, text, call, usage }: WireReply): void {
  response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
  let contentBlockIndex = 0;
  const send = (type: string, payload: object) => response.write(bedrockFrame(type, payload));
  send("messageStart", { role: "assistant" });
  if (thinking !== undefined) {
    send("contentBlockDelta", { contentBlockIndex, delta: { reasoningContent: { text: thinking } } });
    send("contentBlockDelta", { contentBlockIndex, delta: { reasoningContent: { signature } } });
    send("contentBlockStop", { contentBlockIndex: contentBlockIndex++ });
  }
  if (text !== undefined) {
    send("contentBlockDelta", { contentBlockIndex, delta: { text } });
    send("contentBlockStop", { contentBlockIndex: contentBlockIndex++ });
  }
  if (call !== undefined) {
    const start = { toolUse: { toolUseId: call.id, name: call.name } };
    send("contentBlockStart", { contentBlockIndex, start });
    const delta = { toolUse: { input: JSON.stringify(call.arguments) } };
    send("contentBlockDelta", { contentBlockIndex, delta });
    send("contentBlockStop", { contentBlockIndex });
  }
  send("messageStop", { stopReason: call === undefined ? "end_turn" : "tool_use" });
  send("metadata", {
    usage: usage ?? { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    metrics: { latencyMs: 1 },
  });
  response.end();
}

const vertexOptions = { project: "p", location: "europe-west1" };

export const providerWires = {
  openai: { model: "openai/gpt-5", base: "/v1", path: "/v1/responses", write: responses },
  "openai-chat": {
    model: "openai-chat/gpt-4.1",
    base: "/v1",
    path: "/v1/chat/completions",
    write: chat(() => []),
  },
  azure: { model: "azure/my-deployment", base: "/openai/v1", path: "/openai/v1/responses", write: responses },
  "azure-chat": {
    model: "azure-chat/my-deployment",
    base: "/openai",
    path: "/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21",
    options: { apiVersion: "2024-10-21" },
    write: chat(() => []),
  },
  anthropic: { model: "anthropic/claude-sonnet-4-5", base: "/v1", path: "/v1/messages", write: anthropic },
  google: {
    model: "google/gemini-2.5-pro",
    base: "/v1beta",
    path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    write: gemini,
  },
  vertex: {
    model: "vertex/gemini-2.5-pro",
    base: "",
    path: "/v1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    write: gemini,
  },
  "vertex claude": {
    model: "vertex/claude-sonnet-4-5",
    base: "",
    path: "/v1/projects/p/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict",
    options: vertexOptions,
    write: anthropic,
  },
  bedrock: {
    model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    base: "",
    path: "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
    options: { region: "eu-central-1" },
    write: bedrock,
  },
  openrouter: {
    model: "openrouter/anthropic/claude-sonnet-4.5",
    base: "/api/v1",
    path: "/api/v1/chat/completions",
    write: chat(openrouterDeltas),
  },
  groq: {
    model: "groq/openai/gpt-oss-120b",
    base: "/openai/v1",
    path: "/openai/v1/chat/completions",
    write: chat(
      (reasoning) => [{ reasoning }],
      (usage) => ({ x_groq: { id: "req_1", usage } }),
    ),
  },
  mistral: {
    model: "mistral/magistral-medium-latest",
    base: "/v1",
    path: "/v1/chat/completions",
    write: chat((text) => [{ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }]),
  },
  deepseek: {
    model: "deepseek/deepseek-reasoner",
    base: "",
    path: "/chat/completions",
    write: chat((reasoning_content) => [{ content: null, reasoning_content }]),
  },
  xai: { model: "xai/grok-4.3", base: "/v1", path: "/v1/responses", write: responses },
  vllm: {
    model: "vllm/qwen3",
    base: "/v1",
    path: "/v1/chat/completions",
    write: chat((reasoning_content) => [{ reasoning_content }]),
  },
} as const satisfies Readonly<Record<string, ProviderWire>>;

export type WireName = keyof typeof providerWires;

export function wireNamed(name: WireName): ProviderWire {
  return providerWires[name];
}
