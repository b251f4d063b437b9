// Ollama's own API, `POST /api/chat`, as a model of the AI SDK's interface: what waits, stops and classifies is the adapter's.
//
// It is asked here and not where it speaks OpenAI's format, because only here can the context's size be said (context-size.ts).
// `truncate` and `shift` are off: a server that knows them refuses what is too long instead of cutting it.

import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isRecord } from "@stet/protocol/json-record";
import type { ProviderClientOptions } from "../catalog/provider-catalog.ts";
import { networkFetch } from "../network/model-fetch.ts";
import { contextSize, rememberRequest, wasCut } from "./context-size.ts";
import { loadedSize } from "./ollama-facts.ts";
import { ollamaMessages, ollamaTools } from "./ollama-messages.ts";
import { ollamaParts } from "./ollama-stream.ts";

const loadedTimeoutMs = 300;

export function ollamaModel(options: ProviderClientOptions): LanguageModelV4 {
  const { provider, model, window } = options;
  const server = new OllamaServer(options);
  const name = `${server.address} ${model}`;
  let loaded: Promise<number | undefined> | undefined;
  return {
    specificationVersion: "v4",
    provider,
    modelId: model,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("Only streams are asked for.")),
    async doStream(call) {
      const messages = ollamaMessages(call.prompt);
      const tools = ollamaTools(call);
      const characters = lengthOf(messages, tools);
      if (window?.isFixed !== true) loaded ??= server.loadedSize(model, call.abortSignal);
      const size = window && contextSize(name, characters, window, await loaded);
      const body = {
        model,
        messages,
        stream: true,
        truncate: false,
        shift: false,
        ...(tools !== undefined && { tools }),
        ...thinkOption(model, call.reasoning),
        ...formatOption(call),
        ...keepAlive(options),
        options: modelOptions(call, size),
      };
      const { response, stream } = await server.chat(body, call.abortSignal);
      // After the first request the model is loaded with what was asked for.
      if (size !== undefined) loaded = Promise.resolve(size);
      const parts = ollamaParts(stream, (count) => {
        const isCut = wasCut(name, characters, count);
        if (size !== undefined) rememberRequest(name, size, characters);
        return isCut ? cutProblem(count ?? 0, characters, model, size) : undefined;
      });
      return { stream: parts, response: { headers: Object.fromEntries(response.headers) } };
    },
  };
}

interface Opened {
  readonly response: Response;
  readonly stream: NonNullable<Response["body"]>;
}

class OllamaServer {
  /** Without the path of the compatible API. */
  readonly address: string;
  readonly #options: ProviderClientOptions;
  readonly #send: typeof fetch;

  constructor(options: ProviderClientOptions) {
    this.#options = options;
    this.address = (options.baseURL ?? "http://127.0.0.1:11434").replace(/\/v1\/?$/, "");
    this.#send = networkFetch(options.environment ?? process.env);
  }

  async chat(body: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<Opened> {
    const url = `${this.address}/api/chat`;
    const response = await this.#send(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...this.#headers },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
    if (response.ok && response.body !== null) return { response, stream: response.body };
    const text = await response.text();
    // It thinks or not as it likes; that is no reason to ask nothing at all.
    if (body.think !== undefined && /does not support thinking|think value/i.test(text))
      return this.chat({ ...body, think: undefined }, signal);
    throw new OllamaRefusal(url, response, text);
  }

  /** The size that the model is loaded with; undefined where it is not, or where the server does not say. */
  async loadedSize(model: string, signal: AbortSignal | undefined): Promise<number | undefined> {
    try {
      const timeout = AbortSignal.timeout(loadedTimeoutMs);
      const response = await this.#send(`${this.address}/api/ps`, {
        headers: this.#headers,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      if (!response.ok) {
        await response.body?.cancel();
        return undefined;
      }
      return loadedSize(await response.json(), model);
    } catch {
      return undefined;
    }
  }

  get #headers(): Record<string, string> {
    const { apiKey, headers } = this.#options;
    return { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers };
  }
}

/** With the fields that the classification of failures reads. */
class OllamaRefusal extends Error {
  readonly statusCode: number;
  readonly url: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;

  constructor(url: string, response: Response, body: string) {
    super(errorIn(body));
    this.url = url;
    this.statusCode = response.status;
    this.responseHeaders = Object.fromEntries(response.headers);
    this.responseBody = body.slice(0, 10_000);
  }
}

function errorIn(body: string): string {
  try {
    const answer: unknown = JSON.parse(body);
    const error = isRecord(answer) ? answer.error : undefined;
    return isRecord(error) ? String(error.message ?? "") : String(error ?? "");
  } catch {
    return body.slice(0, 300);
  }
}

/** Characters that become tokens: without pictures, which are counted in another way. */
function lengthOf(messages: ReturnType<typeof ollamaMessages>, tools: unknown): number {
  const texts = messages.map(({ images: _images, ...message }) => message);
  return JSON.stringify(texts).length + (tools === undefined ? 0 : JSON.stringify(tools).length);
}

/** Most models think or do not; gpt-oss thinks always, more or less. */
function thinkOption(model: string, reasoning: LanguageModelV4CallOptions["reasoning"]) {
  if (reasoning === undefined || reasoning === "provider-default") return {};
  if (!/gpt-oss/i.test(model)) return { think: reasoning !== "none" };
  if (reasoning === "medium") return { think: "medium" };
  return { think: reasoning === "high" || reasoning === "xhigh" || reasoning === "max" ? "high" : "low" };
}

function formatOption({ responseFormat }: LanguageModelV4CallOptions) {
  return responseFormat?.type === "json" ? { format: responseFormat.schema ?? "json" } : {};
}

/** A number is of seconds, a text a duration as Go writes it. */
function keepAlive({ options }: ProviderClientOptions) {
  const given = options?.keepAlive?.trim() ?? "";
  if (given === "") return {};
  return { keep_alive: /^-?\d+$/.test(given) ? Number(given) : given };
}

function modelOptions(call: LanguageModelV4CallOptions, size: number | undefined) {
  return {
    ...(size !== undefined && { num_ctx: size }),
    ...(call.maxOutputTokens !== undefined && { num_predict: call.maxOutputTokens }),
    ...(call.temperature !== undefined && { temperature: call.temperature }),
    ...(call.topP !== undefined && { top_p: call.topP }),
    ...(call.topK !== undefined && { top_k: call.topK }),
    ...(call.seed !== undefined && { seed: call.seed }),
    ...(call.stopSequences !== undefined && { stop: call.stopSequences }),
  };
}

function cutProblem(count: number, characters: number, model: string, size: number | undefined) {
  const sent = Math.round(characters / 4);
  const asked = size === undefined ? "" : `, though ${size} were asked for`;
  return {
    code: "context_length_exceeded",
    message: `Ollama read only ${count} of about ${sent} tokens and left out the beginning${asked}; set providers.ollama.models.${model}.contextWindow to what the server can load, or update Ollama`,
  };
}
