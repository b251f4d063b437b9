// Events as they are written: `id`, `event` and one line of JSON. An event becomes bytes once, for all who read it.

import type { StreamEvent } from "@stet/host/operations/operation";

export interface Frame {
  readonly event: StreamEvent;
  readonly bytes: Buffer;
}

/** By the data of the event, which all its readers share. */
const made = new WeakMap<object, Frame>();

export function frameOf(event: StreamEvent): Frame {
  const { data } = event;
  if (typeof data !== "object" || data === null) return newFrame(event);
  const known = made.get(data);
  if (known !== undefined && known.event.id === event.id && known.event.event === event.event) return known;
  const frame = newFrame(event);
  made.set(data, frame);
  return frame;
}

export function newFrame(event: StreamEvent): Frame {
  const id = event.id === undefined ? "" : `id: ${event.id}\n`;
  // A line end in a name would begin another field.
  const name = event.event === undefined ? "" : `event: ${event.event.replace(/[\r\n]/g, " ")}\n`;
  return { event, bytes: Buffer.from(`${id}${name}data: ${JSON.stringify(event.data ?? null)}\n\n`) };
}

/** Joins the same frames once, although many readers wait for them. */
export class Joiner {
  private readonly known = new Map<Frame, { readonly frames: readonly Frame[]; readonly bytes: Buffer }>();

  join(frames: readonly Frame[]): Buffer {
    const [first] = frames;
    if (first === undefined || frames.length === 1) return first?.bytes ?? Buffer.alloc(0);
    const known = this.known.get(first);
    if (known !== undefined && areSame(known.frames, frames)) return known.bytes;
    const bytes = Buffer.concat(frames.map((frame) => frame.bytes));
    this.known.set(first, { frames, bytes });
    return bytes;
  }
}

function areSame(one: readonly Frame[], other: readonly Frame[]): boolean {
  return one.length === other.length && one.every((frame, at) => frame === other[at]);
}
