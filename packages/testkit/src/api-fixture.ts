// The HTTP layer on a real port, over operations that only write down what reaches them.

import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { defaultLimits, type ServerLimits } from "@stet/host/limits";
import type { Caller, Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import { Access } from "@stet/server/http/access";
import { createApp } from "@stet/server/http/app";
import { type Listening, type ListenOptions, listen } from "@stet/server/http/listen";
import { Site } from "@stet/server/http/site";
import { EventStreams } from "@stet/server/http/streams";
import { routeNames } from "./route-samples.ts";

/** The folder that it says it serves. */
export const servedRoot = "/home/anna/größer";

export interface Reached {
  readonly name: string;
  readonly received: unknown;
  readonly caller: Caller;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Sent in pieces without a length. */
  readonly isChunked?: boolean;
}

export interface FixtureOptions {
  readonly limits?: Partial<ServerLimits>;
  readonly operations?: Partial<Operations>;
  readonly page?: string;
  readonly checksReplies?: boolean;
  readonly now?: () => number;
  readonly times?: ListenOptions["times"];
}

export class ApiFixture {
  readonly reached: Reached[];
  readonly errors: unknown[];
  readonly access: Access;
  readonly streams: EventStreams;
  readonly app: ReturnType<typeof createApp>;
  readonly #listening: Listening;

  private constructor(
    parts: Pick<ApiFixture, "reached" | "errors" | "access" | "streams" | "app">,
    listening: Listening,
  ) {
    this.reached = parts.reached;
    this.errors = parts.errors;
    this.access = parts.access;
    this.streams = parts.streams;
    this.app = parts.app;
    this.#listening = listening;
  }

  static async open(t: TestContext, options: FixtureOptions = {}): Promise<ApiFixture> {
    const limits = { ...defaultLimits, ...options.limits };
    const reached: Reached[] = [];
    const errors: unknown[] = [];
    const access = new Access(options.now === undefined ? {} : { now: options.now });
    const streams = new EventStreams(limits, (error) => void errors.push(error));
    const site = new Site();
    const recording = Object.fromEntries(
      routeNames.map((name) => [
        name,
        async (received: unknown, caller: Caller) => {
          reached.push({ name, received, caller });
          return name.startsWith("stream") ? async () => () => {} : { reached: name };
        },
      ]),
    );
    const operations = { ...recording, ...options.operations } as unknown as Operations;
    const app = createApp({
      operations,
      access,
      limits,
      site,
      root: servedRoot,
      streams,
      page: options.page,
      checksReplies: options.checksReplies ?? false,
      onError: (error) => void errors.push(error),
    });
    const times = options.times ?? {};
    const listening = await listen(app, { port: 0, host: "127.0.0.1", times, limits, site, streams });
    if (isFault(listening)) throw new Error(listening.message);
    const fixture = new ApiFixture({ reached, errors, access, streams, app }, listening);
    t.after(() => fixture.close());
    return fixture;
  }

  get port(): number {
    return this.#listening.port;
  }

  get url(): string {
    return this.#listening.url;
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.access.token}` };
  }

  close(): Promise<void> {
    return this.#listening.close();
  }

  /** The reply as soon as its headers are there; its body is still to be read. */
  open(path: string, call: Call = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method = "GET", headers = {}, body, isChunked = false } = call;
      const length: Record<string, string> = isChunked
        ? { "transfer-encoding": "chunked" }
        : { "content-length": String(Buffer.byteLength(body ?? "")) };
      const sent = httpRequest({
        host: "127.0.0.1",
        port: this.port,
        path,
        method,
        headers: { ...(body === undefined ? {} : length), ...headers },
      });
      sent.on("response", resolve);
      sent.on("error", reject);
      sent.end(body);
    });
  }

  async call(path: string, call: Call = {}): Promise<HttpAnswer> {
    const reply = await this.open(path, call);
    return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) };
  }

  /** Bytes as they are, and everything that comes back until the server ends the connection. */
  raw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, "127.0.0.1", () => socket.write(bytes));
      let got = "";
      socket.on("data", (data) => {
        got += data;
      });
      socket.on("end", () => socket.end());
      socket.on("close", () => resolve(got));
      socket.on("error", reject);
    });
  }

  /** Signs a browser in; returns its cookie as it sends it. */
  async signIn(carried = this.access.token): Promise<string> {
    const answer = await this.call("/api/login", {
      method: "POST",
      headers: { "content-type": "application/json", origin: this.url },
      body: JSON.stringify({ token: carried }),
    });
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    if (answer.status !== 200) throw new Error(answer.text);
    return cookie.split(";")[0] ?? "";
  }
}
