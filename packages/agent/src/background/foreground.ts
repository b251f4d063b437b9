// Calls that an agent waits for now, and that can be put into the background instead.

export interface WaitingCall {
  /** Resolves when somebody wants the call to go on by itself. */
  readonly asked: Promise<void>;
  /** It is not waited for any more. */
  end(): void;
}

interface Call {
  readonly label: string;
  readonly ask: () => void;
}

export class Foreground {
  readonly #calls = new Set<Call>();
  /** Told of the next call. */
  readonly #expecting = new Set<() => void>();

  wait(label: string): WaitingCall {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const call = { label, ask };
    this.#calls.add(call);
    for (const tell of this.#expecting) tell();
    return { asked, end: () => this.#calls.delete(call) };
  }

  /** What could be put into the background now. */
  labels(): string[] {
    return [...this.#calls].map(({ label }) => label);
  }

  /** Puts all of them there; returns what they are. */
  putAside(): string[] {
    const labels = this.labels();
    for (const { ask } of this.#calls) ask();
    this.#calls.clear();
    return labels;
  }

  /** The same, but where nothing is waited for yet it has until then to begin: people see a call before it runs. */
  async putAsideWithin(milliseconds: number): Promise<string[]> {
    if (this.#calls.size === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#expecting.add(resolve);
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
      this.#expecting.delete(resolve);
    }
    return this.putAside();
  }
}
