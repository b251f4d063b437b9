// One ordered log of events, with any number of readers.
//
//   facts    are stored before they are delivered, and are never dropped for a reader
//   deltas   are the model's words as they come. They live in memory only; the fact that ends their message holds them
//            all, so from then on a reader who is behind gets that fact instead
//
// A reader subscribes before the stored events are read, so nothing is missed or delivered twice. Cursors are reserved in blocks:
// after a crash the log goes on above all that were given out. The oldest facts are dropped beyond a limit; a reader who
// has not seen them gets `log.truncated` first, and reads everything anew.

import type { EventData, EventType, LogEvent, NewEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { isFault } from "@stet/protocol/fault";
import type { Store } from "../store/store.ts";

export type EventListener = (events: readonly LogEvent[]) => void;

const block = 1000;
/** Facts that are held in memory for readers who come back soon. */
const recentFacts = 1000;
/** Facts between two looks at what is too old: dropping costs more than it frees. */
const trimEvery = 100;
const pageLength = 1000;

/** The fact that holds a whole message; its deltas are of no use any more. */
export const messageEnd = "message.completed";
export const truncated = "log.truncated";

export interface LogOptions {
  /** The oldest facts are dropped beyond so many. */
  readonly maxEvents: number;
}

export class EventLog {
  readonly name: string;
  protected readonly store: Store;
  protected readonly options: LogOptions;
  protected readonly listeners = new Set<EventListener>();
  protected last: number;
  #reserved: number;
  /** The newest facts, and the deltas of messages that are not done, by cursor. */
  protected recent: LogEvent[] = [];
  /** Everything after this cursor is in `recent`. */
  #recentFrom: number;
  readonly #deltas = new Set<number>();
  #kept = 0;
  /** The cursor of the oldest stored fact; 0 where there is none. */
  #oldest = 0;
  /** How many events are appended and not delivered yet. */
  #waiting = 0;
  protected writing: Promise<void> = Promise.resolve();

  protected constructor(name: string, store: Store, options: LogOptions, last: number) {
    this.name = name;
    this.store = store;
    this.options = options;
    this.last = last;
    this.#reserved = last;
    this.#recentFrom = last;
  }

  static async open(name: string, store: Store, options: LogOptions): Promise<EventLog> {
    const log = new EventLog(name, store, options, await store.lastCursor(name));
    await log.#trim();
    return log;
  }

  get cursor(): number {
    return this.last;
  }

  get readers(): number {
    return this.listeners.size;
  }

  /**
   * Stores a fact, then delivers it. Facts are delivered in the order in which they were appended. What must be true before
   * the delivery is done in `before`; a reader of the log meanwhile waits for both.
   */
  append<Type extends EventType>(
    type: Type,
    data: EventData<Type>,
    before?: () => Promise<unknown>,
  ): Promise<void> {
    return this.add(newEvent(type, data), before);
  }

  add(event: NewEvent, before?: () => Promise<unknown>): Promise<void> {
    return this.inOrder(async () => {
      await before?.();
      await this.#keep(event);
    });
  }

  /** Tells a part of a message that is still being made. */
  delta(event: NewEvent): Promise<void> {
    return this.inOrder(async () => {
      const cursor = await this.#nextCursor();
      this.#deltas.add(cursor);
      this.#tell({ cursor, ...event });
    });
  }

  /** Serialises writes; a failure rejects its caller's promise, and the next write goes on. */
  protected inOrder(action: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    const done = this.writing.then(action).finally(() => {
      this.#waiting -= 1;
    });
    this.writing = done.catch(() => undefined);
    return done;
  }

  async #keep(event: NewEvent): Promise<void> {
    const fact = { cursor: await this.#nextCursor(), ...event };
    const fault = await this.store.keepEvents(this.name, [fact]);
    if (isFault(fault)) throw new Error(`${fault.message} ${fault.suggestion}`);
    if (this.#oldest === 0) this.#oldest = fact.cursor;
    if (event.type === messageEnd) this.#dropDeltas();
    this.#tell(fact);
    this.#kept += 1;
    if (this.#kept % trimEvery === 0) await this.#trim();
  }

  async #trim(): Promise<void> {
    await this.store.trimEvents(this.name, this.options.maxEvents);
    const [oldest] = await this.store.events(this.name, 0, 1);
    this.#oldest = oldest?.cursor ?? 0;
  }

  async #nextCursor(): Promise<number> {
    if (this.last + 1 > this.#reserved) {
      const upTo = this.last + block;
      const fault = await this.store.reserveCursors(this.name, upTo);
      if (isFault(fault)) throw new Error(`${fault.message} ${fault.suggestion}`);
      this.#reserved = upTo;
    }
    this.last += 1;
    return this.last;
  }

  /** Releases the reserved cursors that were not used: the log has no readers or writers for now. */
  rest(): Promise<void> {
    return this.inOrder(async () => {
      if (this.#reserved <= this.last) return;
      const fault = await this.store.reserveCursors(this.name, this.last);
      if (!isFault(fault)) this.#reserved = this.last;
    });
  }

  #tell(event: LogEvent): void {
    this.recent.push(event);
    if (this.recent.length > 2 * recentFacts) this.#forget();
    for (const listener of this.listeners) listener([event]);
  }

  #dropDeltas(): void {
    if (this.#deltas.size === 0) return;
    this.recent = this.recent.filter((event) => !this.#deltas.has(event.cursor));
    this.#deltas.clear();
  }

  #forget(): void {
    const dropped = this.recent.splice(0, this.recent.length - recentFacts);
    this.#recentFrom = dropped.at(-1)?.cursor ?? this.#recentFrom;
    for (const { cursor } of dropped) this.#deltas.delete(cursor);
  }

  /** The events after a cursor: stored facts, and deltas of a message that is not done. */
  async read(after: number, limit: number): Promise<LogEvent[]> {
    await this.writing;
    const lost = this.#lost(after);
    if (lost !== undefined) return [lost, ...(await this.#page(lost.cursor, limit - 1))];
    return this.#page(Math.min(after, this.last), limit);
  }

  async #page(after: number, limit: number): Promise<LogEvent[]> {
    const newer = this.recent.filter(({ cursor }) => cursor > after);
    if (after >= this.#recentFrom) return newer.slice(0, limit);
    const kept = await this.store.events(this.name, after, limit);
    const known = new Set(kept.map(({ cursor }) => cursor));
    const merged = [...kept, ...newer.filter(({ cursor }) => !known.has(cursor))];
    return merged.sort((one, other) => one.cursor - other.cursor).slice(0, limit);
  }

  /** What to tell a reader who has missed facts that are dropped, or who has seen cursors that were never given out. */
  #lost(after: number): LogEvent | undefined {
    const isTooOld = this.#oldest > 0 && after < this.#oldest - 1;
    // An empty log has nothing that one could have missed.
    if (!isTooOld && (after <= this.last || this.last === 0)) return undefined;
    const cursor = isTooOld ? this.#oldest - 1 : this.last;
    return { cursor, ...newEvent(truncated, { oldest: this.#oldest }) };
  }

  /**
   * Everything after a cursor, then everything as it happens, each event once and in order. Returns how to stop it.
   */
  async follow(after: number, listener: EventListener): Promise<() => void> {
    const waiting: LogEvent[] = [];
    let hear: EventListener = (events) => void waiting.push(...events);
    const installed: EventListener = (events) => hear(events);
    this.listeners.add(installed);
    const stop = () => this.listeners.delete(installed);
    try {
      const seen = await this.#catchUp(after, listener);
      const missed = waiting.filter(({ cursor }) => cursor > seen);
      if (missed.length > 0) listener(missed);
      hear = listener;
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  async #catchUp(after: number, listener: EventListener): Promise<number> {
    let seen = after;
    for (;;) {
      const page = await this.read(seen, pageLength);
      const end = page.at(-1)?.cursor;
      if (end === undefined) return Math.min(seen, this.last);
      seen = end;
      listener(page);
      if (page.length < pageLength) return seen;
    }
  }

  /** Resolves when everything appended so far is stored and delivered. */
  async settled(): Promise<void> {
    while (this.#waiting > 0) await this.writing;
  }
}
