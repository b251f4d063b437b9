// The official clients, as judges of the scripted model's wire formats: what they understand is what the format says.
//
// `hear` folds a client's stream into what a test compares, the same for every format.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { FormatName } from "./scripted-model-format.ts";

type Client = ReturnType<ReturnType<typeof createOpenAI>["chat"]>;
export type ProviderCallOptions = Parameters<Client["doStream"]>[0];

export interface Judge {
  readonly name: string;
  readonly format: FormatName;
  client(url: string): Client;
  /** OpenAI's own client of the chat format knows no thinking. */
  readonly hearsThinking: boolean;
  readonly hearsCacheWrites: boolean;
  /** The other formats carry arguments as text, and show broken ones as they are. */
  readonly showsBrokenArguments: boolean;
  /** A tool's failure as the client words it: OpenAI's formats have no mark for one, and its own client makes up a JSON text. */
  failure(text: string): string;
}

const apiKey = "key-for-tests";

export const judges: readonly Judge[] = [
  {
    name: "OpenAI Chat",
    format: "openai-chat",
    client: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat("scripted"),
    hearsThinking: false,
    hearsCacheWrites: true,
    showsBrokenArguments: true,
    failure: (text) => JSON.stringify({ error: text }),
  },
  {
    name: "OpenAI Chat, compatible",
    format: "openai-chat",
    client: (url) =>
      createOpenAICompatible({ name: "local", baseURL: `${url}/v1`, includeUsage: true })("scripted"),
    hearsThinking: true,
    hearsCacheWrites: false,
    showsBrokenArguments: true,
    failure: (text) => text,
  },
  {
    name: "OpenAI Responses",
    format: "openai-responses",
    client: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses("scripted"),
    hearsThinking: true,
    hearsCacheWrites: true,
    showsBrokenArguments: true,
    failure: (text) => JSON.stringify({ error: text }),
  },
  {
    name: "Anthropic",
    format: "anthropic",
    client: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })("scripted"),
    hearsThinking: true,
    hearsCacheWrites: true,
    showsBrokenArguments: true,
    failure: (text) => text,
  },
  {
    name: "Gemini",
    format: "gemini",
    client: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })("scripted"),
    hearsThinking: true,
    hearsCacheWrites: false,
    showsBrokenArguments: false,
    failure: (text) => text,
  },
];

export const question: ProviderCallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
};

export interface Heard {
  readonly text: string;
  readonly textDeltas: number;
  readonly thinking: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly finish: string | undefined;
  readonly usage: { readonly input: unknown; readonly output: unknown } | undefined;
  /** Events of the kind `error`, and what the stream threw. */
  readonly errors: readonly unknown[];
}

export async function hear(client: Client, options: ProviderCallOptions = question): Promise<Heard> {
  let text = "";
  let textDeltas = 0;
  let thinking = "";
  let finish: string | undefined;
  let usage: Heard["usage"];
  const toolCalls: Heard["toolCalls"][number][] = [];
  const errors: unknown[] = [];
  try {
    const { stream } = await client.doStream(options);
    for await (const part of stream) {
      if (part.type === "text-delta") {
        text += part.delta;
        if (part.delta !== "") textDeltas++;
      } else if (part.type === "reasoning-delta") thinking += part.delta;
      else if (part.type === "tool-call")
        toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      else if (part.type === "error") errors.push(part.error);
      else if (part.type === "finish") {
        finish = part.finishReason.unified;
        usage = { input: part.usage.inputTokens, output: part.usage.outputTokens };
      }
    }
  } catch (error) {
    errors.push(error);
  }
  return { text, textDeltas, thinking, toolCalls, finish, usage, errors };
}
