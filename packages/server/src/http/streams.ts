// All open event streams: what waits for their readers is written together, every 20 ms, and less often when that takes
// long. With a thousand readers most of the time goes into the writes, so fewer and larger ones are what keeps up.

import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerLimits } from "@stet/host/limits";
import type { StartStream } from "@stet/host/operations/operation";
import { Fault } from "@stet/protocol/fault";
import { Joiner } from "./event-frame.ts";
import { EventStream, type StreamOwner } from "./event-stream.ts";
import { everyReply } from "./reply-headers.ts";
import { connectionOutput, memoryOutput } from "./stream-output.ts";

type StreamLimits = Pick<ServerLimits, "max_streams_at_once" | "max_stream_backlog_bytes" | "heartbeat_ms">;

const shortestWait = 20;
const longestWait = 100;

const streamHeaders = {
  ...everyReply,
  "Content-Type": "text/event-stream",
  // Asks a proxy in between not to collect events.
  "X-Accel-Buffering": "no",
};

export class Streams {
  private readonly limits: StreamLimits;
  private readonly open = new Set<EventStream>();
  private waiting = new Set<EventStream>();
  private timer: NodeJS.Timeout | undefined;
  private wait = shortestWait;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly owner: StreamOwner;

  constructor(limits: StreamLimits, onError: (error: unknown) => void = () => {}) {
    this.limits = limits;
    this.owner = {
      maxBacklog: limits.max_stream_backlog_bytes,
      schedule: (stream) => this.schedule(stream),
      closed: (stream) => this.forget(stream),
      failed: onError,
    };
  }

  get size(): number {
    return this.open.size;
  }

  roomFault(): Fault | undefined {
    const { max_streams_at_once: limit } = this.limits;
    if (this.open.size < limit) return undefined;
    return new Fault(
      "server_busy",
      `${limit} readers follow events already.`,
      "Close a window, or ask for events after a cursor. The limit is STET_MAX_STREAMS_AT_ONCE.",
    );
  }

  /** Over a connection the bytes go straight to it; in memory they are the body of the reply. */
  respond(start: StartStream, outgoing: ServerResponse | undefined, signal: AbortSignal): Response {
    if (outgoing === undefined) {
      const { open, body } = memoryOutput(signal);
      this.begin(new EventStream(open, this.owner), start);
      return new Response(body, { headers: streamHeaders });
    }
    outgoing.writeHead(200, streamHeaders);
    outgoing.socket?.setKeepAlive(true, 30_000);
    this.begin(new EventStream(connectionOutput(outgoing), this.owner), start);
    return RESPONSE_ALREADY_SENT;
  }

  closeAll(reason: string): void {
    for (const stream of this.open) stream.end(reason);
  }

  private begin(stream: EventStream, start: StartStream): void {
    this.open.add(stream);
    if (this.heartbeat === undefined) {
      this.heartbeat = setInterval(() => this.beat(), this.limits.heartbeat_ms);
      this.heartbeat.unref();
    }
    void stream.start(start);
  }

  private forget(stream: EventStream): void {
    this.open.delete(stream);
    this.waiting.delete(stream);
    if (this.open.size > 0) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }

  private beat(): void {
    for (const stream of this.open) stream.beat();
  }

  private schedule(stream: EventStream): void {
    this.waiting.add(stream);
    this.timer ??= setTimeout(() => this.flush(), this.wait);
  }

  private flush(): void {
    const started = performance.now();
    const ready = this.waiting;
    this.waiting = new Set();
    this.timer = undefined;
    const joiner = new Joiner();
    for (const stream of ready) stream.flush(joiner);
    const took = performance.now() - started;
    this.wait = Math.min(longestWait, Math.max(shortestWait, 4 * took));
  }
}
