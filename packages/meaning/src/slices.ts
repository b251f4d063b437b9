// Long work in slices, so that a server beside it keeps answering.

import { setImmediate } from "node:timers/promises";

/** How long one slice may take, in milliseconds. */
const slice = 5;

export class Slices {
  #started = performance.now();

  /** Lets others go first where the slice is used up. Call it between steps of at most a few milliseconds. */
  async next(): Promise<void> {
    if (performance.now() - this.#started < slice) return;
    await setImmediate();
    this.#started = performance.now();
  }
}
