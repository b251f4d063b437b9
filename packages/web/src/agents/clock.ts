// The time, once a second, for as long as somebody watches it.

import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { KnownAgent } from "./session-work.ts";

const [now, setNow] = createSignal(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

export const clock: Accessor<number> = now;

/** For as long as the component lives, or the effect holds. */
export function watchClock(): void {
  watchers += 1;
  setNow(Date.now());
  timer ??= setInterval(() => setNow(Date.now()), 1000);
  onCleanup(() => {
    watchers -= 1;
    if (watchers > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** How long an agent has worked, with the time since it was heard of. */
export function workedMs({ status, duration_ms: known, heardAt }: KnownAgent): number {
  return status === "running" ? known + Math.max(0, clock() - heardAt) : known;
}
