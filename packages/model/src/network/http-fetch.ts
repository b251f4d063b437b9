// A `fetch` on node:http and node:https, for requests to models.
//
// The first global fetch of a process loads a client and a WebAssembly parser of its own, which takes longer than all the rest
// of a request to a server near by, and so does the first global Headers or Response (light-response.ts); node:http is part
// of the runtime and there at once. What callers know of fetch holds:
//
// - A failure before the answer is a `TypeError("fetch failed")` with the system's error as its cause; a body that breaks off
//   ends in `TypeError("terminated")`.
// - Aborting rejects with the signal's reason, before the answer and in the middle of its body.
// - The body is read as fast as its reader asks (backpressure), and cancelling it closes the connection.
// - Keep-alive: connections are used again. One that the server closed while it was idle is replaced once, unnoticed.
// - Redirects are followed to the same host only (also from http to https): a conversation and its key go nowhere else.
//   `redirect: "error"` follows none.
// - Ports that belong to other protocols are refused ("bad port").

import type { ClientRequest, IncomingMessage } from "node:http";
import type { Environment } from "../catalog/provider-catalog.ts";
import { LightHeaders, LightResponse } from "./light-response.ts";
import { connectionFor, type HttpConnection } from "./proxy.ts";

const connectTimeoutMs = 10_000;
const maxRedirects = 5;

/** The ports that the fetch standard refuses. */
const blockedPorts = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 " +
    "137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 " +
    "1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

interface Sent {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly socketPath: string | undefined;
}

/** A fetch that goes through the proxies of this environment, or to a Unix socket (a named pipe) of this machine. */
export function httpFetch(environment: Environment, socketPath?: string): typeof fetch {
  return async (input, init = {}) => {
    if (typeof input !== "string" && !(input instanceof URL)) {
      throw new TypeError("A request is sent by its address and options.");
    }
    const { body, signal } = init;
    if (body != null && typeof body !== "string" && !(body instanceof Uint8Array)) {
      throw new TypeError("Only text and bytes are sent to a model.");
    }
    const sent: Sent = {
      method: init.method ?? "GET",
      headers: withDefaults(new LightHeaders(init.headers)),
      body: body ?? undefined,
      signal: signal ?? undefined,
      socketPath,
    };
    return follow(new URL(input), sent, environment, init.redirect === "error" ? 0 : maxRedirects);
  };
}

function withDefaults(headers: Headers): Headers {
  if (!headers.has("accept")) headers.set("accept", "*/*");
  // A stream that is compressed arrives in lumps.
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  return headers;
}

async function follow(url: URL, sent: Sent, environment: Environment, redirects: number): Promise<Response> {
  if (blockedPorts.has(url.port)) throw failed(new Error("bad port"));
  const message = await answerTo(url, sent, environment);
  const location = message.headers.location;
  const status = message.statusCode ?? 0;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return responseOf(message, sent);
  message.destroy();
  const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  const isSameHost =
    next?.hostname === url.hostname && (next.protocol === "https:" || next.origin === url.origin);
  if (next === undefined || !isSameHost || redirects === 0) {
    throw failed(new Error(`unexpected redirect to ${next?.host ?? "an address that cannot be read"}`));
  }
  // As browsers do: only 307 and 308 send the same request again.
  const isRepeated = status >= 307 || sent.method === "GET";
  return follow(
    next,
    isRepeated ? sent : { ...sent, method: "GET", body: undefined },
    environment,
    redirects - 1,
  );
}

/** The head of the answer. A keep-alive connection that turns out to be closed is replaced once. */
async function answerTo(url: URL, sent: Sent, environment: Environment): Promise<IncomingMessage> {
  const connection = await connectionFor(url, environment);
  for (let attempt = 1; ; attempt += 1) {
    const request = begin(url, sent, connection);
    try {
      return await head(request, sent);
    } catch (error) {
      if (sent.signal?.aborted) throw sent.signal.reason;
      if (attempt > 1 || !request.reusedSocket || !isReset(error)) throw failed(error);
    }
  }
}

function begin(
  url: URL,
  { method, headers, body, socketPath }: Sent,
  connection: HttpConnection,
): ClientRequest {
  const request = connection.request({
    ...connection.options,
    ...(socketPath === undefined ? {} : { socketPath }),
    method,
    headers: { ...Object.fromEntries(headers), ...connection.headers, host: url.host },
  });
  request.end(body);
  return request;
}

function head(request: ClientRequest, { signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => request.destroy(new Error("aborted"));
    const isSettled = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error("connect timeout"), { code: "ETIMEDOUT" }));
    }, connectTimeoutMs);
    request.once("socket", (socket) => {
      if (!socket.connecting) clearTimeout(timer);
      else socket.once("connect", () => clearTimeout(timer));
    });
    request.once("response", (message) => {
      isSettled();
      resolve(message);
    });
    request.on("error", (error) => {
      isSettled();
      reject(error);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

async function responseOf(message: IncomingMessage, { signal }: Sent): Promise<Response> {
  const headers = new LightHeaders();
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? "", message.rawHeaders[at + 1] ?? "");
  }
  const { statusCode: status = 502, statusMessage: statusText = "" } = message;
  if ([204, 205, 304].includes(status)) {
    message.resume();
    return new LightResponse(null, { status, statusText, headers });
  }
  const encoding = message.headers["content-encoding"] ?? "identity";
  const body = encoding === "identity" ? message : await decoded(message, encoding);
  return new LightResponse(bodyOf(message, body, signal), { status, statusText, headers });
}

/** Servers may compress although they were asked not to. */
async function decoded(message: IncomingMessage, encoding: string): Promise<NodeJS.ReadableStream> {
  const zlib = await import("node:zlib");
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH };
  if (encoding === "br") return message.pipe(zlib.createBrotliDecompress());
  if (encoding === "gzip" || encoding === "x-gzip") return message.pipe(zlib.createGunzip(flush));
  if (encoding === "deflate") return message.pipe(zlib.createInflate(flush));
  message.destroy();
  throw failed(new Error(`content-encoding ${encoding} is not known`));
}

function bodyOf(
  message: IncomingMessage,
  body: NodeJS.ReadableStream,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  let abort = () => {};
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const end = (error?: unknown) => {
        if (isOver) return;
        isOver = true;
        signal?.removeEventListener("abort", abort);
        if (error === undefined) controller.close();
        else controller.error(error);
      };
      abort = () => {
        end(signal?.reason);
        message.destroy();
      };
      const breakOff = (cause?: unknown) => {
        end(new TypeError("terminated", { cause: cause ?? new Error("other side closed") }));
        message.destroy();
      };
      body.on("data", (piece: Buffer<ArrayBuffer>) => {
        if (isOver) return;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      });
      body.on("end", () => end());
      body.on("error", breakOff);
      message.on("error", breakOff);
      message.on("close", () => {
        if (!message.complete) breakOff();
      });
      body.pause();
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    },
    pull() {
      body.resume();
    },
    cancel() {
      isOver = true;
      signal?.removeEventListener("abort", abort);
      message.destroy();
    },
  });
}

function failed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}
