// An owner closes what it owns: the parts of a workspace, of an open session or of a turn that outlive a call.
//
// Parts are closed one after another, the newest first, because a part may use those from before it. One that fails does
// not keep the others from being closed; what failed is thrown when all are. Closing twice is closing once, and what is
// added after that is closed at once.

type Close = () => Promise<unknown> | unknown;

export class Owner {
  readonly #parts: Close[] = [];
  #closing: Promise<void> | undefined;

  own(close: Close): void {
    this.#parts.push(close);
    if (this.#closing !== undefined) this.#closing = this.#closing.finally(() => this.#closeAll());
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#parts.pop(); close !== undefined; close = this.#parts.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "several parts could not be closed");
  }
}
