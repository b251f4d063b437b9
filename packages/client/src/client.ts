// The API as functions, typed from the same schemas that the server checks. Runs in browsers and in Node.

import { folderHeader, folderHeaderValue } from "@stet/protocol/api/folder-header";
import type { Reply, Sent } from "@stet/protocol/api/route";
import { type RouteName, type Routes, routes } from "@stet/protocol/api/routes";
import { Fault, type FaultCode } from "@stet/protocol/fault";
import { pathOf } from "./path-of.ts";

export interface ClientOptions {
  /** Where the server is, without a path. In a browser: the page's own origin. */
  readonly url: string;
  /** For programs. A browser has a cookie instead. */
  readonly token?: string;
  /** The target folder. A server that serves another one refuses: its documents have the same numbers. */
  readonly root?: string;
  readonly fetch?: typeof fetch;
}

export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Calls a route. What the server refuses is a fault, and so is a server that cannot be reached. */
  async call<Name extends RouteName>(
    name: Name,
    sent: Sent<Routes[Name]> = {},
    signal?: AbortSignal,
  ): Promise<Reply<Routes[Name]> | Fault> {
    const route = routes[name];
    const response = await this.#request(name, sent, { method: route.method, body: sent.body, signal });
    if (response instanceof Fault) return response;
    const content = await response.json().catch(() => undefined);
    if (response.ok && content === undefined) return unreachable("its answer broke off");
    return response.ok ? (content as Reply<Routes[Name]>) : faultOf(content, response.status);
  }

  /** Sends with `keepalive`, so that a request outlives its page. Browsers refuse bodies of more than 64 KB then. */
  get keepalive(): Client {
    const { fetch: send = fetch } = this.#options;
    return new Client({ ...this.#options, fetch: (to, init) => send(to, { ...init, keepalive: true }) });
  }

  /** A stream's body, once it has begun. */
  async open<Name extends RouteName>(
    name: Name,
    sent: Sent<Routes[Name]>,
    options: { readonly signal: AbortSignal; readonly lastEventId?: number | undefined },
  ): Promise<ReadableStream<Uint8Array> | Fault> {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (options.lastEventId !== undefined) headers["last-event-id"] = String(options.lastEventId);
    const response = await this.#request(name, sent, { method: "GET", headers, signal: options.signal });
    if (response instanceof Fault) return response;
    if (response.ok && response.body !== null) return response.body;
    return faultOf(await response.json().catch(() => undefined), response.status);
  }

  async #request<Name extends RouteName>(
    name: Name,
    sent: Sent<Routes[Name]>,
    { method, body, headers = {}, signal }: RequestParts,
  ): Promise<Response | Fault> {
    const { url, token, root, fetch: send = fetch } = this.#options;
    const address = `${url}${pathOf(routes[name].path, sent)}`;
    const all: Record<string, string> = { ...headers };
    if (token !== undefined) all.authorization = `Bearer ${token}`;
    if (root !== undefined) all[folderHeader] = folderHeaderValue(root);
    const init: RequestInit = { method, headers: all, credentials: "same-origin" };
    if (signal !== undefined) init.signal = signal;
    if (method !== "GET") {
      all["content-type"] = "application/json";
      init.body = JSON.stringify(body ?? {});
    }
    try {
      return await send(address, init);
    } catch (error) {
      if (signal?.aborted) return new Fault("aborted", "The request was stopped.", "Send it again.");
      return unreachable(error instanceof Error ? error.message : String(error));
    }
  }
}

interface RequestParts {
  readonly method: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

function unreachable(reason: string): Fault {
  const message = `Stet cannot be reached: ${reason.replace(/[.]?$/, ".")}`;
  return new Fault("io_failed", message, "Check that `stet serve` runs.", { isUnreachable: true });
}

function faultOf(content: unknown, status: number): Fault {
  if (typeof content === "object" && content !== null && "error" in content) {
    const { error, message, suggestion, details } = content as Record<string, unknown>;
    return new Fault(
      String(error) as FaultCode,
      String(message ?? ""),
      String(suggestion ?? ""),
      typeof details === "object" && details !== null ? (details as Record<string, unknown>) : {},
    );
  }
  return new Fault("io_failed", `The server answered ${status} without saying why.`, "Try again.", {
    status,
  });
}
