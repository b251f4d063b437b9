// A clock that stands still until a test moves it.

import type { Clock } from "@stet/agent/timers/clock";

export interface MovableClock extends Clock {
  /** Lets time pass: everything that is due meanwhile is called, at its time. */
  move(milliseconds: number): void;
  /** Sets the clock, as a person or a machine that slept does: nothing is called before time passes again. */
  jump(milliseconds: number): void;
}

interface Waiting {
  /** What is left of its time; setting the clock does not change that. */
  at: number;
  readonly action: () => void;
}

export function movableClock(begun: number): MovableClock {
  let passed = 0;
  let offset = begun;
  const waiting = new Set<Waiting>();
  return {
    now: () => offset + passed,
    after(milliseconds, action) {
      const one = { at: passed + milliseconds, action };
      waiting.add(one);
      return () => waiting.delete(one);
    },
    move(milliseconds) {
      const end = passed + milliseconds;
      for (;;) {
        const [next] = [...waiting].sort((one, other) => one.at - other.at);
        if (next === undefined || next.at > end) break;
        waiting.delete(next);
        passed = Math.max(passed, next.at);
        next.action();
      }
      passed = end;
    },
    jump(milliseconds) {
      offset += milliseconds;
    },
  };
}
