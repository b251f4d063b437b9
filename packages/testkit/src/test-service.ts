// A service over a temporary folder with a played model, and its API as callers see it: requests and replies, in memory.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Host, type HostOptions } from "@stet/host/host";
import { defaultLimits, type ServerLimits } from "@stet/host/limits";
import type { LogEvent } from "@stet/protocol/events/log-event";

import type { Model } from "@stet/protocol/model-stream";
import { Access } from "@stet/server/http/access";
import { createApp } from "@stet/server/http/app";
import { noLocalServers } from "./no-local-servers.ts";
import { must, type TestWorkspace } from "./workspace.ts";

export interface Replied {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server says; tests look into it
  readonly body: any;
}

export class TestService {
  readonly place: TestWorkspace;
  readonly service: Host;
  readonly #app: ReturnType<typeof createApp>;
  readonly #token: string;

  private constructor(place: TestWorkspace, service: Host) {
    this.place = place;
    this.service = service;
    const access = new Access();
    this.#token = access.token;
    this.#app = createApp({
      operations: service.operations,
      access,
      limits: service.limits,
      checksReplies: true,
      onError: (error) => console.error(error),
    });
  }

  /** Opens a folder, once more if it was open before; it is closed when the test ends. */
  static async open(
    t: TestContext,
    place: TestWorkspace,
    model: Model | (() => Model),
    limits: Partial<ServerLimits> = {},
    { environment = {}, ...more }: Partial<HostOptions> = {},
  ): Promise<TestService> {
    const chosen = () => (typeof model === "function" ? model() : model);
    const service = must(
      await Host.open(place.root, {
        environment: {
          XDG_CONFIG_HOME: place.folder,
          STET_DATA_DIR: place.dataFolder,
          STET_KEYCHAIN: "off",
          ...noLocalServers,
          ...environment,
        },
        dataFolder: place.dataFolder,
        limits: { ...defaultLimits, ...limits },
        model: async () => ({ model: chosen() }),
        ...more,
      }),
    );
    t.after(() => service.close());
    return new TestService(place, service);
  }

  /** A folder with the person's settings, where the model is what they name. */
  static async configured(
    t: TestContext,
    place: TestWorkspace,
    settings: Readonly<Record<string, unknown>>,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<TestService> {
    mkdirSync(join(place.folder, "stet"), { recursive: true });
    writeFileSync(join(place.folder, "stet", "config.json"), JSON.stringify(settings));
    const service = must(
      await Host.open(place.root, {
        environment: {
          XDG_CONFIG_HOME: place.folder,
          STET_DATA_DIR: place.dataFolder,
          STET_KEYCHAIN: "off",
          ...noLocalServers,
          ...environment,
        },
        dataFolder: place.dataFolder,
        limits: defaultLimits,
      }),
    );
    t.after(() => service.close());
    return new TestService(place, service);
  }

  /** The raw reply, for streams. */
  async fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const request = new Request(`http://stet.local${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return this.#app.fetch(request);
  }

  async call(method: string, path: string, body?: unknown): Promise<Replied> {
    const response = await this.fetch(method, path, body);
    return { status: response.status, body: await response.json() };
  }

  /** The reply's body; anything but success is an error that shows it. */
  async ok(method: string, path: string, body?: unknown): Promise<Replied["body"]> {
    const replied = await this.call(method, path, body);
    assert.equal(replied.status, 200, JSON.stringify(replied.body));
    return replied.body;
  }

  /** The code of a refusal. */
  async refusal(method: string, path: string, body?: unknown): Promise<string> {
    const replied = await this.call(method, path, body);
    assert.ok(replied.status >= 400, JSON.stringify(replied.body));
    return replied.body.error;
  }

  async session(): Promise<string> {
    return (await this.ok("POST", "/api/agent/sessions", {})).session_id;
  }

  async run(session_id: string, instruction: string, more: Record<string, unknown> = {}): Promise<string> {
    return (await this.ok("POST", "/api/agent/run", { session_id, instruction, ...more })).job_id;
  }

  /** Polls a job's events by cursor until its status is one of these. */
  async until(job: string, ...statuses: string[]): Promise<{ events: LogEvent[]; job: Replied["body"] }> {
    const events: LogEvent[] = [];
    for (let cursor = 0; ; ) {
      const page = await this.ok("GET", `/api/agent/jobs/${job}/events?cursor=${cursor}`);
      events.push(...page.events);
      cursor = page.next_cursor;
      if (page.events.length === 0 && statuses.includes(page.status)) break;
      const isOver = ["awaiting_review", "completed", "failed"].includes(page.status);
      const isEnd = page.events.length === 0 && isOver && !statuses.includes(page.status);
      assert.ok(!isEnd, `the job is ${page.status}: ${JSON.stringify(events.at(-1))}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return { events, job: await this.ok("GET", `/api/agent/jobs/${job}`) };
  }

  /** Reads a stream of events until one satisfies, or it ends. */
  async listen(
    path: string,
    isLast: (event: { event: string; id: string; data: Replied["body"] }) => boolean,
    headers: Record<string, string> = {},
  ): Promise<{ event: string; id: string; data: Replied["body"] }[]> {
    const response = await this.fetch("GET", path, undefined, headers);
    assert.equal(response.status, 200, path);
    const heard: { event: string; id: string; data: Replied["body"] }[] = [];
    let text = "";
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return heard;
      text += part.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split("\n")
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2) ?? "";
        if (field("data") === "") continue;
        const event = { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
        heard.push(event);
        if (!isLast(event)) continue;
        await reader?.cancel();
        return heard;
      }
    }
  }
}
