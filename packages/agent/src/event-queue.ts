// The events of a turn on their way to its reader: a bounded queue, and the only code that merges deltas.
//
// - The first delta of a block leaves at once, those of the next 50 ms leave as one: however small a model's deltas are, the
//   log, its streams and every front end get at most twenty a second.
// - Only neighbours of one type and block are merged, so the order and the joined text are exactly what the model sent.
// - Backpressure: at most 256 events wait, each of at most 16,384 characters more than one delta of the model. Beyond that
//   `put` waits, so that a slow reader slows the model and memory stays flat.

import type { ModelEvent } from "@stet/protocol/model-stream";
import type { AgentEvent } from "./agent-event.ts";

const capacity = 256;
const intervalMs = 50;
const maxDeltaLength = 16_384;

type DeltaEvent = Extract<ModelEvent, { delta: string }>;

export class EventQueue {
  readonly #waiting: AgentEvent[] = [];
  #isEnded = false;
  #isAbandoned = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  /** Resolves when there is room for more. */
  put(event: AgentEvent): Promise<void> {
    if (this.#isAbandoned) return Promise.resolve();
    const last = this.#waiting.at(-1);
    const merged = last === undefined ? undefined : mergedDelta(last, event);
    if (merged === undefined) {
      this.#waiting.push(event);
      this.#wakeReader?.();
    } else this.#waiting[this.#waiting.length - 1] = merged;
    if (this.#waiting.length < capacity) return Promise.resolve();
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
  }

  async *take(): AsyncGenerator<AgentEvent> {
    let lastDelta = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        const next = this.#waiting[0];
        if (next === undefined) {
          if (this.#isEnded) return;
          await this.#changed();
          continue;
        }
        const delta = deltaOf(next);
        const wait = delta === undefined ? 0 : lastDelta + intervalMs - performance.now();
        if (wait > 0 && this.#waiting.length === 1 && !this.#isEnded) {
          await this.#changed(wait);
          continue;
        }
        this.#waiting.shift();
        if (this.#waiting.length < capacity / 2) this.#release();
        // The first words of the next block do not wait for the interval of this one.
        lastDelta = delta === undefined ? Number.NEGATIVE_INFINITY : performance.now();
        yield next;
      }
    } finally {
      // The reader is gone: what is put from now on is dropped, and no writer waits for room.
      this.#isAbandoned = true;
      this.#waiting.length = 0;
      this.#release();
    }
  }

  /** Resolves at the next new event, at the end, or after so many milliseconds. */
  async #changed(atMostMs?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeReader = resolve;
    const timer = atMostMs === undefined ? undefined : setTimeout(resolve, atMostMs);
    await promise;
    clearTimeout(timer);
  }

  #release(): void {
    const writers = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of writers) wake();
  }
}

function mergedDelta(last: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  const before = deltaOf(last);
  const after = deltaOf(next);
  if (before === undefined || after === undefined) return undefined;
  const { type, index, delta } = before;
  if (type !== after.type || index !== after.index || delta.length >= maxDeltaLength) return undefined;
  return { type: "model", event: { type, index, delta: delta + after.delta } };
}

function deltaOf(event: AgentEvent): DeltaEvent | undefined {
  return event.type === "model" && "delta" in event.event ? event.event : undefined;
}
