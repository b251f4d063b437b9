// Timers of one session: prompts that are due at times of a cron expression. They live in memory, with their session.
//
// - A timer belongs to an agent, which sees and removes its own only, and has at most `maxTimers` of them.
// - A recurring one ends after seven days; one that is due once removes itself.
// - A clock that jumps ahead (a machine that slept) makes a timer due once, however often it would have been; one that
//   jumps back only moves the next time. So nobody sleeps for longer than `maxSleepMs` without looking at the clock.
// - Of many timers of one minute each comes a little later, by a share of its own that is always the same.

import { Fault, isFault } from "@stet/protocol/fault";
import { callListener } from "../background/call-listener.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { CronExpression } from "./cron-expression.ts";
import { cronWords } from "./cron-words.ts";

export interface Timer {
  /** 8 characters. */
  readonly id: string;
  readonly owner: string;
  readonly expression: string;
  /** As people say it. */
  readonly words: string;
  readonly recurring: boolean;
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
  readonly expiresAt: number | undefined;
}

export interface TimersOptions {
  readonly clock?: Clock;
  readonly onDue: (timer: Timer) => void;
  /** Called with a recurring timer whose seven days are over. */
  readonly onExpired?: (timer: Timer) => void;
  /** Called whenever a timer came or went. */
  readonly onChange?: () => void;
}

export interface NewTimer {
  readonly expression: string;
  readonly prompt: string;
  readonly recurring: boolean;
}

export const maxTimers = 50;
const expiryMs = 7 * 86_400_000;
const maxSleepMs = 30_000;
const maxJitterMs = 30_000;

interface Known {
  readonly cron: CronExpression;
  readonly jitterMs: number;
  timer: Timer;
}

export class Timers {
  readonly #clock: Clock;
  readonly #options: TimersOptions;
  readonly #timers = new Map<string, Known>();
  #stop: (() => void) | undefined;
  #lookedAt = 0;
  #isClosed = false;

  constructor(options: TimersOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async create(owner: string, { expression, prompt, recurring }: NewTimer): Promise<Timer | Fault> {
    // Most sessions set no timer, so what computes with cron expressions is loaded with the first one.
    const { parseCron } = await import("./cron-expression.ts");
    if (this.#isClosed)
      return new Fault("not_allowed", "This session is being closed.", "Do it within this turn.");
    const now = this.#clock.now();
    const cron = parseCron(expression, now);
    if (isFault(cron)) return cron;
    if (this.list(owner).length >= maxTimers) {
      return new Fault(
        "limit_reached",
        `Cron task limit reached (${maxTimers}). Cancel an existing task with CronDelete first.`,
        "List them with CronList.",
      );
    }
    const id = this.#newId();
    const jitterMs = jitterOf(id, cron, now);
    const first = cron.next(now) ?? now;
    const timer: Timer = {
      id,
      owner,
      expression: cron.text,
      words: cronWords(cron.fields),
      recurring,
      prompt,
      nextAt: first + jitterMs,
      expiresAt: recurring ? now + expiryMs : undefined,
    };
    this.#timers.set(id, { cron, jitterMs, timer });
    this.#changed();
    return timer;
  }

  all(): Timer[] {
    return [...this.#timers.values()].map(({ timer }) => timer);
  }

  list(owner: string): Timer[] {
    return this.all().filter((timer) => timer.owner === owner);
  }

  /** False where the agent has no such timer. */
  remove(owner: string, id: string): boolean {
    if (this.#timers.get(id)?.timer.owner !== owner) return false;
    this.#timers.delete(id);
    this.#changed();
    return true;
  }

  /** Of one agent, or all. */
  clear(owner?: string): void {
    for (const { id } of owner === undefined ? this.all() : this.list(owner)) this.#timers.delete(id);
    this.#changed();
  }

  /** Of all agents, and of whoever would still set one. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  #changed(): void {
    this.#arm();
    callListener(this.#options.onChange, undefined);
  }

  #arm(): void {
    this.#stop?.();
    this.#stop = undefined;
    if (this.#timers.size === 0) return;
    const now = this.#clock.now();
    // A clock that jumped back since the last look is noticed by the next one, whatever came or went in between.
    this.#lookedAt = Math.max(this.#lookedAt, now);
    const nearest = Math.min(
      ...this.all().map(({ nextAt, expiresAt = nextAt }) => Math.min(nextAt, expiresAt)),
    );
    this.#stop = this.#clock.after(Math.min(Math.max(0, nearest - now), maxSleepMs), () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    const hasGoneBack = now < this.#lookedAt;
    this.#lookedAt = now;
    const due: Timer[] = [];
    const expired: Timer[] = [];
    for (const known of [...this.#timers.values()]) {
      const { timer, cron, jitterMs } = known;
      const { id, nextAt, recurring, expiresAt } = timer;
      const isDue = now >= nextAt;
      if (isDue) due.push(timer);
      const isOver = expiresAt !== undefined && now >= expiresAt;
      // A run of which only the jitter is left is still to come.
      const next = isDue ? cron.next(now) : hasGoneBack ? cron.next(now - jitterMs) : nextAt - jitterMs;
      if (isOver || (isDue && !recurring) || next === undefined) {
        this.#timers.delete(id);
        if (isOver || recurring) expired.push(timer);
      } else known.timer = { ...timer, nextAt: next + jitterMs };
    }
    if (due.length + expired.length > 0) this.#changed();
    else this.#arm();
    for (const timer of due) callListener(this.#options.onDue, timer);
    for (const timer of expired) callListener(this.#options.onExpired, timer);
  }

  #newId(): string {
    for (;;) {
      const id = crypto.randomUUID().replaceAll("-", "").slice(0, 8);
      if (!this.#timers.has(id)) return id;
    }
  }
}

/** At most a tenth of the time until the run after the next. */
function jitterOf(id: string, cron: CronExpression, now: number): number {
  const first = cron.next(now) ?? now;
  const second = cron.next(first) ?? first + 86_400_000;
  const most = Math.min(maxJitterMs, (second - first) / 10);
  return Math.floor((Number.parseInt(id, 16) / 0x1_0000_0000) * most);
}
