// What may go on between the turns of a session: jobs, timers, and what of them is to be told. It belongs to an open session,
// or to a single turn where nothing outlives that.
//
// Each agent of the session has its own view of it: its own jobs and timers. Deliveries are for the session's own agent.

import { Fault } from "@stet/protocol/fault";
import { type Clock, systemClock } from "../timers/clock.ts";
import { type NewTimer, type Timer, Timers } from "../timers/timers.ts";
import { callListener } from "./call-listener.ts";
import { Deliveries } from "./deliveries.ts";
import { Foreground } from "./foreground.ts";
import { type JobSnapshot, Jobs, type OwnJobs } from "./jobs.ts";

export interface BackgroundOptions {
  /** Whether work may go on after the turn that began it. */
  readonly isAsync: boolean;
  readonly maxJobs: number;
  readonly clock?: Clock | undefined;
  /** Why there are no timers, where there are none. */
  readonly noTimers?: Fault | undefined;
}

/** An agent's own part. */
export interface AgentBackground {
  readonly agent: string;
  readonly isAsync: boolean;
  readonly jobs: OwnJobs;
  /** Keeps jobs from being told of while the agent waits for them. */
  watch(ids: readonly string[]): () => void;
  /** The agent has seen how these jobs ended. */
  acknowledge(ids: readonly string[]): void;
  monitorLine(id: string, label: string, line: string): void;
  createTimer(timer: NewTimer): Promise<Timer | Fault>;
  timers(): Timer[];
  removeTimer(id: string): boolean;
  readonly foreground: Foreground;
  /**
   * Hands over what goes on after the turn: it is closed with the session, unless what is returned is called before.
   * Undefined where the session is closed already: whoever wanted to hand it over has to close it.
   */
  own(close: () => Promise<unknown>): (() => void) | undefined;
}

export class Background {
  readonly isAsync: boolean;
  readonly jobs: Jobs;
  readonly deliveries: Deliveries;
  readonly timers: Timers;
  readonly foreground = new Foreground();
  readonly #noTimers: Fault | undefined;
  readonly #owned = new Set<() => Promise<unknown>>();
  readonly #listeners = new Set<() => void>();
  #closing: Promise<void> | undefined;
  #state: "open" | "closing" | "closed" = "open";

  constructor({ isAsync, maxJobs, clock = systemClock, noTimers }: BackgroundOptions) {
    this.isAsync = isAsync;
    this.#noTimers = isAsync ? noTimers : asyncDisabled("cron is");
    this.jobs = new Jobs(maxJobs);
    this.deliveries = new Deliveries(clock.now);
    const tell = () => {
      for (const listener of this.#listeners) callListener(listener, undefined);
    };
    this.timers = new Timers({
      clock,
      onDue: ({ id, words, prompt }) => this.deliveries.timerDue(id, words, prompt),
      onExpired: ({ id, words, prompt }) =>
        this.deliveries.note(id, prompt, `The timer ${id} (${words}) has ended after seven days.`),
      onChange: tell,
    });
    this.deliveries.listen(tell);
    this.jobs.listen((job) => {
      const isTold = isAsync && job.owner === mainAgentName && this.#state === "open";
      if (job.status !== "running" && isTold) this.deliveries.jobEnded(job);
      tell();
    });
  }

  /** Called whenever a job, a timer or a delivery came or went. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether anything is here that would be lost with it. */
  get isIdle(): boolean {
    return (
      this.jobs.running().length === 0 &&
      this.timers.all().length === 0 &&
      this.deliveries.waiting().length === 0 &&
      this.#owned.size === 0
    );
  }

  /** Of an agent that was sent, nothing outlives its turn. */
  of(agent: string, isOwn = true): AgentBackground {
    const { deliveries, timers, foreground } = this;
    return {
      agent,
      isAsync: this.isAsync && isOwn,
      jobs: this.jobs.of(agent),
      foreground,
      watch: (ids) => deliveries.watch(ids),
      acknowledge: (ids) => deliveries.acknowledge(ids),
      monitorLine: (id, label, line) => deliveries.monitorLine(id, label, line),
      createTimer: async (timer) => this.#timerRefusal(isOwn) ?? timers.create(agent, timer),
      timers: () => timers.list(agent),
      removeTimer: (id) => timers.remove(agent, id),
      own: (close) => this.#own(close),
    };
  }

  #timerRefusal(isOwn: boolean): Fault | undefined {
    return isOwn ? this.#noTimers : asyncDisabled("cron is");
  }

  /** What comes while everything is closed is closed with it. */
  #own(close: () => Promise<unknown>): (() => void) | undefined {
    if (this.#state === "closed") return undefined;
    this.#owned.add(close);
    return () => this.#owned.delete(close);
  }

  running(): JobSnapshot[] {
    return this.jobs.running();
  }

  /** Ends everything; what it says at its end is told to nobody. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = "closing";
    this.timers.close();
    this.jobs.close();
    while (this.#owned.size > 0) {
      const owned = [...this.#owned];
      this.#owned.clear();
      await Promise.allSettled(owned.map((close) => close()));
    }
    this.#state = "closed";
  }
}

/** The session's own agent; see `mainAgent` of the events. */
const mainAgentName = "main";

export function asyncDisabled(what: "cron is" | "the monitor tool is"): Fault {
  return new Fault(
    "not_allowed",
    `Async execution is disabled; ${what} unavailable in this session.`,
    "Do it within this turn, or tell the person that the setting async.enabled is off.",
  );
}
