// One question to a provider that is no conversation, and why its reply is none: before a list of models is read, and when a
// person connects it.

import type { ModelFailure } from "@stet/protocol/model-stream";
import { secretsIn } from "../access/provider-access.ts";
import type { Environment } from "../catalog/provider-catalog.ts";
import { classifyFailure, htmlFailure } from "../failure/failure.ts";
import { isHtml } from "../failure/failure-facts.ts";
import { networkFetch } from "../network/model-fetch.ts";
import type { ProviderAccess } from "../providers.ts";

export interface AskOptions {
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ProviderReply {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined where it is not JSON. */
  readonly body: unknown;
}

const mostCharacters = 8_000_000;

/** The access has its key already. A path begins with a slash. */
export async function askProvider(
  access: ProviderAccess,
  path: string,
  { environment, timeoutMs, signal }: AskOptions,
): Promise<ProviderReply | ModelFailure> {
  const { definition, baseURL = "", apiKey, headers = {} } = access;
  const limit = AbortSignal.timeout(timeoutMs);
  const url = `${baseURL}${path}`;
  try {
    const response = await networkFetch(environment)(url, {
      headers: { ...keyHeaders(definition.family, apiKey), ...headers },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const text = await textOf(response);
    const own = Object.fromEntries(response.headers);
    return { status: response.status, url, headers: own, text, body: parsed(text) };
  } catch (error) {
    if (signal?.aborted) return { kind: "aborted", message: "It was stopped." };
    return classifyFailure(error, contextOf(access));
  }
}

/** Why a reply is no answer; undefined where it is one. */
export function failureIn(reply: ProviderReply, access: ProviderAccess): ModelFailure | undefined {
  const { status, headers, text, body, url } = reply;
  const context = contextOf(access);
  if (isHtml(headers, text)) return htmlFailure(context, status);
  if (status >= 400)
    return classifyFailure(
      { statusCode: status, responseHeaders: headers, responseBody: text, url, data: body },
      context,
    );
  if (body !== undefined && status < 300) return undefined;
  return classifyFailure({ code: "ai_jsonparseerror", message: "it is not JSON", url }, context);
}

function keyHeaders(family: string, key: string | undefined): Record<string, string> {
  if (family === "anthropic")
    return { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) };
  if (key === undefined) return {};
  if (family.startsWith("azure")) return { "api-key": key };
  return family === "google" ? { "x-goog-api-key": key } : { authorization: `Bearer ${key}` };
}

async function textOf({ body }: Response): Promise<string> {
  let text = "";
  if (body === null) return text;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > mostCharacters) break;
  }
  return text;
}

function contextOf(access: ProviderAccess) {
  const { definition, baseURL, keyVariable } = access;
  return {
    secrets: secretsIn(access, definition),
    provider: definition.name,
    model: "",
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
