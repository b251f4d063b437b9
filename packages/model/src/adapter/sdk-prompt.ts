// A ModelRequest in the form of the AI SDK's provider interface.
//
// Providers refuse a whole conversation for one misfit, so four things always hold in what leaves here:
// - every tool call is followed by its result; a call that never got one (its turn was stopped) gets one that says so,
//   and a result whose call is gone (compacted away) is left out;
// - what a provider signed goes back to the same provider and model only; another one's thinking is left out;
// - a picture is a picture: where the wire has none in a tool's answer it follows in a message of its own, and a model that
//   cannot see gets a note instead of the bytes;
// - there are no empty texts, and tool call ids have only characters that every provider takes.

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolChoice,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ToolResultMessage,
  UserMessage,
} from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { type Family, hasPicturesInResults, isMistral } from "./family.ts";
import { cacheMark, familyOptions, reasoningOption } from "./family-options.ts";
import { callId, messageOptions, returnsThinkingBeside, signed } from "./signed-thinking.ts";

export interface PromptTarget {
  readonly provider: string;
  readonly model: string;
  readonly family: Family;
  /** Whether the model takes images; undefined where that is unknown. */
  readonly images?: boolean | undefined;
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

export function callOptions(
  request: ModelRequest,
  target: PromptTarget,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const reasoning = reasoningOption(request, target);
  const providerOptions = familyOptions(request, target);
  return {
    prompt: prompt(request, target),
    abortSignal,
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(reasoning !== undefined && { reasoning }),
    ...(providerOptions !== undefined && { providerOptions }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        type: "function" as const,
        name: tool.name,
        description: tool.description,
        inputSchema: { ...tool.parameters },
      })),
      toolChoice: toolChoiceOf(request),
    }),
  };
}

function toolChoiceOf({ toolChoice }: ModelRequest): LanguageModelV4ToolChoice {
  if (toolChoice === undefined) return { type: "auto" };
  return toolChoice === "none" ? { type: "none" } : { type: "tool", toolName: toolChoice.tool };
}

export function prompt(request: ModelRequest, target: PromptTarget): LanguageModelV4Message[] {
  const messages: LanguageModelV4Message[] = [];
  if (request.system !== "") messages.push({ role: "system", content: request.system });
  const all = request.messages;
  for (let index = 0; index < all.length; index++) {
    const message = all[index];
    if (message?.role === "user") pushUser(messages, message, target);
    if (message?.role === "assistant") {
      const results = resultsAfter(all, index);
      pushAssistant(messages, message, target);
      pushResults(messages, message, results, target);
    }
  }
  const mark = cacheMark(target);
  return mark === undefined ? messages : withCacheMarks(messages, mark);
}

function pushUser(messages: LanguageModelV4Message[], message: UserMessage, target: PromptTarget): void {
  const content = typeof message.content === "string" ? [textOf(message.content)] : message.content;
  const parts = content
    .map((part) => userPart(visible(part, target)))
    .filter((part) => part.type !== "text" || part.text !== "");
  if (parts.length > 0) pushFromUser(messages, parts, target);
}

function pushFromUser(messages: LanguageModelV4Message[], content: UserPart[], target: PromptTarget): void {
  if (isMistral(target) && messages.at(-1)?.role === "tool") {
    messages.push({ role: "assistant", content: [{ type: "text", text: "[The results have arrived.]" }] });
  }
  messages.push({ role: "user", content });
}

function textOf(text: string): TextContent {
  return { type: "text", text };
}

/** An image, or a note for a model that takes none. */
function visible(
  part: TextContent | ImageContent,
  { images, model }: PromptTarget,
): TextContent | ImageContent {
  if (part.type === "text" || images !== false) return part;
  return textOf(
    `[A picture (${part.mimeType}) is here, but ${model} cannot see pictures, so it was not sent.]`,
  );
}

function userPart(content: TextContent | ImageContent): UserPart {
  if (content.type === "text") return { type: "text", text: content.text };
  return { type: "file", mediaType: content.mimeType, data: { type: "data", data: content.data } };
}

