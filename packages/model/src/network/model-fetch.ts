// How requests to models leave this process.
//
// - Through the person's proxy, where HTTPS_PROXY, HTTP_PROXY or NO_PROXY say so (proxy.ts).
// - A server of this machine that answers with a redirect is refused: following it would send the conversation elsewhere.
// - A model is always asked for a stream of events. A whole JSON document or a web page instead is a failure that says so, before a
//   parser makes of it a connection that broke.

import type { Environment } from "../catalog/provider-catalog.ts";
import { httpFetch } from "./http-fetch.ts";
import { LightResponse } from "./light-response.ts";
import { isOwnMachine } from "./own-address.ts";

export function modelFetch(environment: Environment): typeof fetch {
  const send = networkFetch(environment);
  return async (input, init) => streamed(await send(input, init));
}

/** The same for whatever is not answered with a stream. */
export function networkFetch(environment: Environment): typeof fetch {
  const send = httpFetch(environment);
  return async (input, init) => {
    const isOwn = isOwnMachine(String(input));
    return send(input, isOwn ? { ...init, redirect: "error" } : init);
  };
}

/** What a server sent where a stream of events was asked for. */
export class NotAStream extends Error {
  readonly code = "not_a_stream";
  readonly kind: "json" | "html";

  constructor(kind: "json" | "html", said: string) {
    super(said);
    this.kind = kind;
  }
}

const excerptLength = 2000;

async function streamed(response: Response): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || response.body === null || /\btext\/event-stream\b/i.test(type)) return response;
  // Some servers name their stream something else: its first character tells.
  const [first, rest] = await firstPiece(response.body);
  const kind = /^\s*[{[]/.test(first) ? "json" : /^\s*</.test(first) ? "html" : undefined;
  if (kind !== undefined) {
    await rest.cancel().catch(() => undefined);
    throw new NotAStream(kind, kind === "json" ? errorIn(first) : "");
  }
  const { status, statusText, headers } = response;
  return new LightResponse(rest, { status, statusText, headers });
}

/** The beginning of a body as text, and the whole body again. */
async function firstPiece(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<[string, ReadableStream<Uint8Array<ArrayBuffer>>]> {
  const reader = body.getReader();
  const { done, value } = await reader.read();
  const rest = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async pull(controller) {
      const next = await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return [new TextDecoder().decode(value?.subarray(0, excerptLength) ?? new Uint8Array()), rest];
}

/** Servers that answer 200 with an error in it say in it what is wrong. */
function errorIn(text: string): string {
  return /"message"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(text)?.[1] ?? "";
}
