// The connection that a request takes: straight to its host, or through the proxy that the environment names.
//
// HTTPS_PROXY and HTTP_PROXY name proxies (the lower-case names count first; https falls back to HTTP_PROXY), NO_PROXY the hosts
// that are asked directly. A server of this machine is always asked directly. Plain HTTP goes to a proxy as it is, with its
// whole address: a tunnel to port 80 is what many of them refuse. HTTPS goes through a tunnel (CONNECT), so that the proxy sees
// the host and nothing else.

import type { Agent, ClientRequest, RequestOptions } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { Environment } from "../catalog/provider-catalog.ts";
import { isOwnMachine } from "./own-address.ts";

export interface HttpConnection {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly options: RequestOptions;
  /** Value of `Proxy-Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One agent for each way out, shared by all requests of the process: it keeps connections alive. */
const agents = new Map<string, Promise<Agent>>();

export async function connectionFor(url: URL, environment: Environment): Promise<HttpConnection> {
  const proxy = proxyFor(url, environment);
  const isSecure = url.protocol === "https:";
  const path = url.pathname + url.search;
  const credentials = proxy === undefined ? {} : credentialsOf(proxy);
  if (proxy !== undefined && !isSecure) {
    const connection = await directly(proxy, `http://${url.host}${path}`);
    return { ...connection, headers: credentials };
  }
  const connection = await directly(url, path);
  if (proxy === undefined) return connection;
  const agent = await agentFor(`tunnel ${proxy.href}`, () => tunnelAgent(proxy, credentials));
  return { ...connection, options: { ...connection.options, agent } };
}

async function directly(url: URL, path: string): Promise<HttpConnection> {
  const isSecure = url.protocol === "https:";
  // An import of node:http reads every name that it exports, WebSocket among them, and so loads an HTTP client of 40 ms.
  const module = process.getBuiltinModule(isSecure ? "node:https" : "node:http");
  const agent = await agentFor(url.protocol, async () => new module.Agent({ keepAlive: true }));
  const { port } = url;
  const options: RequestOptions = {
    agent,
    // Node wants IPv6 addresses without their brackets.
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    ...(port !== "" && { port }),
    path,
    ...(url.username !== "" && {
      auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
    }),
  };
  return { request: (given) => module.request(given), options, headers: {} };
}

function agentFor(name: string, make: () => Promise<Agent>): Promise<Agent> {
  const known = agents.get(name) ?? make();
  agents.set(name, known);
  return known;
}

/** An agent whose connections lead through the proxy, with TLS to the host inside. */
async function tunnelAgent(proxy: URL, headers: Readonly<Record<string, string>>): Promise<HttpsAgent> {
  const https = await import("node:https");
  const { connect } = await import("node:tls");
  const { request } = await directly(proxy, "");
  class TunnelAgent extends https.Agent {
    override createConnection(
      options: RequestOptions & { servername?: string },
      done: (error: Error | null, stream?: Duplex) => void,
    ): undefined {
      const target = `${options.host}:${options.port ?? 443}`;
      const asking = request({
        method: "CONNECT",
        hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
        port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
        path: target,
        headers: { host: target, ...headers },
        agent: false,
      });
      asking.once("connect", (reply, socket) => {
        if (reply.statusCode !== 200) {
          socket.destroy();
          return done(new Error(`the proxy answered ${reply.statusCode ?? "nothing"} to a tunnel`));
        }
        const servername = options.servername ?? options.host ?? "";
        const secure = connect({ socket, ...(isAddress(servername) ? {} : { servername }) });
        secure.once("error", done);
        secure.once("secureConnect", () => done(null, secure));
      });
      asking.once("error", done);
      asking.end();
      return undefined;
    }
  }
  return new TunnelAgent({ keepAlive: true });
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(":");
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}

/** The proxy that leads to an address; undefined where it is asked directly. */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  if (isOwnMachine(url.href)) return undefined;
  const set = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const named = url.protocol === "https:" ? (set("HTTPS_PROXY") ?? set("HTTP_PROXY")) : set("HTTP_PROXY");
  if (named === undefined || isExcepted(url, set("NO_PROXY") ?? "")) return undefined;
  const address = named.includes("://") ? named : `http://${named}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** `*` is every host; a name is itself and what is below it; a port narrows it down. */
function isExcepted(url: URL, exceptions: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return exceptions
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", itsPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      const domain = name.replace(/^\*?\./, "");
      const isNamed = url.hostname === domain || url.hostname.endsWith(`.${domain}`);
      return isNamed && (itsPort === undefined || itsPort === port);
    });
}
