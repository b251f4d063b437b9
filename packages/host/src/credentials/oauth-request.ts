// One request to an OAuth endpoint: a form goes out, JSON comes back, also with a status that refuses (RFC 6749, 5.2).
// Redirects are not followed: what is sent is secret.

import { isRecord } from "@stet/protocol/json-record";

export type OauthAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "failed"; readonly reason: string };

const timeoutMilliseconds = 15_000;
const mostBytes = 100_000;

export async function postForm(
  send: typeof fetch,
  url: string,
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<OauthAnswer> {
  const limit = AbortSignal.timeout(timeoutMilliseconds);
  const { origin } = new URL(url);
  try {
    const response = await send(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(form).toString(),
      redirect: "error",
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const text = await response.text();
    const body: unknown = text.length > mostBytes ? undefined : parsed(text);
    if (isRecord(body)) return { kind: "answer", status: response.status, body };
    return { kind: "failed", reason: `${origin} did not answer with JSON (status ${response.status}).` };
  } catch (error) {
    if (signal?.aborted) return { kind: "failed", reason: "It was stopped." };
    const why = limit.aborted ? "it did not answer in time" : reasonOf(error);
    return { kind: "failed", reason: `${origin} could not be asked: ${why}.` };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
