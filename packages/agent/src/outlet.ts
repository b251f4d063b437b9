// A bounded queue between who makes events and who takes them: a slow taker slows the maker, and memory stays flat.

const capacity = 256;

export class Outlet<T> {
  private readonly waiting: T[] = [];
  private isEnded = false;
  private isAbandoned = false;
  private wakeTaker: (() => void) | undefined;
  private wakeMakers: (() => void)[] = [];

  /** Resolves when there is room for more. */
  put(value: T): Promise<void> {
    if (this.isAbandoned) return Promise.resolve();
    this.waiting.push(value);
    this.wakeTaker?.();
    if (this.waiting.length < capacity) return Promise.resolve();
    return new Promise((resolve) => this.wakeMakers.push(resolve));
  }

  end(): void {
    this.isEnded = true;
    this.wakeTaker?.();
  }

  async *take(): AsyncGenerator<T> {
    try {
      for (;;) {
        const value = this.waiting.shift();
        if (value !== undefined) {
          if (this.waiting.length < capacity / 2) this.release();
          yield value;
        } else if (this.isEnded) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.wakeTaker = resolve;
          });
        }
      }
    } finally {
      // Nobody takes any more: what is put from now on goes nowhere, and nobody waits for room.
      this.isAbandoned = true;
      this.waiting.length = 0;
      this.release();
    }
  }

  private release(): void {
    const makers = this.wakeMakers;
    this.wakeMakers = [];
    for (const wake of makers) wake();
  }
}