function pushAssistant(
  messages: LanguageModelV4Message[],
  message: AssistantMessage,
  target: PromptTarget,
): void {
  const isOwn = message.provider === target.provider && message.model === target.model;
  const isWhole = message.stopReason !== "error" && message.stopReason !== "aborted";
  const parts: AssistantPart[] = [];
  for (const content of message.content) {
    if (content.type === "text" && content.text !== "") parts.push({ type: "text", text: content.text });
    if (content.type === "thinking" && isOwn && isWhole && !returnsThinkingBeside(target)) {
      parts.push({ type: "reasoning", text: content.thinking, ...signed(content.signature) });
    }
    if (content.type === "toolCall") {
      parts.push({
        type: "tool-call",
        toolCallId: callId(content.id, target),
        toolName: content.name,
        input: content.arguments,
        ...(isOwn && signed(content.signature)),
      });
    }
  }
  // Thinking alone is not an answer, and several providers refuse a message that has nothing else.
  if (!parts.some((part) => part.type !== "reasoning")) return;
  const options = isOwn && isWhole ? messageOptions(message, target) : {};
  messages.push({ role: "assistant", content: parts, ...options });
}

function resultsAfter(all: readonly Message[], index: number): Map<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>();
  for (let next = index + 1; next < all.length; next++) {
    const message = all[next];
    if (message?.role === "assistant") break;
    if (message?.role === "toolResult") results.set(message.toolCallId, message);
  }
  return results;
}

function pushResults(
  messages: LanguageModelV4Message[],
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  target: PromptTarget,
): void {
  const parts: LanguageModelV4ToolResultPart[] = [];
  const pictures: UserPart[] = [];
  for (const content of message.content) {
    if (content.type !== "toolCall") continue;
    const result = results.get(content.id);
    parts.push({
      type: "tool-result",
      toolCallId: callId(content.id, target),
      toolName: content.name,
      output:
        result === undefined
          ? {
              type: "error-text",
              value: "There is no result: the call was stopped before it ran to its end.",
            }
          : resultOutput(
              result.content.map((part) => visible(part, target)),
              result.isError,
              target,
            ),
    });
    if (!hasPicturesInResults(target.family)) pictures.push(...picturesOf(result, target));
  }
  if (parts.length > 0) messages.push({ role: "tool", content: parts });
  if (pictures.length > 0) pushFromUser(messages, pictures, target);
}

/** The pictures of an answer, each after a line that says which call it belongs to. */
function picturesOf(result: ToolResultMessage | undefined, target: PromptTarget): UserPart[] {
  if (result === undefined || target.images === false) return [];
  return result.content.flatMap((part) =>
    part.type === "image"
      ? [userPart(textOf(`The picture that ${result.toolName} returned:`)), userPart(part)]
      : [],
  );
}

function resultOutput(
  result: readonly (TextContent | ImageContent)[],
  isError: boolean,
  target: PromptTarget,
): LanguageModelV4ToolResultPart["output"] {
  const texts = result.filter((content) => content.type === "text");
  if (texts.length === result.length || !hasPicturesInResults(target.family)) {
    const follow = texts.length < result.length ? ["[The picture follows in the next message.]"] : [];
    const value = [...texts.map((content) => content.text), ...follow].join("\n");
    return { type: isError ? "error-text" : "text", value };
  }
  return {
    type: "content",
    value: result.map((content) =>
      content.type === "text"
        ? { type: "text" as const, text: content.text }
        : {
            type: "file" as const,
            mediaType: content.mimeType,
            data: { type: "data" as const, data: content.data },
          },
    ),
  };
}

/** One mark after the system prompt and tools, one at the end of the conversation so far. */
function withCacheMarks(
  messages: readonly LanguageModelV4Message[],
  mark: SharedV4ProviderOptions,
): LanguageModelV4Message[] {
  const last = messages.length - 1;
  return messages.map((message, index) =>
    message.role === "system" || index === last ? { ...message, providerOptions: mark } : message,
  );
}
