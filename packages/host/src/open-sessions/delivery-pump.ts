// Tells the agent what happened in the background: at the end of the turn at work, else in one of its own where the person
// allows that, else when the person says something next.
//
// A turn that nobody asked for is begun only while the session is idle, and within an hour's limits of turns and money. Where
// it cannot be begun, what was to be told waits again, and it is tried once more after a growing pause.
//
// A turn at work hears once what happened by its end. Whatever comes while it answers that makes it longer only where it
// could begin a turn, and counts as one: a monitor that never falls silent must not keep a turn going for ever.

import type { Background } from "@stet/agent/background/background";
import type { Delivery } from "@stet/agent/background/deliveries";
import type { Inbox } from "@stet/agent/inbox";
import { type Clock, systemClock } from "@stet/agent/timers/clock";
import { type Fault, isFault } from "@stet/protocol/fault";
import { logFailure } from "@stet/storage/operator-log";
import type { Settings } from "../settings/configuration.ts";

export type Autonomy = Pick<Settings, "autonomy" | "autonomy.maxTurns" | "autonomy.maxCost">;

export interface PumpOptions {
  readonly background: Background;
  /** As they are configured now. */
  readonly settings: () => Autonomy | Fault;
  /** Whether a job of the session is queued, at work or waits for the person. */
  readonly isBusy: () => Promise<boolean>;
  /** Begins a turn with these; returns its job. */
  readonly begin: (deliveries: readonly Delivery[]) => Promise<{ readonly id: string } | Fault>;
  readonly clock?: Clock | undefined;
}

interface OwnTurn {
  /** Undefined where a turn at work was made longer. */
  readonly job: string | undefined;
  at: number;
  cost: number;
}

const hour = 3_600_000;
const baseMs = 500;
const maxMs = 30_000;
const maxDoublings = 8;
const jitterMs = 200;
/** What comes together is told together. */
const gatherMs = 50;

export class DeliveryPump {
  readonly #options: PumpOptions;
  readonly #clock: Clock;
  readonly #unlisten: () => void;
  /** The turn at work, which hears at once. */
  #inbox: Inbox | undefined;
  #turns: OwnTurn[] = [];
  #failures = 0;
  /** The next look, and when it is. */
  #next: { readonly at: number; readonly cancel: () => void } | undefined;
  #isClosed = false;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#unlisten = options.background.deliveries.listen(() => this.#soon(gatherMs));
  }

  /** A turn of the session is at work: it hears what came by its end, until what is returned is called. */
  attach(inbox: Inbox): () => void {
    this.#inbox = inbox;
    let hasHeard = false;
    const silence = inbox.fetchFrom(() => {
      const heard = hasHeard ? this.#takeFurther() : this.#options.background.deliveries.take();
      hasHeard ||= heard.length > 0;
      return heard;
    });
    return () => {
      silence();
      if (this.#inbox === inbox) this.#inbox = undefined;
      // What other agents said to it is for nobody else.
      const unheard = inbox.takeDeliveries(true).filter(({ source }) => source.kind !== "agent");
      this.#options.background.deliveries.putBack(unheard);
      this.#soon(gatherMs);
    };
  }

  /** What came while a turn answered what it had heard. */
  #takeFurther(): readonly Delivery[] {
    if (!this.#isAllowed() || this.held() !== null) return [];
    const further = this.#options.background.deliveries.take();
    if (further.length > 0) this.#turns.push({ job: undefined, at: this.#clock.now(), cost: 0 });
    return further;
  }

  /** Looks soon whether what waits may be told now: the settings may be others than they were. */
  look(): void {
    if (this.#options.background.deliveries.waiting().length > 0) this.#soon(gatherMs);
  }

  /** What a turn that began by itself has cost. */
  noteCost(job: string, cost: number): void {
    const turn = this.#turns.find((each) => each.job === job);
    if (turn !== undefined) turn.cost = cost;
  }

  get turns(): number {
    return this.#recent().length;
  }

  get cost(): number {
    return this.#recent().reduce((sum, { cost }) => sum + cost, 0);
  }

  /** Why deliveries wait although they are allowed to begin turns. */
  held(): string | null {
    const settings = this.#options.settings();
    if (isFault(settings) || settings.autonomy !== "allowed") return null;
    const { "autonomy.maxTurns": maxTurns, "autonomy.maxCost": maxCost } = settings;
    if (this.turns >= maxTurns)
      return `${maxTurns} turns have begun by themselves in the last hour, which is the limit (autonomy.maxTurns).`;
    if (this.cost >= maxCost)
      return `Turns that began by themselves have cost $${this.cost.toFixed(2)} in the last hour; the limit is $${maxCost.toFixed(2)} (autonomy.maxCost).`;
    return null;
  }

  /** Tells them now, whatever is allowed; returns the job, where that takes one of its own. */
  async deliverNow(
    ids?: readonly string[],
  ): Promise<{ readonly count: number; readonly job: string | null } | Fault> {
    const { deliveries } = this.#options.background;
    const taken = deliveries.take(ids);
    if (taken.length === 0) return { count: 0, job: null };
    if (this.#inbox !== undefined) {
      for (const delivery of taken) this.#inbox.deliver(delivery);
      return { count: taken.length, job: null };
    }
    const job = await this.#options.begin(taken);
    if (!isFault(job)) return { count: taken.length, job: job.id };
    deliveries.putBack(taken);
    return job;
  }

  close(): void {
    this.#isClosed = true;
    this.#unlisten();
    this.#next?.cancel();
  }

  #isAllowed(): boolean {
    const settings = this.#options.settings();
    return !isFault(settings) && settings.autonomy === "allowed";
  }

  #recent(): OwnTurn[] {
    const now = this.#clock.now();
    this.#turns = this.#turns.filter(({ at }) => at > now - hour);
    // A clock that was set back must not make the hour longer than that.
    for (const turn of this.#turns) turn.at = Math.min(turn.at, now);
    return this.#turns;
  }

  /** A look that is planned for later than this one is dropped: it may be an hour away, and a turn may hear now. */
  #soon(milliseconds: number): void {
    const at = this.#clock.now() + milliseconds;
    if (this.#isClosed || (this.#next !== undefined && this.#next.at <= at)) return;
    this.#next?.cancel();
    const cancel = this.#clock.after(milliseconds, () => {
      this.#next = undefined;
      this.#look().catch(logFailure("deliveries.look"));
    });
    this.#next = { at, cancel };
  }

  async #look(): Promise<void> {
    const { deliveries } = this.#options.background;
    // A turn at work fetches them itself, and what it leaves is looked at when it has ended.
    if (this.#isClosed || this.#inbox !== undefined || deliveries.waiting().length === 0) return;
    if (!this.#isAllowed()) return;
    if (this.held() !== null) {
      const [oldest] = this.#turns;
      this.#soon(Math.max(1000, (oldest?.at ?? 0) + hour - this.#clock.now()));
      return;
    }
    if (await this.#options.isBusy()) return this.#later();
    await this.#begin();
  }

  async #begin(): Promise<void> {
    const { deliveries } = this.#options.background;
    const taken = deliveries.take();
    if (taken.length === 0) return;
    const job = await this.#options.begin(taken);
    if (isFault(job)) {
      deliveries.putBack(taken);
      this.#later();
      return;
    }
    this.#failures = 0;
    this.#turns.push({ job: job.id, at: this.#clock.now(), cost: 0 });
  }

  #later(): void {
    const pause = Math.min(baseMs * 2 ** Math.min(this.#failures, maxDoublings), maxMs);
    this.#failures += 1;
    this.#soon(pause + Math.floor(Math.random() * jitterMs));
  }
}
