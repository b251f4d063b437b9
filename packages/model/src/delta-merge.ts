// Fewer, larger deltas for consumers, and a bound on what waits for them.
//
// - The first delta of a block leaves at once; those that follow within the interval leave as one.
// - Only deltas of the same type and block are merged. Any other event flushes what waits, then follows it: order is kept,
//   and the concatenation of deltas is exactly what the source sent.
// - At most `maxEvents` events, each of at most `maxDeltaLength` characters more than one delta of the source, wait for the
//   consumer. Then the source is not read any further until there is room.

import type { Model, ModelEvent } from "@stet/protocol/model-stream";
import { wrapModel } from "./wrapped-model.ts";

export interface MergeOptions {
  readonly intervalMs?: number;
  readonly maxEvents?: number;
  readonly maxDeltaLength?: number;
  /** Called when the consumer leaves before the end, so that a source that waits for its server can be stopped. */
  readonly onLeave?: () => void;
}

type DeltaEvent = Extract<ModelEvent, { delta: string }>;

export function mergeDeltas(
  source: AsyncIterable<ModelEvent>,
  options: MergeOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  return drain(new MergeQueue(options), source, options);
}

/** The same model with merged deltas; leaving its stream early stops the request. */
export function withMergedDeltas(model: Model, options: Omit<MergeOptions, "onLeave"> = {}): Model {
  return wrapModel(
    () => model,
    (request, signal) => {
      const leave = new AbortController();
      const both = signal === undefined ? leave.signal : AbortSignal.any([signal, leave.signal]);
      return mergeDeltas(model.stream(request, both), { ...options, onLeave: () => leave.abort() });
    },
  );
}

async function* drain(
  queue: MergeQueue,
  source: AsyncIterable<ModelEvent>,
  options: MergeOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const pumped = pump(queue, source);
  let isComplete = false;
  try {
    for (;;) {
      const event = queue.take();
      if (event !== undefined) {
        yield event;
        continue;
      }
      if (queue.isClosed) break;
      await queue.untilEvent();
    }
    isComplete = true;
    await pumped;
  } finally {
    queue.leave();
    if (!isComplete) options.onLeave?.();
  }
}

async function pump(queue: MergeQueue, source: AsyncIterable<ModelEvent>): Promise<void> {
  try {
    for await (const event of source) {
      queue.add(event);
      if (queue.isFull) await queue.untilRoom();
      if (queue.hasLeft) return;
    }
  } finally {
    queue.close();
  }
}

class MergeQueue {
  readonly #intervalMs: number;
  readonly #maxEvents: number;
  readonly #maxDeltaLength: number;
  #events: ModelEvent[] = [];
  #taken = 0;
  #first: DeltaEvent | undefined;
  #pieces: string[] = [];
  #length = 0;
  #lastFlush = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #wakeConsumer: (() => void) | undefined;
  #wakePump: (() => void) | undefined;
  isClosed = false;
  hasLeft = false;

  constructor(options: MergeOptions) {
    this.#intervalMs = options.intervalMs ?? 50;
    this.#maxEvents = options.maxEvents ?? 64;
    this.#maxDeltaLength = options.maxDeltaLength ?? 16_384;
  }

  get isFull(): boolean {
    return this.#events.length - this.#taken >= this.#maxEvents;
  }

  add(event: ModelEvent): void {
    if (!isDelta(event)) {
      this.#flush();
      this.#push(event);
      // The next block's first words should not wait for the interval of the last.
      this.#lastFlush = Number.NEGATIVE_INFINITY;
      return;
    }
    const first = this.#first;
    if (first !== undefined && (first.type !== event.type || first.index !== event.index)) this.#flush();
    this.#first ??= event;
    this.#pieces.push(event.delta);
    this.#length += event.delta.length;
    if (this.#length >= this.#maxDeltaLength) this.#flush();
    else if (this.#timer === undefined) this.#flushInTime();
  }

  take(): ModelEvent | undefined {
    const event = this.#events[this.#taken];
    if (event === undefined) return undefined;
    this.#taken++;
    if (this.#taken === this.#events.length) {
      this.#events = [];
      this.#taken = 0;
    }
    const wake = this.#wakePump;
    this.#wakePump = undefined;
    wake?.();
    return event;
  }

  untilEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeConsumer = resolve;
    });
  }

  untilRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakePump = resolve;
    });
  }

  close(): void {
    this.#flush();
    this.isClosed = true;
    this.#wake();
  }

  leave(): void {
    this.hasLeft = true;
    clearTimeout(this.#timer);
    this.#wakePump?.();
  }

  #flushInTime(): void {
    const wait = this.#lastFlush + this.#intervalMs - performance.now();
    if (wait <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const first = this.#first;
    if (first === undefined) return;
    const delta = this.#pieces.length === 1 ? first.delta : this.#pieces.join("");
    this.#first = undefined;
    this.#pieces = [];
    this.#length = 0;
    this.#lastFlush = performance.now();
    this.#push({ ...first, delta });
  }

  #push(event: ModelEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  #wake(): void {
    const wake = this.#wakeConsumer;
    this.#wakeConsumer = undefined;
    wake?.();
  }
}

function isDelta(event: ModelEvent): event is DeltaEvent {
  return event.type === "text_delta" || event.type === "thinking_delta" || event.type === "toolcall_delta";
}
