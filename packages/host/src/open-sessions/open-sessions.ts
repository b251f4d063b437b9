// The open sessions of a host: each from its first turn on, until nothing goes on in it and others need the room.
//
// One that nobody looks at (no window follows the workspace) for a set time ends what goes on in it, and says so in its
// conversation. When the host ends, everything in them ends.

import type { Delivery } from "@stet/agent/background/deliveries";
import { type Clock, systemClock } from "@stet/agent/timers/clock";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import { logFailure } from "@stet/storage/operator-log";
import { JobHosting } from "../agents/job-hosting.ts";
import type { Host } from "../host.ts";
import { deliveryEntry } from "../turn/conversation.ts";
import { tellAgents } from "./agent-telling.ts";
import { DeliveryPump } from "./delivery-pump.ts";
import type { OpenSession } from "./open-session.ts";

/** Idle ones beyond so many are closed; what their agents gave back stays. */
const maxIdle = 50;
/** How often changes of a session's background are told, in milliseconds. */
const tellEvery = 200;
/** How often it is looked whether anybody is there, in milliseconds. */
const lookEvery = 10_000;

interface Entry {
  readonly open: OpenSession;
  readonly pump: DeliveryPump;
  readonly stop: () => void;
  /** For how long something went on in it that nobody looked at. */
  unseenMs: number;
}

export class OpenSessions {
  readonly #host: Host;
  readonly hosting: JobHosting;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #stopLooking = () => {};
  #lookedAt: number;
  #isClosed = false;

  constructor(host: Host, clock: Clock = systemClock) {
    this.#host = host;
    this.#clock = clock;
    this.#lookedAt = clock.now();
    this.hosting = new JobHosting(() => host.runner);
    this.#lookLater();
  }

  /** A job asks the person, or has its answer. */
  readonly noteQuestion: JobHosting["noteQuestion"] = (...asked) => this.hosting.noteQuestion(...asked);

