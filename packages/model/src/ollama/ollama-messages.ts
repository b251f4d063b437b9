// A conversation in the form of Ollama's `POST /api/chat`.
//
//   { role: "system" | "user", content, images? }
//   { role: "assistant", content, thinking?, tool_calls?: [{ id, function: { name, arguments: {} } }] }
//   { role: "tool", content, tool_name, tool_call_id }
//
// Pictures are plain base64. Arguments are objects, not texts. A call is found again by its name on servers that know no id.

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

type ToolResult = Extract<
  Extract<LanguageModelV4Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>;
type FilePart = Extract<
  Extract<LanguageModelV4Message, { role: "user" }>["content"][number],
  { type: "file" }
>;

export interface OllamaMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly images?: readonly string[];
  readonly thinking?: string;
  readonly tool_calls?: readonly OllamaCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

interface OllamaCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

export function ollamaMessages(prompt: LanguageModelV4CallOptions["prompt"]): OllamaMessage[] {
  return prompt.flatMap(messagesOf);
}

function messagesOf(message: LanguageModelV4Message): OllamaMessage[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [userMessage(message.content)];
    case "assistant":
      return [assistantMessage(message.content)];
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [toolMessage(part)] : []));
  }
}

/** Undefined where none may be called: there is no other way to say so. */
export function ollamaTools({ tools, toolChoice }: LanguageModelV4CallOptions): unknown[] | undefined {
  if (toolChoice?.type === "none") return undefined;
  const described = (tools ?? []).flatMap((tool) =>
    tool.type === "function"
      ? [
          {
            type: "function",
            function: { name: tool.name, description: tool.description ?? "", parameters: tool.inputSchema },
          },
        ]
      : [],
  );
  return described.length === 0 ? undefined : described;
}

function userMessage(content: Extract<LanguageModelV4Message, { role: "user" }>["content"]): OllamaMessage {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = content.flatMap((part) => (part.type === "file" ? base64Of(part) : []));
  return { role: "user", content: texts.join("\n"), ...(images.length > 0 && { images }) };
}

function base64Of({ data }: FilePart): string[] {
  if (data.type !== "data") return [];
  return [typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64")];
}

function assistantMessage(
  content: Extract<LanguageModelV4Message, { role: "assistant" }>["content"],
): OllamaMessage {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const thinking = content.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n");
  const calls = content.flatMap((part): OllamaCall[] =>
    part.type === "tool-call"
      ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
      : [],
  );
  return {
    role: "assistant",
    content: text,
    ...(thinking !== "" && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function toolMessage({ toolCallId, toolName, output }: ToolResult): OllamaMessage {
  return { role: "tool", content: resultText(output), tool_name: toolName, tool_call_id: toolCallId };
}

function resultText(output: ToolResult["output"]): string {
  switch (output.type) {
    case "text":
      return output.value;
    case "error-text":
      return `Error: ${output.value}`;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was refused.";
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  }
}
