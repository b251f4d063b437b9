// Puts an app on a port, and on a socket for commands of the same account. Beyond this machine only with TLS, or with a flag
// whose name says what is given up.

import { chmodSync } from "node:fs";
import type { Server, ServerOptions } from "node:http";
import type { ListenOptions as Address, AddressInfo, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { ServerLimits } from "@stet/host/limits";
import { Fault } from "@stet/protocol/fault";
import type { Hono } from "hono";
import type { AppEnvironment } from "./app.ts";
import { limitIdleConnections } from "./idle-connections.ts";
import { everyReply } from "./reply-headers.ts";
import type { Site } from "./site.ts";
import type { EventStreams } from "./streams.ts";

export interface ListenOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly host: string;
  /** Certificate and key, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Other machines may connect although everything they send and get can be read on the way. */
  readonly allowsUnencryptedNetwork?: boolean;
  /** Names under which it is reached, beside the address itself. */
  readonly names?: readonly string[];
  /** Shorter ones, for tests. */
  readonly times?: Partial<typeof serverTimes>;
  readonly limits: ServerLimits;
  readonly site: Site;
  readonly streams: EventStreams;
}

export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, ends streams with a reason, waits shortly for the rest, and cuts off what is left. */
  close(): Promise<void>;
}

/** Requests must arrive in time, so that a slow sender holds a connection for seconds and not for ever. */
export const serverTimes = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2000,
} satisfies ServerOptions;

const patience = 3500;
const everywhere = new Set(["0.0.0.0", "::", ""]);

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export async function listen(app: Hono<AppEnvironment>, options: ListenOptions): Promise<Listening | Fault> {
  const { host, tls, limits, site, streams } = options;
  if (!isLoopback(host) && tls === undefined && options.allowsUnencryptedNetwork !== true)
    return unencrypted(host);
  const server = await createServer(app, tls, { ...serverTimes, ...options.times });
  if (server instanceof Fault) return server;
  const closeIdle = limitIdleConnections(server, {
    maxConnections: limits.max_requests_at_once + limits.max_streams_at_once,
    silentTimeout: options.times?.headersTimeout ?? serverTimes.headersTimeout,
    isEncrypted: tls !== undefined,
  });
  server.on("clientError", refuseMalformed);
  const failed = await bound(server, { port: options.port, host });
  if (failed !== undefined) return bindFault(failed, host, options.port);
  const { port } = server.address() as AddressInfo;
  const names = namesOf(host, options.names ?? []);
  site.servedAt(names, port, tls !== undefined);
  const [name = "127.0.0.1"] = names;
  return {
    url: `${tls === undefined ? "http" : "https"}://${name.includes(":") ? `[${name}]` : name}:${port}`,
    port,
    close: () => closed(server, streams, closeIdle),
  };
}

async function createServer(
  { fetch }: Pick<Hono<AppEnvironment>, "fetch">,
  tls: ListenOptions["tls"],
  times: ServerOptions,
): Promise<Server | Fault> {
  const { getRequestListener } = await import("@hono/node-server");
  // Requests and replies of other modules stay the ones of Node.
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false });
  if (tls === undefined) return (await import("node:http")).createServer(times, answer);
  const https = await import("node:https");
  try {
    const certificate = {
      cert: tls.cert,
      key: tls.key,
      minVersion: "TLSv1.2",
      handshakeTimeout: 10_000,
    } as const;
    return https.createServer({ ...times, ...certificate }, answer);
  } catch (error) {
    return new Fault(
      "invalid_arguments",
      `The certificate or its key cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      "Both must be PEM files, and the key must belong to the certificate.",
    );
  }
}

/** Lets commands of this account in through a socket (a named pipe) that nobody listens on yet. */
export async function listenOnSocket(
  app: Hono<AppEnvironment>,
  path: string,
  { limits, streams }: Pick<ListenOptions, "limits" | "streams">,
): Promise<Pick<Listening, "close"> | Fault> {
  const fetch: typeof app.fetch = (request, env, execution) =>
    app.fetch(request, { ...env, isOwner: true }, execution);
  const server = await createServer({ fetch }, undefined, serverTimes);
  if (server instanceof Fault) return server;
  server.maxConnections = limits.max_requests_at_once + limits.max_streams_at_once;
  server.on("clientError", refuseMalformed);
  const failed = await bound(server, { path });
  if (failed !== undefined) {
    const message = `Listening on ${path} failed: ${failed.message}.`;
    return new Fault("io_failed", message, "Commands work beside the server all the same, on the ledger.");
  }
  // The folder around it lets nobody else in; the mode says the same of the socket.
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return { close: () => closed(server, streams, () => server.closeIdleConnections()) };
}

/** Resolves to what went wrong. */
function bound(server: Server, at: Address): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen(at, () => {
      server.off("error", resolve);
      resolve(undefined);
    });
  });
}

function bindFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  if (error.code === "EADDRINUSE") {
    return new Fault(
      "address_in_use",
      `Another program listens on ${host}:${port}.`,
      "Choose another port with --port, or 0 for any that is free.",
      { host, port },
    );
  }
  if (error.code === "EACCES") {
    return new Fault(
      "not_permitted",
      `The system does not let us listen on port ${port}.`,
      "Choose one above 1023.",
    );
  }
  return new Fault(
    "io_failed",
    `Listening on ${host}:${port} failed: ${error.message}.`,
    "Check that the host is an address of this machine.",
  );
}

/** The values of `Host` that are accepted; the first is the one in our links. */
function namesOf(host: string, given: readonly string[]): string[] {
  const local = ["127.0.0.1", "localhost", "::1"];
  if (isLoopback(host)) return [...new Set([host, ...local, ...given])];
  const addresses = everywhere.has(host)
    ? Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
    : [host];
  const remote = addresses.filter((address) => !isLoopback(address) && !address.startsWith("fe80:"));
  return [...new Set([...given, ...remote, ...(everywhere.has(host) ? local : [])])];
}

/** What is not even HTTP gets a reply with our headers, and the connection ends. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    {
      HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
      ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
    }[error.code ?? ""] ?? "400 Bad Request";
  const headers = Object.entries({ ...everyReply, Connection: "close", "Content-Length": "0" });
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
}

async function closed(server: Server, streams: EventStreams, closeIdle: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  streams.closeAll("server_stopping");
  // Keep-alive would hold a connection open for the next request after its last reply is sent.
  const sweep = setInterval(closeIdle, 20);
  const cut = setTimeout(() => server.closeAllConnections(), patience);
  await ended;
  clearInterval(sweep);
  clearTimeout(cut);
}

function unencrypted(host: string): Fault {
  return new Fault(
    "not_allowed",
    `${host} can be reached from other machines, and without TLS everyone on the way can read your files and the token.`,
    "Give --tls-cert and --tls-key, or keep to 127.0.0.1 and use an SSH tunnel. To do it all the same: --allow-unencrypted-network.",
  );
}
