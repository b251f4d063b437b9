// What happened in the background and has not been said in the conversation yet: a job that ended, a line of a monitor, a timer.
//
// A delivery waits until somebody takes it: the turn at work, the person's next message, or a turn of its own. A job that is
// acknowledged (the agent has seen how it ended) is not delivered. One that ends while it is watched (the agent waits for it)
// is held back until the watch is over, and delivered then unless it was acknowledged: a wait that is broken off loses nothing.
// What waits is bounded: a monitor that floods keeps its newest lines, and says how many were dropped.

import type { DeliverySource } from "@stet/protocol/api/background";
import { beginningOf, cutText, endOf } from "@stet/protocol/cut-text";
import { callListener } from "./call-listener.ts";
import type { JobSnapshot } from "./jobs.ts";

export interface Delivery {
  readonly id: string;
  /** Why it is said, and about what. */
  readonly source: DeliverySource;
  /** For the model. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Deliveries that wait at the same time; lines of one monitor are one. */
export const maxWaiting = 100;
/** Lines of one monitor that wait. */
export const maxLines = 50;
const maxLineLength = 2000;
/** Of a job's result, whose whole is where its tool keeps it: what it says first, and how it ended. */
const maxResult = { beginning: 5500, end: 2500 };

interface Waiting {
  readonly id: string;
  readonly source: DeliverySource;
  readonly at: number;
  /** Of a monitor; a single text for everything else. */
  lines: string[];
  dropped: number;
}

export class Deliveries {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  readonly #watched = new Map<string, number>();
  /** Jobs that ended while they were watched. */
  readonly #held = new Map<string, JobSnapshot>();
  /** The last that were taken, for those that come back: by then their text is all that the taker has. */
  readonly #taken = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Called whenever what waits is not what it was. Returns what ends the calls. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  jobEnded(job: JobSnapshot): void {
    const { id, label, type } = job;
    if (this.#watched.has(id)) this.#held.set(id, job);
    else this.#put({ kind: "job", id, label, type }, jobText(job));
  }

  /** The person or the agent has set a timer, and it is due. */
  timerDue(id: string, schedule: string, prompt: string): void {
    const text = `<timer id="${id}" schedule="${schedule}">\n${prompt}\n</timer>`;
    this.#put({ kind: "timer", id, label: prompt }, text);
  }

  /** Something that the agent should know of its background work. */
  note(id: string, label: string, text: string): void {
    this.#put({ kind: "note", id, label }, text);
  }

  monitorLine(id: string, label: string, line: string): void {
    const known = this.#waiting.find(({ source }) => source.kind === "monitor" && source.id === id);
    const cut = cutText(line, maxLineLength);
    if (known === undefined) {
      this.#put({ kind: "monitor", id, label }, cut);
      return;
    }
    addLines(known, [cut]);
    this.#tell();
  }

  #put(source: DeliverySource, text: string): void {
    this.#count += 1;
    this.#waiting.push({
      id: `delivery-${this.#count}`,
      source,
      at: this.#now(),
      lines: [text],
      dropped: 0,
    });
    this.#bound();
    this.#tell();
  }

  /** The oldest go: whoever has not looked at a hundred of them needs no hundred and first. */
  #bound(): void {
    this.#waiting.splice(0, this.#waiting.length - maxWaiting);
  }

  /** Keeps jobs from being delivered while somebody waits for them; what is returned ends that, once. */
  watch(ids: readonly string[]): () => void {
    for (const id of ids) this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const id of ids) this.#unwatch(id);
    };
  }

  #unwatch(id: string): void {
    const left = (this.#watched.get(id) ?? 1) - 1;
    if (left > 0) {
      this.#watched.set(id, left);
      return;
    }
    this.#watched.delete(id);
    const ended = this.#held.get(id);
    this.#held.delete(id);
    if (ended !== undefined) this.jobEnded(ended);
  }

  /** The agent has seen how these jobs ended. */
  acknowledge(ids: readonly string[]): void {
    for (const id of ids) {
      this.#held.delete(id);
      const at = this.#waiting.findIndex(({ source }) => source.kind === "job" && source.id === id);
      if (at >= 0) this.#waiting.splice(at, 1);
    }
    if (ids.length > 0) this.#tell();
  }

  waiting(): Delivery[] {
    return this.#waiting.map(deliveryOf);
  }

  /** From now on it is the taker's to deliver them. */
  take(ids?: readonly string[]): Delivery[] {
    const taken = this.#waiting.filter(({ id }) => ids === undefined || ids.includes(id));
    if (taken.length === 0) return [];
    for (const one of taken) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      this.#taken.set(one.id, one);
    }
    for (const id of [...this.#taken.keys()].slice(0, -maxWaiting)) this.#taken.delete(id);
    this.#tell();
    return taken.map(deliveryOf);
  }

  /** What could not be delivered waits again, before what came since. */
  putBack(deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return;
    const back = deliveries.map(({ id, text, ...rest }): Waiting => {
      return this.#taken.get(id) ?? { id, ...rest, lines: [text], dropped: 0 };
    });
    for (const one of back) this.#putNewerBehind(one);
    this.#waiting.unshift(...back);
    this.#bound();
    this.#tell();
  }

  /** The lines that a monitor has told since are part of what comes back: they are one delivery. */
  #putNewerBehind(one: Waiting): void {
    if (one.source.kind !== "monitor") return;
    const at = this.#waiting.findIndex(
      ({ source }) => source.kind === "monitor" && source.id === one.source.id,
    );
    if (at < 0) return;
    for (const { lines, dropped } of this.#waiting.splice(at, 1)) {
      one.dropped += dropped;
      addLines(one, lines);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) callListener(listener, undefined);
  }
}

function addLines(to: Waiting, lines: readonly string[]): void {
  to.lines.push(...lines);
  to.dropped += to.lines.splice(0, to.lines.length - maxLines).length;
}

function deliveryOf({ id, source, at, lines, dropped }: Waiting): Delivery {
  if (source.kind !== "monitor") return { id, source, at, text: lines.join("\n") };
  const before = dropped === 0 ? [] : [`[${dropped} earlier lines were dropped]`];
  const said = [...before, ...lines].map((line) => {
    return `<task-notification task="${source.id}">${within("task-notification", line)}</task-notification>`;
  });
  return { id, source, at, text: said.join("\n") };
}

function jobText({ id, type, status, label, durationMs, resultText, errorText }: JobSnapshot): string {
  const said = resultText ?? errorText ?? "";
  const head = `<job-result id="${id}" type="${type}" status="${status}" seconds="${(durationMs / 1000).toFixed(1)}">`;
  return [
    head,
    ...[label, withoutMiddle(said)].map((text) => within("job-result", text)),
    "</job-result>",
  ].join("\n");
}

function withoutMiddle(text: string): string {
  if (text.length <= maxResult.beginning + maxResult.end) return text;
  const beginning = beginningOf(text, maxResult.beginning);
  const end = endOf(text, maxResult.end);
  return `${beginning}\n[… ${text.length - beginning.length - end.length} characters are left out]\n${end}`;
}

/** Output of a program must not look as if what it stands in had ended. */
function within(tag: string, text: string): string {
  return text.replaceAll(`</${tag}`, `<\\/${tag}`);
}
