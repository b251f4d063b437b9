// Where we are served, and which requests come from there.
//
// A page of another site can make a browser send requests to us, and by DNS rebinding even under a name of its own. So
// the Host must be one of ours, and so must the Origin where there is one. SameSite does not help between two ports of
// one machine, which count as one site; the Origin does.

import { Fault } from "@stet/protocol/fault";

export class Site {
  /** As the Host header says them: with the port, unless it is the scheme's own. */
  #hosts: ReadonlySet<string>;
  #origins: ReadonlySet<string>;
  /** Whether requests come over TLS; cookies are then never sent without it. */
  isSecure = false;
  #port = 0;

  /** A site in memory has one host until `listensOn` is called. */
  constructor(host = "stet.local") {
    this.#hosts = new Set([host]);
    this.#origins = new Set([`http://${host}`]);
  }

  /** Called once the socket listens, because only then the port is known. */
  servedAt(names: readonly string[], port: number, isSecure: boolean): void {
    const scheme = isSecure ? "https" : "http";
    const isUsual = port === (isSecure ? 443 : 80);
    const bracketed = names.map((name) => (name.includes(":") ? `[${name}]` : name).toLowerCase());
    this.#hosts = new Set(
      bracketed.flatMap((name) => (isUsual ? [name, `${name}:${port}`] : [`${name}:${port}`])),
    );
    this.#origins = new Set(bracketed.map((name) => `${scheme}://${name}${isUsual ? "" : `:${port}`}`));
    this.isSecure = isSecure;
    this.#port = port;
  }

  /** Cookies are shared by all ports of a host, so the port is part of the name. */
  get cookieName(): string {
    return `${this.isSecure ? "__Host-" : ""}stet-${this.#port}`;
  }

  /** Why a request is refused whatever its route and its token. */
  foreignFault(headers: Headers, url: string): Fault | undefined {
    const named = headers.get("host");
    const { host } = new URL(url);
    if (!this.#hosts.has(host) || (named !== null && !this.#hosts.has(named.toLowerCase()))) {
      return foreign(
        `This server is not ${JSON.stringify(named ?? host)}.`,
        "Use the address that stet serve printed. Other names are added with --name NAME.",
      );
    }
    const origin = headers.get("origin");
    if (origin === null || this.#origins.has(origin)) return undefined;
    return foreign(
      `A page of ${JSON.stringify(origin)} may not use this server.`,
      "Open the page of stet serve itself, or call the API from a program.",
    );
  }

  /**
   * Why a request with a cookie is refused. A browser attaches the cookie by itself, so the request must prove that a page
   * of ours sent it; an address that the person typed may read, but not change anything.
   */
  forgedFault(headers: Headers, changesState: boolean): Fault | undefined {
    const from = headers.get("sec-fetch-site");
    if (from === "same-origin") return undefined;
    if (from === null && (headers.has("origin") || !changesState)) return undefined;
    if (from === "none" && !changesState) return undefined;
    return foreign(
      "A browser sent this request with its cookie, but nothing shows that a page of ours made it.",
      "From a program, send the header Authorization: Bearer TOKEN instead of a cookie.",
    );
  }
}

function foreign(message: string, suggestion: string): Fault {
  return new Fault("foreign_request", message, suggestion);
}
