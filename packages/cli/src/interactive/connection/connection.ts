// The host of the folder, wherever it is: in the process that serves the folder already, reached through its socket, or in this
// one, which then listens on that socket itself, so that every front end meets one host.
//
//   call, follow ──▶ the connection there is ──▶ lost? ──▶ the next one: a server that came back, or a host of our own
//
// Cursors of logs are kept with the folder, so a follower goes on in the next connection where it was: each event once. A read
// is asked again there; what changes something is not, because it may have been done: its caller gets the fault.

import type { Client } from "@stet/client/client";
import { type Api, type CallableRoute, directClient } from "@stet/client/direct";
import type { Settings } from "@stet/host/settings/configuration";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { detailsOf, Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { isGone, runningServer, serverGone } from "../../running-server.ts";

export interface ConnectionOptions {
  /** The folder of the workspace; a real path. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What the command line sets and whether it trusts the folder; for a host of our own. */
  readonly flags?: Partial<Settings>;
  readonly isTrusted?: boolean;
  /** Called with failures in the background of a host of our own. */
  readonly onFault: (fault: Fault) => void;
  /** Called when the host is another one than before. */
  readonly onReplaced: (kind: HostKind) => void;
}

/** In another process, or in this one. */
export type HostKind = "attached" | "own";

/** Which log: that of a job, or that of the workspace. */
export interface FollowOptions {
  readonly job?: string;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

type Events = AsyncGenerator<LogEvent, Fault | undefined>;

interface Link {
  readonly kind: HostKind;
  readonly api: Api<CallableRoute>;
  follow(options: FollowOptions, onLost: () => void): Events;
  close(): Promise<void>;
  /** Aborted when it is replaced or closed. */
  readonly over: AbortController;
}

/** How long a process that has the folder is given to listen on its socket, and how often it is looked for. */
const patienceMs = 10_000;
const lookEveryMs = 100;

export class Connection {
  readonly api: Api<CallableRoute>;
  readonly #options: ConnectionOptions;
  #link: Promise<Link | Fault>;
  #isClosed = false;

  private constructor(options: ConnectionOptions, link: Link) {
    this.#options = options;
    this.#link = Promise.resolve(link);
    this.api = { call: (name, given, signal) => this.#call(name, given, signal) };
  }

  static async open(options: ConnectionOptions): Promise<Connection | Fault> {
    const link = await openLink(options);
    return isFault(link) ? link : new Connection(options, link);
  }

  /** Where the host is now. */
  async kind(): Promise<HostKind | undefined> {
    const link = await this.#link;
    return isFault(link) ? undefined : link.kind;
  }

  async #call<Name extends CallableRoute>(
    name: Name,
    given: Parameters<Api<Name>["call"]>[1],
    signal?: AbortSignal,
  ): ReturnType<Api<Name>["call"]> {
    const link = await this.#link;
    if (isFault(link)) return link;
    const reply = await link.api.call(name, given, signal);
    if (!isGone(reply) || this.#isClosed) return reply;
    const next = await this.#replace(link);
    if (isFault(next)) return next;
    return (await isRead(name)) ? next.api.call(name, given, signal) : serverGone(this.#options.root);
  }

  /** Ends when the signal is aborted, or with a fault that no other connection would mend. */
  async *follow(options: FollowOptions): Events {
    const { signal } = options;
    let { cursor } = options;
    while (!signal.aborted && !this.#isClosed) {
      const link = await this.#link;
      if (isFault(link)) return link;
      const until = AbortSignal.any([signal, link.over.signal]);
      const events = link.follow({ ...options, cursor, signal: until }, () => void this.#look(link));
      for (;;) {
        const next = await events.next();
        if (next.done === true) {
          if (signal.aborted || !link.over.signal.aborted) return next.value;
          break;
        }
        cursor = next.value.cursor;
        yield next.value;
      }
    }
    return undefined;
  }

  /** A stream broke: the server restarts, or it is gone. */
  async #look(link: Link): Promise<void> {
    if (this.#isClosed || link.over.signal.aborted) return;
    const health = await link.api.call("health", {});
    // Followers and calls are given the fault where there is no other host.
    if (isGone(health)) ignoreFault(await this.#replace(link));
  }

  /** One replacement for each link, whoever notices first. */
  #replace(link: Link): Promise<Link | Fault> {
    if (!link.over.signal.aborted) {
      this.#link = openLink(this.#options).then((next) => {
        if (!isFault(next)) this.#options.onReplaced(next.kind);
        return next;
      });
      link.over.abort();
      void link.close();
    }
    return this.#link;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const link = await this.#link;
    if (isFault(link)) return;
    link.over.abort();
    await link.close();
  }
}

/** Another process may just be opening the folder, and listen on its socket in a moment. */
async function openLink(options: ConnectionOptions): Promise<Link | Fault> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const over = new AbortController();
    const server = await runningServer({ ...options, signal: over.signal });
    if (isFault(server)) return server;
    if (server !== undefined) return attached(server, over);
    const own = await ownLink(options, over);
    const isBusy = isFault(own) && detailsOf(own, "workspace_busy").lock === "serve";
    if (!isBusy) return own;
    if (performance.now() > until) return heldElsewhere(own);
    await new Promise((done) => setTimeout(done, lookEveryMs));
  }
}

function attached(client: Client, over: AbortController): Link {
  return {
    kind: "attached",
    api: client,
    over,
    async *follow({ job, cursor, signal }, onLost) {
      const { follow } = await import("@stet/client/follow");
      const options = {
        cursor,
        signal,
        onConnection: (state: "connected" | "lost") => {
          if (state === "lost") onLost();
        },
      };
      return yield* job === undefined
        ? follow(client, "streamWorkspaceEvents", {}, options)
        : follow(client, "streamJobEvents", { params: { job_id: job } }, options);
    },
    async close() {},
  };
}

async function ownLink(
  { root, environment, onFault, flags = {}, isTrusted = false }: ConnectionOptions,
  over: AbortController,
): Promise<Link | Fault> {
  const { listenForCommands, openOwnHost } = await import("../../own-host.ts");
  const own = await openOwnHost(root, { environment, onFault, flags, isTrusted, indexes: true });
  if (isFault(own)) return own;
  const { host } = own;
  const { operations } = host;
  // The server's modules are not needed to answer the person, so they are loaded while they think.
  const listening = (async () => {
    const { commandApp } = await import("./command-app.ts");
    const { app, streams } = commandApp(host);
    return listenForCommands(app, host, streams);
  })();
  return {
    kind: "own",
    api: directClient<CallableRoute>(operations),
    over,
    async *follow({ job, cursor, signal }) {
      const { followDirect } = await import("@stet/client/follow-direct");
      const caller = { signal, lastEventId: cursor };
      const none = { params: {}, query: {}, body: {} };
      return yield* followDirect(
        job === undefined
          ? operations.streamWorkspaceEvents(none, caller)
          : operations.streamJobEvents({ ...none, params: { job_id: job } }, caller),
        signal,
      );
    },
    async close() {
      const socket = await listening.catch(() => undefined);
      await socket?.close();
      await own.close();
    },
  };
}

async function isRead(name: CallableRoute): Promise<boolean> {
  const { routes } = await import("@stet/protocol/api/routes");
  return routes[name].method === "GET";
}

/** Told where a process has the folder and cannot be reached. */
function heldElsewhere(fault: Fault): Fault {
  const { lock, pid } = detailsOf(fault, "workspace_busy");
  if (lock !== "serve") return fault;
  return new Fault(
    "workspace_busy",
    `Process ${pid} has this folder open, and does not answer on its socket.`,
    `End it there (/quit, or Ctrl-C for a server), or with: kill ${pid}. Sessions and reviews are kept.`,
    fault.details,
  );
}
