// A log that several processes write to and read: PostgreSQL gives out the cursors, and every reader learns of the others'
// events by a notification, or by polling.
//
//   facts    are delivered in the order of their cursors, in every process
//   deltas   go to the other processes with the notification itself; what gets lost there is in the fact that ends them
//
// A notification can be faster than the query that reads the facts before it. Deltas name the fact that they follow, and wait
// for it: a reader goes on after the newest cursor that it was given, so a fact that came later would be lost to it.

import {
  type EventListener,
  EventLog,
  type LogOptions,
  messageEnd,
  truncated,
} from "@stet/host/events/event-log";
import type { LogEvent, NewEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { logFailure } from "@stet/storage/operator-log";
import { maxNotification, type Notification, notify } from "./notifications.ts";
import { mustKeep, type PostgresStore } from "./postgres-store.ts";

const block = 1000;
/** Debounce of deltas: those of one interval are one notification. */
const batchMilliseconds = 40;
const trimEvery = 100;
const pageLength = 1000;

export class SharedEventLog extends EventLog {
  readonly #shared: PostgresStore;
  readonly #process: string;
  /** The cursors that are left for deltas. */
  #free = { next: 1, last: 0 };
  /** Deltas of a message that is not done. */
  #words: LogEvent[] = [];
  #outgoing: LogEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sent: Promise<void> = Promise.resolve();
  #pulling: Promise<void> = Promise.resolve();
  #unsubscribe: (() => void) | undefined;
  #appended = 0;

  protected constructor(
    name: string,
    store: PostgresStore,
    options: LogOptions,
    last: number,
    process: string,
  ) {
    super(name, store, options, last);
    this.#shared = store;
    this.#process = process;
  }

  static async openShared(
    name: string,
    store: PostgresStore,
    options: LogOptions,
    process: string,
  ): Promise<SharedEventLog> {
    return new SharedEventLog(name, store, options, await store.lastCursor(name), process);
  }

  override add(event: NewEvent, before?: () => Promise<unknown>): Promise<void> {
    return this.inOrder(async () => {
      await this.#sendDeltas();
      const known = Math.max(this.last, this.#free.last);
      const stored =
        before === undefined
          ? this.#shared.appendEvent(this.name, event)
          : this.#shared.appendWith(this.name, event, before);
      const cursor = mustKeep(await stored);
      // Deltas that come later have to be above it.
      this.#free = { next: 1, last: 0 };
      if (cursor === known + 1 && this.last < cursor) this.#hearFacts([{ cursor, ...event }]);
      else await this.#pull();
      this.#appended += 1;
      if (this.#appended % trimEvery === 0) await this.#shared.trimEvents(this.name, this.options.maxEvents);
    });
  }

  override delta(delta: NewEvent): Promise<void> {
    return this.inOrder(async () => {
      if (this.#free.next > this.#free.last || this.#free.next <= this.last) {
        const last = mustKeep(await this.#shared.takeCursors(this.name, block));
        this.#free = { next: last - block + 1, last };
      }
      const event = { cursor: this.#free.next, ...delta };
      this.#free.next += 1;
      this.#hearDeltas([event]);
      this.#outgoing.push(event);
      this.#timer ??= setTimeout(() => void this.#sendDeltas(), batchMilliseconds).unref();
    });
  }

  /** Sends the waiting deltas to the other processes, before any later fact. Where it fails they get the fact that ends them. */
  #sendDeltas(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts(this.#outgoing);
    this.#outgoing = [];
    const { pool, notifications } = this.#shared;
    this.#sent = this.#sent.then(async () => {
      for (const part of parts) await notify(pool, notifications.channel, part).catch(() => undefined);
    });
    return this.#sent;
  }

  /** As few notifications as fit; an event that fits into none is not sent. */
  #parts(events: readonly LogEvent[]): Notification[] {
    if (events.length === 0) return [];
    const [log, from, after] = [this.name, this.#process, this.last];
    const notification: Notification = { kind: "deltas", log, from, after, events };
    if (Buffer.byteLength(JSON.stringify(notification)) < maxNotification) return [notification];
    const half = events.length >> 1;
    return half === 0 ? [] : [...this.#parts(events.slice(0, half)), ...this.#parts(events.slice(half))];
  }

  #hearFacts(events: readonly LogEvent[]): void {
    const fresh = events.filter(({ cursor }) => cursor > this.last);
    if (fresh.length === 0) return;
    if (fresh.some(({ type }) => type === messageEnd)) this.#words = [];
    this.last = fresh.at(-1)?.cursor ?? this.last;
    for (const listener of this.listeners) listener(fresh);
  }

  #hearDeltas(events: readonly LogEvent[]): void {
    const newest = Math.max(this.last, this.#words.at(-1)?.cursor ?? 0);
    const fresh = events.filter(({ cursor }) => cursor > newest);
    if (fresh.length === 0) return;
    this.#words.push(...fresh);
    if (this.#words.length > 2 * block) this.#words.splice(0, this.#words.length - block);
    for (const listener of this.listeners) listener(fresh);
  }

  /** Reads the facts since the last cursor and delivers them. */
  #pull(): Promise<void> {
    this.#pulling = this.#pulling
      .catch(() => undefined)
      .then(async () => {
        for (;;) {
          const events = await this.#shared.events(this.name, this.last, pageLength);
          this.#hearFacts(events);
          if (events.length < pageLength) return;
        }
      });
    return this.#pulling;
  }

  #onNotification(notification: Notification | undefined): void {
    const isNews =
      notification === undefined ||
      (notification.kind === "event" && notification.log === this.name && notification.cursor > this.last);
    if (isNews) void this.#pull().catch(logFailure("postgres.events"));
    if (
      notification?.kind !== "deltas" ||
      notification.log !== this.name ||
      notification.from === this.#process
    )
      return;
    const { after, events } = notification;
    if (after <= this.last) this.#hearDeltas(events);
    else
      void this.#pull()
        .then(() => this.#hearDeltas(events))
        .catch(logFailure("postgres.events"));
  }

  override async read(after: number, limit: number): Promise<LogEvent[]> {
    await this.writing;
    const lost = await this.#missed(after);
    const from = lost?.cursor ?? after;
    const stored = await this.#shared.events(this.name, from, lost === undefined ? limit : limit - 1);
    const newest = Math.max(from, stored.at(-1)?.cursor ?? 0, this.last);
    const words = this.#words.filter(({ cursor }) => cursor > newest);
    return [...(lost === undefined ? [] : [lost]), ...stored, ...words].slice(0, limit);
  }

  /** The event for a reader whose cursor was trimmed from the log, or never existed. */
  async #missed(after: number): Promise<LogEvent | undefined> {
    const { last, dropped } = await this.#shared.extent(this.name);
    if (after >= dropped && (after <= last || last === 0)) return undefined;
    const cursor = after < dropped ? dropped : last;
    return { cursor, ...newEvent(truncated, { oldest: dropped + 1 }) };
  }

  /** Subscribed to notifications while there is a reader. */
  override async follow(after: number, listener: EventListener): Promise<() => void> {
    if (this.#unsubscribe === undefined) {
      this.#unsubscribe = this.#shared.notifications.subscribe((notification) =>
        this.#onNotification(notification),
      );
      await this.#pull();
    }
    let seen = after;
    const stop = await super.follow(after, (events) => {
      const fresh = events.filter(({ cursor, type }) => cursor > seen || type === truncated);
      if (fresh.length === 0) return;
      seen = fresh.at(-1)?.cursor ?? seen;
      listener(fresh);
    });
    return () => {
      stop();
      if (this.readers > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }
}
