// Any server that speaks OpenAI's /v1/embeddings as an Embedder.
//
// - Nothing of an answer is believed: one vector for each text, all of the same length, of finite numbers, or a fault.
// - What may pass is tried again: 429, 5xx, broken connections; as long as the server asks for, within a bound.
// - A text is cut after 8,000 characters, about what small embedding models read; an empty one is sent as a space, because
//   servers refuse it.
// - The key and the configured headers are redacted from every message for people.

import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { classifyFailure, type FailureContext, htmlFailure } from "../failure/failure.ts";
import { isHtml } from "../failure/failure-facts.ts";
import { publicAddress } from "../network/own-address.ts";
import { decideRetry, defaultRetrySettings, type RetrySettings } from "../retry-policy.ts";
import { readVectors } from "./embedding-answer.ts";

export interface HttpEmbedderOptions {
  /** Usually ends in /v1. */
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks for vectors of this length, from models that can shorten theirs. */
  readonly dimensions?: number;
  /** Texts in one request. */
  readonly batchSize?: number;
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetrySettings>;
  /** Who is asked, as messages name it; the host unless given. */
  readonly provider?: string;
  /** The environment variable that the key comes from. */
  readonly keyVariable?: string;
  readonly fetch?: typeof fetch;
}

const maxCharacters = 8000;
const maxAnswerBytes = 64 * 1024 * 1024;
const defaultBatchSize = 64;
const defaultTimeoutMs = 60_000;
const retryDefaults: RetrySettings = {
  ...defaultRetrySettings,
  requestMaxRetries: 4,
  baseDelayMs: 500,
  maxDelayMs: 60_000,
};

