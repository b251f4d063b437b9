// A request for a model without tools of its own: the tools are described in the system prompt, calls and results are text.
//
//   a call     a fenced block of `tool_call` with the canonical object {tool_call_id, name, arguments}
//   a result   [result BOUNDARY tool_call_id=… name=… ok=true] … [end of result BOUNDARY]
//
// The boundary is a secret of this process, the same through a conversation, so that a server's cache of the prompt holds; and
// it is nowhere in the conversation's own text, so that nothing that a tool read can look like a result's end.

import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ToolResultMessage,
  UserMessage,
} from "@stet/protocol/message";
import type { ModelRequest, ToolDescription } from "@stet/protocol/model-stream";

export interface TextRequest {
  readonly request: ModelRequest;
  readonly boundary: string;
}

const secret = randomBytes(32);
const prompts = new Map<string, string>();

export function textRequest(request: ModelRequest): TextRequest {
  const boundary = boundaryOf(request);
  const tools = request.tools.map(describe).join("\n\n");
  const parts = [
    request.system,
    filled("text-tools.md", { boundary, tools }),
    request.toolChoice === "none" ? filled("no-tools-now.md", {}) : "",
  ];
  const { toolChoice: _none, ...rest } = request;
  return {
    boundary,
    request: {
      ...rest,
      system: parts.filter((part) => part !== "").join("\n\n"),
      tools: [],
      messages: textMessages(request.messages, boundary),
    },
  };
}

function describe({ name, description, parameters }: ToolDescription): string {
  return `### ${name}\n\n${description.trim()}\n\n${JSON.stringify(parameters)}`;
}

function textMessages(messages: readonly Message[], boundary: string): Message[] {
  const results = new Map<string, ToolResultMessage>();
  for (const message of messages) if (message.role === "toolResult") results.set(message.toolCallId, message);
  const out: Message[] = [];
  for (const message of messages) {
    if (message.role === "user") push(out, message);
    if (message.role !== "assistant") continue;
    const calls = message.content.filter((content) => content.type === "toolCall");
    push(out, asText(message));
    if (calls.length === 0) continue;
    const content = calls.flatMap(({ id, name }) => resultText(id, name, results.get(id), boundary));
    push(out, { role: "user", content, timestamp: message.timestamp });
  }
  return out;
}

/** Many models' templates want the two sides to take turns, so messages of one side become one. */
function push(out: Message[], message: UserMessage | AssistantMessage): void {
  const last = out.at(-1);
  if (last?.role !== "user" || message.role !== "user") out.push(message);
  else out[out.length - 1] = { ...last, content: [...contentOf(last), ...contentOf(message)] };
}

function contentOf({ content }: UserMessage): readonly (TextContent | ImageContent)[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function asText(message: AssistantMessage): AssistantMessage {
  const content = message.content.map((part) =>
    part.type === "toolCall"
      ? {
          type: "text" as const,
          text: callText({ tool_call_id: part.id, name: part.name, arguments: part.arguments }),
        }
      : part,
  );
  return { ...message, content };
}

function callText(call: object): string {
  return `\`\`\`tool_call\n${JSON.stringify(call)}\n\`\`\``;
}

function resultText(
  id: string,
  name: string,
  result: ToolResultMessage | undefined,
  boundary: string,
): (TextContent | ImageContent)[] {
  const isOk = result !== undefined && !result.isError;
  const texts = (result?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (result === undefined) texts.push("There is no result: the call was stopped before it ran to its end.");
  const images = (result?.content ?? []).filter((part) => part.type === "image");
  if (images.length > 0) texts.push("[The picture follows.]");
  const head = `[result ${boundary} tool_call_id=${id} name=${name} ok=${isOk}]`;
  const text = [head, ...texts, `[end of result ${boundary}]`].join("\n");
  return [{ type: "text", text }, ...images];
}

/** In none of the texts, or it would be a boundary that a file can know. */
function boundaryOf({ sessionId = "", system, messages, tools }: ModelRequest): string {
  const said = JSON.stringify([system, messages, tools], (key, value) => (key === "data" ? "" : value));
  for (let attempt = 0; ; attempt++) {
    const boundary = createHmac("sha256", secret)
      .update(`${sessionId} ${attempt}`)
      .digest("hex")
      .slice(0, 12);
    if (!said.includes(boundary)) return boundary;
  }
}

function filled(name: string, values: Readonly<Record<string, string>>): string {
  let text = prompts.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(name, import.meta.url), "utf8").trim();
    prompts.set(name, text);
  }
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
}
