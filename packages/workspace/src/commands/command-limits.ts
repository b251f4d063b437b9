// What ends a command before its own end: its time, the person, or the end of the turn.

export class CommandLimits {
  hasTimedOut = false;
  isCancelled = false;
  /** Resolves when the end that was begun is complete; at once where none was. */
  stopped: Promise<void> = Promise.resolve();
  readonly #timeoutMs: number | undefined;
  readonly #signals: readonly AbortSignal[];
  #stop: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Without a time it may run for ever. */
  constructor(timeoutMs: number | undefined, signals: readonly (AbortSignal | undefined)[]) {
    this.#timeoutMs = timeoutMs;
    this.#signals = signals.filter((signal) => signal !== undefined);
    for (const signal of this.#signals) signal.addEventListener("abort", this.#onAbort, { once: true });
    this.isCancelled = this.#signals.some((signal) => signal.aborted);
  }

  get isOver(): boolean {
    return this.hasTimedOut || this.isCancelled;
  }

  /** The command runs from now on; `stop` ends it. */
  begin(stop: () => Promise<void>): void {
    this.#stop = stop;
    if (this.#timeoutMs !== undefined) this.#timer = setTimeout(this.#onTimeout, this.#timeoutMs);
    if (this.isCancelled) this.stopped = stop();
  }

  release(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#onAbort);
  }

  readonly #onTimeout = (): void => {
    if (this.isOver) return;
    this.hasTimedOut = true;
    this.stopped = this.#stop?.() ?? Promise.resolve();
  };

  readonly #onAbort = (): void => {
    if (this.isOver) return;
    this.isCancelled = true;
    if (this.#stop !== undefined) this.stopped = this.#stop();
  };
}
