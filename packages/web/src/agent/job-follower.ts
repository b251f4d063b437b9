// Follows one job at a time. Events are taken together a dozen times a second, so that a fast model costs the window no more
// than a slow one, and leaves the time between to whoever types; a window that nobody sees lets go of the stream and goes on from the same cursor when it is looked at again.

import type { Client } from "@stet/client/client";
import { emptyView, fold, type TurnView } from "@stet/client/fold";
import { follow } from "@stet/client/follow";
import type { LogEvent } from "@stet/protocol/events/log-event";

export interface FollowerOptions {
  readonly client: Client;
  /** Called with the newest state, throttled to a dozen times a second. */
  readonly onTurn: (turn: TurnView) => void;
  /** Called once, after the last `onTurn`: it has ended, or cannot be followed any more. */
  readonly onOver: (job: string, turn: TurnView) => void;
}

const flushEveryMs = 80;

export class JobFollower {
  readonly #options: FollowerOptions;
  #job: string | undefined;
  #turn: TurnView = emptyView;
  #waiting: LogEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #stop = new AbortController();

  constructor(options: FollowerOptions) {
    this.#options = options;
    document.addEventListener("visibilitychange", () => this.#connect());
  }

  follow(job: string): void {
    this.letGo();
    this.#job = job;
    this.#connect();
  }

  letGo(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#job = undefined;
    this.#turn = emptyView;
    this.#waiting = [];
  }

  #connect(): void {
    this.#stop.abort();
    const job = this.#job;
    if (job === undefined || document.visibilityState === "hidden") return;
    this.#stop = new AbortController();
    void this.#read(job, this.#stop.signal);
  }

  async #read(job: string, signal: AbortSignal): Promise<void> {
    // What waits to be taken is known already.
    const cursor = this.#waiting.at(-1)?.cursor ?? this.#turn.cursor;
    const events = follow(
      this.#options.client,
      "streamJobEvents",
      { params: { job_id: job } },
      { cursor, signal },
    );
    for (;;) {
      const next = await events.next();
      if (signal.aborted) {
        await events.return(undefined);
        return;
      }
      if (next.done === true) {
        this.#flush();
        this.#over(job);
        return;
      }
      this.#waiting.push(next.value);
      const wait = Math.max(0, this.#flushedAt + flushEveryMs - performance.now());
      this.#timer ??= setTimeout(() => this.#flush(), wait);
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushedAt = performance.now();
    const job = this.#job;
    if (job === undefined || this.#waiting.length === 0) return;
    for (const event of this.#waiting) this.#turn = fold(this.#turn, event);
    this.#waiting = [];
    this.#options.onTurn(this.#turn);
    if (this.#turn.end !== undefined) this.#over(job);
  }

  #over(job: string): void {
    if (this.#job !== job) return;
    const turn = this.#turn;
    this.letGo();
    this.#options.onOver(job, turn);
  }
}
