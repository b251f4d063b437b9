// Whether a turn still gets anywhere. It looks at progress, not at repetition alone: the same call with the same answer
// while nothing else has changed. Reading a file again after an edit is progress; reading it again and again is not.
// Polling is neither: what a command or a background job answers may change by itself.

import type { ToolCall } from "@stet/protocol/message";

export interface ObservedCall {
  readonly call: ToolCall;
  readonly answer: string;
  /** Its arguments were not valid, or its tool did not do what was asked. */
  readonly isRefused: boolean;
  /** What it tells of may change without any call of this turn. */
  readonly isVolatile: boolean;
  /** Names the state of what the tools work on; it changes with every edit. */
  readonly state: string;
}

export interface GuardVerdict {
  /** What to add to the result, for the model. */
  readonly note?: string;
  readonly isStuck: boolean;
}

const warnAt = 3;
const stopAt = 5;
const failuresInARow = 3;

export class ProgressGuard {
  private readonly seen = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  private state = "";

  observe({ call, answer, isRefused, isVolatile, state }: ObservedCall): GuardVerdict {
    if (state !== this.state) {
      this.seen.clear();
      this.state = state;
    }
    const failed = isRefused ? (this.failures.get(call.name) ?? 0) + 1 : 0;
    this.failures.set(call.name, failed);
    const times = isVolatile ? 0 : this.timesSeen(call, answer);
    if (times >= stopAt) return { isStuck: true };
    if (times >= warnAt) {
      return {
        note: `This call has now given the same answer ${times} times. Do something else.`,
        isStuck: false,
      };
    }
    if (failed === failuresInARow) {
      return {
        note: `${call.name} has failed ${failed} times in a row. Read again what it works on, then decide anew.`,
        isStuck: false,
      };
    }
    return { isStuck: false };
  }

  private timesSeen(call: ToolCall, answer: string): number {
    const key = `${call.name} ${JSON.stringify(call.arguments)} ${answer}`;
    const times = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, times);
    return times;
  }
}
