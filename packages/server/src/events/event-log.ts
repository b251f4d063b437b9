// One ordered log of events, with any number of readers.
//
//   facts    are kept in the store before anyone hears of them, and are never dropped for a reader
//   deltas   are the model's words as they come. They live in memory only; the fact that ends their message holds them
//            all, so from then on a reader who is behind gets that fact instead
//
// A reader is installed before what was kept is read, so nothing is missed or told twice. Cursors are reserved in blocks:
// after a crash the log goes on above all that were given out.

import type { JobEvent } from "@stet/protocol/api/agent";
import { isFault } from "@stet/protocol/fault";
import type { NewEvent, Store } from "../store/store.ts";

export type EventListener = (events: readonly JobEvent[]) => void;

const block = 1000;
/** Facts that are held in memory for readers who come back soon. */
const recentFacts = 1000;

export interface LogOptions {
  /** The oldest facts are dropped beyond so many. */
  readonly maxEvents: number;
}

export class EventLog {
  readonly name: string;
  private readonly store: Store;
  private readonly options: LogOptions;
  private readonly listeners = new Set<EventListener>();
  private last: number;
  private reserved: number;
  /** The newest facts, and the deltas of messages that are not done, by cursor. */
  private recent: JobEvent[] = [];
  /** Everything after this cursor is in `recent`. */
  private recentFrom: number;
  private readonly deltas = new Set<number>();
  private kept = 0;
  private writing: Promise<void> = Promise.resolve();

  private constructor(name: string, store: Store, options: LogOptions, last: number) {
    this.name = name;
    this.store = store;
    this.options = options;
    this.last = last;
    this.reserved = last;
    this.recentFrom = last;
  }

  static async open(name: string, store: Store, options: LogOptions): Promise<EventLog> {
    return new EventLog(name, store, options, await store.lastCursor(name));
  }

  get cursor(): number {
    return this.last;
  }

  get readers(): number {
    return this.listeners.size;
  }

  /** Keeps a fact, then tells it. Facts are told in the order in which they were given. */
  append(type: string, data: Record<string, unknown>): Promise<void> {
    const ts = new Date().toISOString();
    this.writing = this.writing.then(() => this.keep({ type, ts, data }));
    return this.writing;
  }

  private async keep(event: NewEvent): Promise<void> {
    const fact = { cursor: await this.nextCursor(), ...event };
    const fault = await this.store.keepEvents(this.name, [fact]);
    if (isFault(fault)) throw new Error(`${fault.message} ${fault.suggestion}`);
    if (event.type === messageEnd) this.dropDeltas();
    this.tell(fact);
    this.kept += 1;
    // Now and then, because it costs more than it frees.
    if (this.kept % 100 === 0) await this.store.trimEvents(this.name, this.options.maxEvents);
  }

  /** Tells a part of a message that is still being made. */
  delta(type: string, data: Record<string, unknown>): Promise<void> {
    this.writing = this.writing.then(async () => {
      const cursor = await this.nextCursor();
      this.deltas.add(cursor);
      this.tell({ cursor, type, ts: new Date().toISOString(), data });
    });
    return this.writing;
  }

  private async nextCursor(): Promise<number> {
    if (this.last + 1 > this.reserved) {
      this.reserved = this.last + block;
      const fault = await this.store.reserveCursors(this.name, this.reserved);
      if (isFault(fault)) throw new Error(`${fault.message} ${fault.suggestion}`);
    }
    this.last += 1;
    return this.last;
  }

  private tell(event: JobEvent): void {
    this.recent.push(event);
    if (this.recent.length > 2 * recentFacts) this.forget();
    for (const listener of this.listeners) listener([event]);
  }

  private dropDeltas(): void {
    if (this.deltas.size === 0) return;
    this.recent = this.recent.filter((event) => !this.deltas.has(event.cursor));
    this.deltas.clear();
  }

  private forget(): void {
    const dropped = this.recent.splice(0, this.recent.length - recentFacts);
    this.recentFrom = dropped.at(-1)?.cursor ?? this.recentFrom;
    for (const { cursor } of dropped) this.deltas.delete(cursor);
  }

  /** What comes after a cursor: kept facts, and deltas of a message that is not done. */
  async read(after: number, limit: number): Promise<JobEvent[]> {
    await this.writing;
    if (after >= this.recentFrom) return this.recent.filter(({ cursor }) => cursor > after).slice(0, limit);
    const kept = await this.store.events(this.name, after, limit);
    if (kept.length === limit) return kept;
    const known = new Set(kept.map(({ cursor }) => cursor));
    const newer = this.recent.filter(({ cursor }) => cursor > after && !known.has(cursor));
    return [...kept, ...newer].sort((one, other) => one.cursor - other.cursor).slice(0, limit);
  }

  /**
   * Everything after a cursor, then everything as it happens, each event once and in order. Returns how to stop it.
   */
  async follow(after: number, listener: EventListener): Promise<() => void> {
    const waiting: JobEvent[] = [];
    let seen = after;
    let hear: EventListener = (events) => void waiting.push(...events);
    const installed: EventListener = (events) => hear(events);
    this.listeners.add(installed);
    for (;;) {
      const page = await this.read(seen, 1000);
      const fresh = page.filter(({ cursor }) => cursor > seen);
      if (fresh.length === 0) break;
      seen = fresh.at(-1)?.cursor ?? seen;
      listener(fresh);
      if (page.length < 1000) break;
    }
    const missed = waiting.filter(({ cursor }) => cursor > seen);
    if (missed.length > 0) listener(missed);
    hear = listener;
    return () => this.listeners.delete(installed);
  }

  /** When everything given so far is kept and told. */
  async settled(): Promise<void> {
    await this.writing;
  }
}

/** The fact that holds a whole message; its deltas are of no use any more. */
export const messageEnd = "message.completed";
