// Whether a turn still gets anywhere. It looks at progress, not at repetition alone: the same call with the same answer
// while nothing else has changed. Reading a file again after an edit is progress; reading it again and again is not.
// Polling is neither: what a command or a background job answers may change by itself.

import type { ToolCall } from "@stet/protocol/message";
import type { CallVerdict, FinishedCall, Hook } from "./hooks.ts";
import { textOfResult, withNote } from "./result-note.ts";

const warnAt = 3;
const stopAt = 5;
const failuresInARow = 3;

export class ProgressGuard implements Hook {
  readonly #stateNow: () => string;
  readonly #seen = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  #state = "";

  /** `state` names the state of what the tools work on; it changes with every edit. */
  constructor(state: () => string) {
    this.#stateNow = state;
  }

  async afterCall({ call, tool, result, isRefused }: FinishedCall): Promise<CallVerdict> {
    const state = this.#stateNow();
    if (state !== this.#state) {
      this.#seen.clear();
      this.#state = state;
    }
    // Tests that fail while they are worked on are no sign of being stuck; a refused call may be.
    const failed = isRefused ? (this.#failures.get(call.name) ?? 0) + 1 : 0;
    this.#failures.set(call.name, failed);
    const isVolatile = tool?.traits.includes("volatile") ?? false;
    const times = isVolatile ? 0 : this.#timesSeen(call, textOfResult(result));
    if (times >= stopAt) return { isStuck: true };
    if (times >= warnAt) {
      const note = `This call has now given the same answer ${times} times. Do something else.`;
      return { result: withNote(result, note) };
    }
    if (failed !== failuresInARow) return {};
    const note = `${call.name} has failed ${failed} times in a row. Read again what it works on, then decide anew.`;
    return { result: withNote(result, note) };
  }

  #timesSeen(call: ToolCall, answer: string): number {
    const key = `${call.name} ${JSON.stringify(call.arguments)} ${answer}`;
    const times = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, times);
    return times;
  }
}