type Attempt =
  | { readonly kind: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

export class HttpEmbedder implements Embedder {
  readonly id: string;
  readonly #options: HttpEmbedderOptions;
  readonly #address: URL;
  readonly #context: FailureContext;
  readonly #closing = new AbortController();
  #dimensions: number | undefined;

  /** Throws when the base URL is not one; `resolveEmbedder` has checked it. */
  constructor(options: HttpEmbedderOptions) {
    const base = new URL(options.baseURL);
    const publicBase = `${base.host}${base.pathname.replace(/\/+$/, "")}`;
    this.id = `${publicBase}/${options.model}${options.dimensions === undefined ? "" : `/${options.dimensions}`}`;
    this.#options = options;
    this.#dimensions = options.dimensions;
    this.#address = new URL(base);
    this.#address.pathname = `${base.pathname.replace(/\/+$/, "")}/embeddings`;
    this.#context = {
      provider: options.provider ?? base.host,
      model: options.model,
      baseURL: options.baseURL,
      ...(options.keyVariable !== undefined && { keyVariable: options.keyVariable }),
    };
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | Fault> {
    if (this.#address.username !== "" || this.#address.password !== "") {
      return this.#fault({
        kind: "invalid_request",
        message:
          "The base URL of the embedding model contains a name or a password. Send them as a header instead.",
      });
    }
    const stopping = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const size = Math.max(1, this.#options.batchSize ?? defaultBatchSize);
    const vectors: Float32Array[] = [];
    for (let first = 0; first < texts.length; first += size) {
      const batch = texts.slice(first, first + size).map(sendable);
      const attempt = await this.#untilAnswered(batch, stopping);
      if (stopping.aborted) return this.#stopped();
      if (attempt.kind === "failure") return this.#fault(attempt.failure);
      vectors.push(...attempt.vectors);
    }
    return stopping.aborted ? this.#stopped() : vectors;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #untilAnswered(texts: readonly string[], stopping: AbortSignal): Promise<Attempt> {
    const settings = { ...retryDefaults, ...this.#options.retry };
    for (let retries = 0; ; retries++) {
      const attempt = await this.#request(texts, stopping);
      if (attempt.kind === "vectors" || stopping.aborted) return attempt;
      const decision = decideRetry(
        {
          failure: attempt.failure,
          phase: "request",
          requestRetries: retries,
          streamRetries: 0,
          hasFallback: false,
        },
        settings,
      );
      if (decision.action !== "wait" || !(await wait(decision.delayMs, stopping))) return attempt;
    }
  }

  async #request(texts: readonly string[], stopping: AbortSignal): Promise<Attempt> {
    const { apiKey, headers, model, dimensions } = this.#options;
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs);
    try {
      const response = await (this.#options.fetch ?? fetch)(this.#address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: JSON.stringify({
          model,
          input: texts,
          encoding_format: "float",
          ...(dimensions !== undefined && { dimensions }),
        }),
        signal: AbortSignal.any([stopping, timeout]),
        // A server elsewhere must not be sent the texts, nor the headers.
        redirect: "error",
      });
      const body = await boundedText(response);
      return this.#read(response, body, texts.length);
    } catch (error) {
      // With the address: a server of this machine that is not there will not be there in a moment either.
      const located = { cause: error, url: this.#context.baseURL };
      return { kind: "failure", failure: classifyFailure(located, this.#context) };
    }
  }

  #read(response: Response, body: string, count: number): Attempt {
    const headers = Object.fromEntries(response.headers);
    const { status } = response;
    const answer = parsed(body);
    if (!response.ok) {
      const error = {
        statusCode: status,
        responseHeaders: headers,
        responseBody: body.slice(0, 10_000),
        url: this.#context.baseURL,
        message: messageOf(answer),
        data: answer,
      };
      return { kind: "failure", failure: classifyFailure(error, this.#context) };
    }
    if (isHtml(headers, body.slice(0, 1000))) {
      return { kind: "failure", failure: htmlFailure(this.#context, status) };
    }
    const vectors = readVectors(answer, count, this.#dimensions);
    if (typeof vectors === "string") {
      const message = `${this.#context.provider}/${this.#context.model} sent embeddings that cannot be used: ${vectors}. Check that it is an embedding model, and that the base URL (${publicAddress(this.#options.baseURL)}) is right.`;
      return { kind: "failure", failure: { kind: "invalid_request", message } };
    }
    this.#dimensions ??= vectors[0]?.length;
    return { kind: "vectors", vectors };
  }

  #stopped(): Fault {
    return new Fault("aborted", "The embedding was stopped.", "Ask again when it is needed.");
  }

  #fault(failure: ModelFailure): Fault {
    const message =
      failure.kind === "context_overflow"
        ? `${this.#context.provider}/${this.#context.model} cannot take texts of this length.`
        : failure.message;
    return new Fault(
      "embeddings_unavailable",
      this.#withoutSecrets(message),
      suggestions[failure.kind] ?? otherwise,
      {
        kind: failure.kind,
        ...(failure.status !== undefined && { status: failure.status }),
      },
    );
  }

  #withoutSecrets(message: string): string {
    const secrets = [this.#options.apiKey ?? "", ...Object.values(this.#options.headers ?? {})];
    return secrets
      .filter((secret) => secret.length >= 4)
      .reduce((text, secret) => text.replaceAll(secret, "[key]"), message);
  }
}

const otherwise =
  "Correct the embedding model in the configuration, set it to embedded, or search by words meanwhile.";
const suggestions: Partial<Record<ModelFailure["kind"], string>> = {
  authentication: "Check the key of this provider, or set the embedding model to embedded.",
  rate_limit: "Wait a moment and try again, or search by words meanwhile.",
  overloaded: "Wait a moment and try again, or search by words meanwhile.",
  server: "Try again, or search by words meanwhile.",
  network: "Check the connection and the base URL, or set the embedding model to embedded.",
  timeout: "Try again, or set the embedding model to embedded.",
  context_overflow: "Use an embedding model that reads longer texts, or set it to embedded.",
};

function sendable(text: string): string {
  const start = text.slice(0, maxCharacters).toWellFormed();
  return start.trim() === "" ? " " : start;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `{error: {message}}`, `{error: "…"}`, `{message}` or `{detail}`: servers differ. */
function messageOf(answer: unknown): string {
  if (typeof answer === "string") return answer;
  if (typeof answer !== "object" || answer === null) return "";
  for (const name of ["error", "message", "detail"] as const) {
    const found: unknown = Reflect.get(answer, name);
    if (found !== undefined && found !== null) return messageOf(found);
  }
  return "";
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error("The answer is longer than 64 MB.");
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

/** False when it was cut short. */
function wait(delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const onAbort = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve(true);
    }, delayMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
