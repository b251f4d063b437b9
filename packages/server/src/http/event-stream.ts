// One reader of events.
//
//   open → ending (no more events are taken; what waits is sent, then the reason, within the grace time) → closed
//
// What fed the stream is let go of exactly once, at the first of: it was ended, or its reader went away. A reader that
// lets more wait than the limit is ended, with what it has a right to; it can go on from the last event that it got.

import type { Sink, StartStream, StreamEvent } from "@stet/host/operations/operation";
import { Backlog } from "./backlog.ts";
import { frameOf, Joiner, newFrame } from "./event-frame.ts";
import type { OpenOutput, StreamOutput } from "./stream-output.ts";

/** How long an ended stream may take to send its rest. */
const grace = 3000;
/** So much is written at once, before the usual time. It is also the most that is copied to be written in one piece. */
const largeBatch = 64 * 1024;
/** How soon a browser comes back after the connection broke. */
const greeting = Buffer.from("retry: 1000\n\n");
const heartbeat = Buffer.from(":\n\n");

export const closedEvent = "stream.closed";

export interface StreamOwner {
  readonly maxBacklog: number;
  /** Asks to be flushed soon. */
  schedule(stream: EventStream): void;
  closed(stream: EventStream): void;
  failed(error: unknown): void;
}

export class EventStream implements Sink {
  private readonly owner: StreamOwner;
  private readonly output: StreamOutput;
  private readonly backlog = new Backlog();
  private state: "open" | "ending" | "closed" = "open";
  /** Whether the reader has to take something before more is written. */
  private isBlocked = false;
  private wroteLately = true;
  private stop: (() => void) | undefined;
  private isReleased = false;
  private ending: NodeJS.Timeout | undefined;

  constructor(open: OpenOutput, owner: StreamOwner) {
    this.owner = owner;
    this.output = open({ drained: () => this.drained(), closed: () => this.closed() });
    this.write(greeting);
  }

  async start(start: StartStream): Promise<void> {
    try {
      const stop = await start(this);
      if (this.isReleased) stop();
      else this.stop = stop;
    } catch (error) {
      this.owner.failed(error);
      this.end("internal_error");
    }
  }

  send(events: readonly StreamEvent[]): void {
    if (this.state !== "open") return;
    for (const event of events) this.backlog.add(frameOf(event), this.isBlocked);
    if (!this.isBlocked && this.backlog.bytes >= largeBatch) this.flush(new Joiner());
    else if (this.backlog.bytes + this.output.unsent > this.owner.maxBacklog) this.end("too_slow");
    else if (!this.isBlocked) this.owner.schedule(this);
  }

  /** Writes what waits. Readers that wait for the same share the bytes through the joiner. */
  flush(joiner: Joiner): void {
    if (this.state !== "open" || this.isBlocked || this.backlog.isEmpty) return;
    const isLarge = this.backlog.bytes > largeBatch;
    const frames = this.backlog.take();
    if (isLarge) for (const frame of frames) this.write(frame.bytes);
    else this.write(joiner.join(frames));
  }

  /** Keeps connections alive that were quiet since the last time. */
  beat(): void {
    if (this.state === "open" && !this.isBlocked && !this.wroteLately) this.write(heartbeat);
    this.wroteLately = false;
  }

  end(reason?: string): void {
    if (this.state !== "open") return;
    this.state = "ending";
    this.release();
    for (const frame of this.backlog.take()) this.write(frame.bytes);
    if (reason !== undefined) this.write(newFrame({ event: closedEvent, data: { reason } }).bytes);
    this.ending = setTimeout(() => this.output.destroy(), grace);
    this.output.end();
  }

  private write(bytes: Uint8Array): void {
    this.wroteLately = true;
    this.isBlocked = !this.output.write(bytes);
  }

  private drained(): void {
    this.isBlocked = false;
    if (!this.backlog.isEmpty) this.owner.schedule(this);
  }

  private closed(): void {
    if (this.state === "closed") return;
    this.state = "closed";
    clearTimeout(this.ending);
    this.backlog.take();
    this.release();
    this.owner.closed(this);
  }

  private release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.stop?.();
    this.stop = undefined;
  }
}
