// Events from one side to a reader on the other, in order: whoever writes does not wait.

export class EventChannel<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;
  #hasEnded = false;

  put(event: T): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async *take(): AsyncGenerator<T, void> {
    for (;;) {
      for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) yield event;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
