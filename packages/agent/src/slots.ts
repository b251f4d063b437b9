// So many may work at the same time; the others wait in the order in which they came.

export class Slots {
  #free: number;
  readonly #waiting: ((taken: boolean) => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** True when a slot is taken, and to be given back; false when the signal came first. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    this.#waiting.push(turn.resolve);
    const leave = () => {
      const at = this.#waiting.indexOf(turn.resolve);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.resolve(false);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next(true);
  }
}