  #lookLater(): void {
    this.#stopLooking = this.#clock.after(lookEvery, () => {
      if (this.#isClosed) return;
      this.#lookLater();
      this.#look().catch(logFailure("sessions.look"));
    });
  }

  get(session: string): OpenSession | undefined {
    return this.#entries.get(session)?.open;
  }

  /** As the person says something in it. */
  use(session: string): OpenSession | undefined {
    const entry = this.#entries.get(session);
    if (entry !== undefined) entry.unseenMs = 0;
    return entry?.open;
  }

  pump(session: string): DeliveryPump | undefined {
    return this.#entries.get(session)?.pump;
  }

  all(): OpenSession[] {
    return [...this.#entries.values()].map(({ open }) => open);
  }

  /** The open session of a conversation; opened where it is not. */
  async of(session: Session): Promise<OpenSession | Fault> {
    // Loaded with the first one: what knows of agents is not needed to start a host. The rest is done without a pause.
    const { OpenSession } = await import("./open-session.ts");
    const { id } = session.header;
    const known = this.#entries.get(id);
    if (known !== undefined) {
      // The one used last is kept longest.
      this.#entries.delete(id);
      this.#entries.set(id, known);
      return known.open;
    }
    const configured = this.#host.configuration();
    if (isFault(configured)) return configured;
    const { files, environment, dataFolder, workspace } = this.#host;
    const open = new OpenSession({
      session,
      files,
      root: workspace.root.path,
      dataFolder,
      environment,
      isTrusted: () => this.#host.isTrusted,
      settings: configured.settings,
      hosting: this.hosting,
      withSession: (action) => this.#withSession(id, action),
      clock: this.#clock,
    });
    this.#entries.set(id, this.#entryFor(open));
    this.#closeIdle();
    return open;
  }

  #entryFor(open: OpenSession): Entry {
    const { events } = this.#host;
    const pump = new DeliveryPump({
      background: open.background,
      settings: () => {
        const configured = this.#host.configuration();
        return isFault(configured) ? configured : configured.settings;
      },
      isBusy: () => this.#isBusy(open.id),
      begin: (deliveries) => this.#begin(open.id, deliveries),
      clock: this.#clock,
    });
    const unlisten = open.background.listen(this.#soon(() => this.#tellBackground(open)));
    const untell = tellAgents(open.tree, {
      status: (agent) => {
        events.tell("agent.changed", { session_id: open.id, agent });
      },
      progress: (agent) => events.pass("agent.changed", { session_id: open.id, agent }),
    });
    const stop = () => {
      unlisten();
      untell();
      pump.close();
    };
    return { open, pump, stop, unseenMs: 0 };
  }

  #soon(action: () => void): () => void {
    let isPlanned = false;
    return () => {
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(() => {
        isPlanned = false;
        if (!this.#isClosed) action();
      }, tellEvery).unref();
    };
  }

  #tellBackground({ id, background }: OpenSession): void {
    this.#host.events.tell("background.changed", {
      session_id: id,
      running: background.running().length,
      timers: background.timers.all().length,
      waiting: background.deliveries.waiting().length,
    });
  }

  async #isBusy(session: string): Promise<boolean> {
    if (this.#host.sessions.isHeld(session) || this.#host.sessions.isSummed(session)) return true;
    const statuses = ["queued", "running", "waiting_for_user"] as const;
    const jobs = await Promise.all(
      statuses.map((status) => this.#host.store.jobs({ session, status, limit: 1 })),
    );
    return jobs.flat().length > 0;
  }

  async #begin(session: string, deliveries: readonly Delivery[]) {
    const record = await this.#host.sessions.record(session);
    return isFault(record) ? record : this.#host.startDelivered(record, deliveries);
  }

  async #withSession(id: string, action: (session: Session) => void): Promise<void> {
    const record = await this.#host.sessions.record(id);
    if (isFault(record)) return;
    // Whoever else has it open uses the same object, so that there is one leaf.
    const held = this.#host.sessions.hold(record);
    if (isFault(held)) {
      tellIfFault(held);
      return;
    }
    try {
      action(held.session);
    } finally {
      held.release();
    }
    this.#host.events.tellSession(id);
  }

  /** Ends what goes on where nobody has looked for a while, and no turn is at work. */
  async #look(): Promise<void> {
    const now = this.#clock.now();
    // Whoever sets the clock, or lets the machine sleep, does not make the time longer in which somebody could have looked.
    const passed = Math.min(Math.max(0, now - this.#lookedAt), 2 * lookEvery);
    this.#lookedAt = now;
    if (this.#entries.size === 0) return;
    const configured = this.#host.configuration();
    if (isFault(configured)) return;
    const minutes = configured.settings["async.idleMinutes"];
    for (const entry of [...this.#entries.values()]) {
      const { open, pump } = entry;
      pump.look();
      if (this.#host.log.readers > 0 || goingOnIn(open).length === 0) entry.unseenMs = 0;
      else entry.unseenMs += passed;
      if (entry.unseenMs >= minutes * 60_000) await this.#endUnseen(entry, minutes);
    }
  }

  async #endUnseen(entry: Entry, minutes: number): Promise<void> {
    const { id } = entry.open;
    if ((await this.#isBusy(id)) || this.#entries.get(id) !== entry) return;
    // What only waits to be told costs nothing, and is lost to nobody.
    const labels = goingOnIn(entry.open);
    if (labels.length === 0) return;
    await this.close(id);
    const text = `Nobody looked at this session for ${minutes} minutes, so what went on in it was ended: ${labels.join("; ")}`;
    await this.#say(id, [{ source: { kind: "note", id: "idle", label: text }, text }]);
  }

  /** Puts it into the conversation, where the person sees it, and the agent with what the person says next. */
  async #say(id: string, deliveries: readonly Pick<Delivery, "source" | "text">[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#withSession(id, (session) => {
      for (const delivery of this.#host.redact(deliveries))
        tellIfFault(session.append(deliveryEntry(delivery)));
    });
  }

  /**
   * The conversation goes on from another place, and what was to be asked belongs to the one that it has left. Returns what
   * there is to say of that.
   */
  endTimers(session: string): Pick<Delivery, "source" | "text"> | undefined {
    const timers = this.get(session)?.background.timers;
    const prompts = timers?.all().map(({ prompt }) => prompt) ?? [];
    if (prompts.length === 0) return undefined;
    timers?.clear();
    const text = `The conversation went back to an earlier message, so its timers were ended: ${prompts.join("; ")}`;
    return { source: { kind: "note", id: "timers", label: text }, text };
  }

  #closeIdle(): void {
    const idle = [...this.#entries.values()].filter(({ open }) => open.isIdle);
    for (const { open } of idle.slice(0, Math.max(0, idle.length - maxIdle))) void this.close(open.id);
  }

  /** Ends everything that goes on in a session. */
  async close(session: string): Promise<void> {
    const entry = this.#entries.get(session);
    if (entry === undefined) return;
    this.#entries.delete(session);
    const { background } = entry.open;
    // Not what is cancelled now: that would be told of its end by whoever ends it.
    const waiting = background.deliveries.take();
    entry.stop();
    await entry.open.close();
    await this.#say(session, waiting);
    if (!this.#isClosed) this.#tellBackground(entry.open);
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking();
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }
}

/** In words, for the person. */
function goingOnIn({ background, tree }: OpenSession): string[] {
  const jobs = background.running();
  const ids = new Set(jobs.map(({ id }) => id));
  const agents = tree.all().filter(({ place, isAtWork }) => isAtWork && !ids.has(place.id));
  return [
    ...jobs.map(({ label }) => label),
    ...agents.map(({ definition, description }) => `${definition.name}: ${description}`),
    ...background.timers.all().map(({ prompt }) => prompt),
  ];
}
