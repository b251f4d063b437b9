// How many pictures a terminal keeps: the newest ones. One more makes the oldest a line of text.

export interface Demotable {
  /** The picture is shown as text from now on. */
  demote(): void;
}

export class ImageBudget {
  #most: number;
  /** From the oldest to the newest. */
  readonly #live = new Set<Demotable>();

  constructor(most: number) {
    this.#most = Math.max(0, Math.floor(most));
  }

  /** False where no picture at all may be shown. */
  admit(image: Demotable): boolean {
    if (this.#most === 0) return false;
    this.#live.add(image);
    this.#demoteOldest();
    return true;
  }

  /** It is not shown any more, and takes no part of the budget. */
  release(image: Demotable): void {
    this.#live.delete(image);
  }

  setMost(most: number): void {
    this.#most = Math.max(0, Math.floor(most));
    this.#demoteOldest();
  }

  #demoteOldest(): void {
    for (const image of this.#live) {
      if (this.#live.size <= this.#most) return;
      this.#live.delete(image);
      image.demote();
    }
  }
}
