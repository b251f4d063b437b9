// What waits for one reader. Facts wait as they are. Words of the model that wait for a slow reader are put together, two
// neighbours of one kind into one event with the cursor of the later: the reader gets the same text in fewer events.

import type { StreamEvent } from "@stet/host/operations/operation";
import { type Frame, newFrame } from "./event-frame.ts";

/** Words that will be told as one event. They are joined when they are taken, not one by one. */
interface Run {
  last: StreamEvent;
  readonly texts: string[];
}

type Fields = Readonly<Record<string, unknown>>;

const mergeable = new Set(["message.delta", "thinking.delta"]);

export class Backlog {
  private items: (Frame | Run)[] = [];
  /** About how many bytes it would be to send. */
  bytes = 0;

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  add(frame: Frame, mayMerge: boolean): void {
    const last = this.items.at(-1);
    if (mayMerge && last !== undefined && this.merge(last, frame.event)) return;
    this.items.push(frame);
    this.bytes += frame.bytes.length;
  }

  private merge(last: Frame | Run, event: StreamEvent): boolean {
    const earlier = "texts" in last ? last.last : last.event;
    const [before, after] = [wordsOf(earlier), wordsOf(event)];
    if (before === undefined || after === undefined || earlier.event !== event.event) return false;
    if (!areAlike(before.others, after.others)) return false;
    const run: Run = "texts" in last ? last : { last: event, texts: [before.text] };
    run.last = event;
    run.texts.push(after.text);
    this.items[this.items.length - 1] = run;
    this.bytes += Buffer.byteLength(after.text);
    return true;
  }

  /** Everything that waits, which then waits no more. */
  take(): Frame[] {
    const frames = this.items.map((item) => ("texts" in item ? joined(item) : item));
    this.items = [];
    this.bytes = 0;
    return frames;
  }
}

function joined({ last, texts }: Run): Frame {
  if (!isFields(last.data) || !isFields(last.data.data)) return newFrame(last);
  const data = { ...last.data, data: { ...last.data.data, text: texts.join("") } };
  return newFrame({ id: last.id, event: last.event, data });
}

function wordsOf({ event, data }: StreamEvent): { text: string; others: Fields } | undefined {
  if (event === undefined || !mergeable.has(event) || !isFields(data) || !isFields(data.data))
    return undefined;
  const { text, ...others } = data.data;
  return typeof text === "string" ? { text, others } : undefined;
}

function areAlike(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
