// Whether a turn still gets anywhere. It looks at progress, not at repetition alone: the same call with the same answer
// while nothing else has changed. Reading a file again after an edit is progress; reading it again and again is not.

import type { ToolCall } from "@stet/protocol/message";

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

  /** `state` names the state of what the tools work on; it changes with every edit. */
  observe(call: ToolCall, result: string, isError: boolean, state: string): GuardVerdict {
    if (state !== this.state) {
      this.seen.clear();
      this.state = state;
    }
    const failed = isError ? (this.failures.get(call.name) ?? 0) + 1 : 0;
    this.failures.set(call.name, failed);
    const key = `${call.name} ${JSON.stringify(call.arguments)} ${result}`;
    const times = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, times);
    if (times >= stopAt) return { isStuck: true };
    if (times >= warnAt) {
      return {
        note: `This is the ${times}th time for this call, with the same answer. Do something else.`,
        isStuck: false,
      };
    }
    if (failed === failuresInARow) {
      return {
        note: `${call.name} has failed ${failed} times in a row. Read the place again, then decide anew.`,
        isStuck: false,
      };
    }
    return { isStuck: false };
  }
}
