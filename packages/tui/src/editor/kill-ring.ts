// What was killed, to be yanked again. Kills that follow one another are one entry: text killed forwards is joined behind it,
// text killed backwards before it.

const maxEntries = 60;

export class KillRing {
  /** The newest last. */
  readonly #entries: string[] = [];
  #isJoining = false;

  kill(text: string, direction: "forwards" | "backwards"): void {
    if (text === "") return;
    const last = this.#isJoining ? this.#entries.pop() : undefined;
    this.#entries.push(last === undefined ? text : direction === "forwards" ? last + text : text + last);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    this.#isJoining = true;
  }

  /** Something else was done: the next kill is an entry of its own. */
  close(): void {
    this.#isJoining = false;
  }

  /** The newest entry, or the one that many before it, around in a ring. */
  entry(back: number): string | undefined {
    const { length } = this.#entries;
    return length === 0 ? undefined : this.#entries[length - 1 - (back % length)];
  }
}
