// Open event streams (SSE): frames in a bounded queue for each reader, written together.
//
//   open → ending (no more events are taken; what waits and the reason are sent within the grace period) → closed
//
// - Queues are flushed every 20 ms, less often where that takes long: with a thousand readers most of the time goes into
//   writes, so fewer and larger ones keep up. An idle reader costs a heartbeat, and nothing else.
// - A reader that lets more bytes wait than the limit is ended with `too_slow`; it reconnects with the cursor of the last
//   event that it got.
// - What feeds a stream is released exactly once: when the stream is ended, or when its reader goes away.

import type { ServerResponse } from "node:http";
import { PassThrough, type Writable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerLimits } from "@stet/host/limits";
import type { Sink, StartStream, StreamEvent } from "@stet/protocol/api/operation";
import { Fault } from "@stet/protocol/fault";
import { everyReply } from "./reply-headers.ts";

type StreamLimits = Pick<ServerLimits, "max_streams_at_once" | "max_stream_backlog_bytes" | "heartbeat_ms">;

const shortestWait = 20;
const longestWait = 100;
/** So much is written at once, before the usual time. */
const largeBatch = 64 * 1024;
/** How long an ended stream may take to send its rest. */
const gracePeriod = 3000;

const streamHeaders = {
  ...everyReply,
  "Content-Type": "text/event-stream",
  // Asks a proxy in between not to collect events.
  "X-Accel-Buffering": "no",
};

export class EventStreams {
  readonly #limits: StreamLimits;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Set<EventStream>();
  #waiting = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #wait = shortestWait;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(limits: StreamLimits, onError: (error: unknown) => void = () => {}) {
    this.#limits = limits;
    this.#onError = onError;
  }

  get size(): number {
    return this.#open.size;
  }

  roomFault(): Fault | undefined {
    const { max_streams_at_once: limit } = this.#limits;
    if (this.#open.size < limit) return undefined;
    return new Fault(
      "server_busy",
      `${limit} readers follow events already.`,
      "Close a window, or ask for events after a cursor. The limit is STET_MAX_STREAMS_AT_ONCE.",
    );
  }

  /** Over a connection the bytes go straight to it; in memory they are the body of the reply. */
  respond(start: StartStream, outgoing: ServerResponse | undefined, signal: AbortSignal): Response {
    if (outgoing === undefined) {
      const body = new PassThrough({ highWaterMark: largeBatch, signal });
      this.#begin(body, start);
      return new Response(webStream(body), { headers: streamHeaders });
    }
    outgoing.writeHead(200, streamHeaders);
    outgoing.socket?.setKeepAlive(true, 30_000);
    this.#begin(outgoing, start);
    return RESPONSE_ALREADY_SENT;
  }

  closeAll(reason: string): void {
    for (const stream of this.#open) stream.end(reason);
  }

  #begin(output: Writable, start: StartStream): void {
    const stream = new EventStream(output, this.#limits.max_stream_backlog_bytes, (each) =>
      this.#schedule(each),
    );
    this.#open.add(stream);
    const closed = () => {
      stream.close();
      this.#forget(stream);
    };
    output.on("close", closed).on("error", closed);
    // The reader may have gone while the stream was being prepared.
    if (output.destroyed) queueMicrotask(closed);
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#limits.heartbeat_ms).unref();
    stream.start(start).catch((error: unknown) => {
      this.#onError(error);
      stream.end("internal_error");
    });
  }

  #forget(stream: EventStream): void {
    this.#open.delete(stream);
    this.#waiting.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #beat(): void {
    for (const stream of this.#open) stream.beat();
  }

  #schedule(stream: EventStream): void {
    this.#waiting.add(stream);
    this.#timer ??= setTimeout(() => this.#flush(), this.#wait);
  }

  #flush(): void {
    const started = performance.now();
    const ready = this.#waiting;
    this.#waiting = new Set();
    this.#timer = undefined;
    for (const stream of ready) stream.flush();
    this.#wait = Math.min(longestWait, Math.max(shortestWait, 4 * (performance.now() - started)));
  }
}

function webStream(source: PassThrough): ReadableStream<Uint8Array> {
  const chunks = source.iterator();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void source.destroy(),
  });
}

/** The stream of one reader. */
class EventStream implements Sink {
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #schedule: (stream: EventStream) => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  #isOpen = true;
  #wroteLately = true;
  /** Stops what feeds the stream. */
  #stop: (() => void) | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(output: Writable, maxBytes: number, schedule: (stream: EventStream) => void) {
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#schedule = schedule;
    output.on("drain", () => this.flush());
    // How soon a browser comes back after the connection broke.
    output.write("retry: 1000\n\n");
  }

  async start(start: StartStream): Promise<void> {
    const stop = await start(this);
    if (this.#isOpen) this.#stop = stop;
    else stop();
  }

  send(events: readonly StreamEvent[]): void {
    if (!this.#isOpen) return;
    for (const event of events) {
      const bytes = frameOf(event);
      this.#frames.push(bytes);
      this.#bytes += bytes.length;
    }
    const isBlocked = this.#output.writableNeedDrain;
    if (!isBlocked && this.#bytes >= largeBatch) this.flush();
    else if (this.#bytes + this.#output.writableLength > this.#maxBytes) this.end("too_slow");
    else if (!isBlocked) this.#schedule(this);
  }

  flush(): void {
    if (!this.#isOpen || this.#frames.length === 0 || this.#output.writableNeedDrain) return;
    this.#write();
  }

  /** Keeps a connection alive that was quiet since the last time. */
  beat(): void {
    if (this.#isOpen && !this.#wroteLately && !this.#output.writableNeedDrain) this.#output.write(":\n\n");
    this.#wroteLately = false;
  }

  end(reason?: string): void {
    if (!this.#isOpen) return;
    this.#release();
    if (reason !== undefined) this.#frames.push(frameOf({ event: "stream.closed", data: { reason } }));
    this.#write();
    this.#grace = setTimeout(() => this.#output.destroy(), gracePeriod);
    this.#output.end();
  }

  close(): void {
    clearTimeout(this.#grace);
    if (this.#isOpen) this.#release();
    this.#frames = [];
  }

  #release(): void {
    this.#isOpen = false;
    this.#stop?.();
  }

  #write(): void {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    this.#wroteLately = true;
    if (!this.#output.destroyed) this.#output.write(Buffer.concat(frames));
  }
}

/** By the data of an event, which all its readers share: it becomes bytes once. */
const frames = new WeakMap<object, Buffer>();

function frameOf({ id, event, data }: StreamEvent): Buffer {
  const shared = typeof data === "object" && data !== null ? data : undefined;
  const known = shared && frames.get(shared);
  if (known !== undefined) return known;
  // A line end in a name would begin another field.
  const name = event === undefined ? "" : `event: ${event.replace(/[\r\n]/g, " ")}\n`;
  const frame = Buffer.from(
    `${id === undefined ? "" : `id: ${id}\n`}${name}data: ${JSON.stringify(data ?? null)}\n\n`,
  );
  if (shared !== undefined) frames.set(shared, frame);
  return frame;
}
