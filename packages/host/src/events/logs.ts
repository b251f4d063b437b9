// The logs in memory: each name once, as long as someone needs it. Two of one name would give out the same cursors.

import { logFailure } from "@stet/storage/operator-log";
import type { ServerLimits } from "../limits.ts";
import type { Store } from "../store/store.ts";
import type { EventLog, LogOptions } from "./event-log.ts";

export const workspaceLog = "workspace";

export function jobLog(job: string): string {
  return `job:${job}`;
}

export interface HeldLog {
  readonly log: EventLog;
  release(): void;
}

/** Opens a log: this process's own, unless several processes share them. */
export type OpenLog = (name: string, options: LogOptions) => Promise<EventLog>;

interface Entry {
  readonly log: Promise<EventLog>;
  holders: number;
}

export class Logs {
  readonly #store: Store;
  readonly #openLog: OpenLog;
  readonly #limits: ServerLimits;
  readonly #entries = new Map<string, Entry>();

  constructor(store: Store, limits: ServerLimits, openLog: OpenLog) {
    this.#store = store;
    this.#openLog = openLog;
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The newest cursor. A log without readers or writers is not opened for it. */
  async cursor(name: string): Promise<number> {
    const entry = this.#entries.get(name);
    return entry === undefined ? this.#store.lastCursor(name) : (await entry.log).cursor;
  }

  async hold(name: string): Promise<HeldLog> {
    const entry = this.#entries.get(name) ?? this.#open(name);
    entry.holders += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      void this.#release(name, entry);
    };
    try {
      return { log: await entry.log, release };
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
  }

  #open(name: string): Entry {
    const maxEvents =
      name === workspaceLog ? this.#limits.max_workspace_events : this.#limits.max_events_per_job;
    const entry = { log: this.#openLog(name, { maxEvents }), holders: 0 };
    this.#entries.set(name, entry);
    return entry;
  }

  /** Forgets the log when the last holder is gone and everything is written. */
  async #release(name: string, entry: Entry): Promise<void> {
    const log = await entry.log;
    await log.settled();
    entry.holders -= 1;
    if (entry.holders === 0) await log.rest().catch(logFailure("events.rest", { log: name }));
    if (entry.holders === 0 && this.#entries.get(name) === entry) this.#entries.delete(name);
  }

  async with<T>(name: string, action: (log: EventLog) => Promise<T>): Promise<T> {
    const held = await this.hold(name);
    try {
      return await action(held.log);
    } finally {
      held.release();
    }
  }

  /** When everything given so far is written. */
  async settled(): Promise<void> {
    for (const { log } of [...this.#entries.values()]) await (await log).settled();
  }
}
