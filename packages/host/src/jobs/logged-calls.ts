// Calls of a turn that its log tells of. What a turn does runs ahead of its events; a question is told only after
// everything that came before it.

export class LoggedCalls {
  readonly #told = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  add(call: string): void {
    this.#told.add(call);
    this.#waiting.get(call)?.();
  }

  /** Waits until a call is told of, or nobody wants to know any more. */
  async has(call: string, signal: AbortSignal): Promise<void> {
    if (this.#told.has(call) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(call, resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
