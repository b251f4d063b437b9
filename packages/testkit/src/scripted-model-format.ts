// What one wire format has to know: how to read a request into the common form, and how to write an answer.
//
// The common form is made for assertions: a conversation reads the same whichever format carried it. Pieces of the model
// that follow each other are one assistant message; every tool result is a message of its own; a field that would be
// empty is absent (only `text` always stands).

import type { ScriptedAnswer } from "./scripted-model-reply.ts";

export type FormatName = "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ollama";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface SeenImage {
  readonly mimeType: string;
  /** Base64, or the address where the client sent one. */
  readonly data: string;
}

export interface SeenCall {
  /** Empty where the format carried none. */
  readonly id: string;
  readonly name: string;
  /** Parsed; the raw text where it is no JSON. */
  readonly arguments: unknown;
}

export type SeenMessage =
  | { readonly role: "user"; readonly text: string; readonly images?: readonly SeenImage[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thinking?: string;
      /** The signatures that came back, of thinking and of calls, in their order. */
      readonly signatures?: readonly string[];
      readonly toolCalls?: readonly SeenCall[];
    }
  | {
      readonly role: "toolResult";
      readonly toolCallId: string;
      /** Found through the call where the format carries only its id; empty where there is no such call. */
      readonly toolName: string;
      readonly text: string;
      readonly images?: readonly SeenImage[];
      /** OpenAI's formats have no such mark, so it is never there. */
      readonly isError?: true;
    };

export interface SeenTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface RequestConversation {
  /** Several parts are joined by a line break. */
  readonly system: string;
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly SeenTool[];
}

/** One event of a stream, or the whole of an answer that is not streamed. */
export interface WireEvent {
  readonly before: string;
  readonly json: string;
  readonly after: string;
  /** Carries a piece of the reply, rather than the frame around it. */
  readonly isDelta: boolean;
}

export interface WireFormat {
  readonly name: FormatName;
  read(body: JsonObject): RequestConversation;
  stream(answer: ScriptedAnswer, body: JsonObject): Iterable<WireEvent>;
  whole(answer: ScriptedAnswer, body: JsonObject): unknown;
  error(status: number, message: string): unknown;
}

/** A request that the real server would refuse too. */
export class RequestRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function dataEvent(value: unknown, isDelta = false): WireEvent {
  return { before: "data: ", json: JSON.stringify(value), after: "\n\n", isDelta };
}

export function namedEvent(name: string, value: JsonObject, isDelta = false): WireEvent {
  return {
    before: `event: ${name}\ndata: `,
    json: JSON.stringify({ type: name, ...value }),
    after: "\n\n",
    isDelta,
  };
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value of a JSON text, or the text itself. */
export function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text of content that is a string or a list of parts with a `text`. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part) => asText(asObject(part).text))
    .filter((text) => text !== "")
    .join("\n");
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;

export function imageFromUrl(url: string): SeenImage {
  const match = dataUrl.exec(url);
  return match === null ? { mimeType: "", data: url } : { mimeType: match[1] ?? "", data: match[2] ?? "" };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
