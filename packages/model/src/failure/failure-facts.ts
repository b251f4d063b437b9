// What an unknown error says about itself, gathered once: status, codes, headers, body, the texts along its causes.
//
// Errors come from several packages and versions of them, so nothing here asks for a class: only fields are read. An error
// part of a stream is often no Error at all but the provider's own JSON.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";

export interface FailureFacts {
  readonly name: string;
  readonly status?: number;
  /** Machine-readable words, lower case: system codes, provider error types and codes. The outermost come first. */
  readonly codes: readonly string[];
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly url?: string;
  /** What the error and its causes say, from the outside in. */
  readonly texts: readonly string[];
}

export function gatherFacts(error: unknown): FailureFacts {
  const found: JsonRecord[] = [];
  collect(error, found, 0);
  const codes = new Set<string>();
  const texts = new Set<string>();
  let status: number | undefined;
  let headers: Record<string, string> = {};
  let body = "";
  let url: string | undefined;
  for (const fields of found) {
    for (const key of ["code", "type", "status", "name", "kind"]) {
      const value = fields[key];
      if (typeof value === "string" && value !== "error" && value !== "Error") codes.add(value.toLowerCase());
    }
    status ??= httpStatus(fields.statusCode) ?? httpStatus(fields.status) ?? httpStatus(fields.code);
    if (typeof fields.message === "string" && fields.message !== "") texts.add(fields.message);
    if (isRecord(fields.responseHeaders) && Object.keys(headers).length === 0) {
      headers = lowerCaseHeaders(fields.responseHeaders);
    }
    if (typeof fields.responseBody === "string" && body === "") body = fields.responseBody;
    if (typeof fields.url === "string") url ??= fields.url;
  }
  if (typeof error === "string") texts.add(error);
  return {
    name: error instanceof Error ? error.name : "",
    ...(status !== undefined && { status }),
    codes: [...codes],
    headers,
    body,
    ...(url !== undefined && { url }),
    texts: [...texts],
  };
}

/** In milliseconds from now, from whichever header or body the provider uses. */
export function retryAfter(facts: FailureFacts, now: number = Date.now()): number | undefined {
  const { headers } = facts;
  const direct =
    milliseconds(headers["retry-after-ms"]) ??
    secondsOrDate(headers["retry-after"], now) ??
    milliseconds(headers["x-ratelimit-reset-ms"]) ??
    resetTime(headers["x-ratelimit-reset"], now);
  if (direct !== undefined) return direct;
  // Google says it in the body only: "retryDelay": "17s".
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(facts.body)?.[1];
  return delay === undefined ? undefined : Math.round(Number(delay) * 1000);
}

export function isHtml(headers: Readonly<Record<string, string>>, body: string): boolean {
  return /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(?:!doctype|html|head|body)\b/i.test(body);
}

export function lowerCaseHeaders(headers: JsonRecord): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") result[name.toLowerCase()] = value;
  }
  return result;
}

function collect(value: unknown, found: JsonRecord[], depth: number): void {
  if (!isRecord(value) || depth > 6 || found.includes(value)) return;
  found.push(value);
  collect(errorChunk(value), found, depth + 1);
  for (const key of ["cause", "error", "data", "response", "lastError"])
    collect(value[key], found, depth + 1);
  if (Array.isArray(value.errors)) collect(value.errors[0], found, depth + 1);
}

/** The error that a stream sent where a package expected a piece of the answer. */
function errorChunk({ name, value }: JsonRecord): unknown {
  if (name !== "AI_TypeValidationError" || !isRecord(value)) return undefined;
  if (isRecord(value.error)) return value.error;
  return value.object === "error" || value.type === "error" ? value : undefined;
}

function httpStatus(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 100 && number < 600
    ? number
    : undefined;
}

function milliseconds(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d+(?:\.\d+)?$/.test(value.trim())) return undefined;
  return Math.round(Number(value));
}

function secondsOrDate(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = milliseconds(value);
  if (seconds !== undefined) return Math.round(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Some count seconds from now, some name a moment in seconds or in milliseconds since 1970. */
function resetTime(value: string | undefined, now: number): number | undefined {
  const number = value === undefined ? undefined : secondsOrDate(value, now);
  if (number === undefined || value === undefined || !/^\d/.test(value.trim())) return number;
  const plain = Number(value);
  if (plain > 1e12) return Math.max(0, plain - now);
  if (plain > 1e9) return Math.max(0, plain * 1000 - now);
  return number;
}
