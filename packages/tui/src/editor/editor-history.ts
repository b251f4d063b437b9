// What was sent before, to go back through. What is being written when one begins to is a draft, and comes back at the end.

import { withoutChips } from "./clusters.ts";

export class EditorHistory {
  /** The newest first. */
  #entries: string[] = [];
  /** Which entry is shown; -1 for the draft. */
  #at = -1;
  #draft = "";

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Replaces what is known of the past; ignored while somebody goes through it. */
  set(entries: readonly string[]): void {
    if (this.#at === -1) this.#entries = entries.map(withoutChips);
  }

  add(text: string): void {
    this.leave();
    const entry = withoutChips(text);
    if (entry.trim() !== "" && this.#entries[0] !== entry) this.#entries.unshift(entry);
  }

  older(current: string): string | undefined {
    const next = this.#entries.findIndex((entry, index) => index > this.#at && entry !== current);
    if (next === -1) return undefined;
    if (this.#at === -1) this.#draft = current;
    this.#at = next;
    return this.#entries[next];
  }

  newer(): string | undefined {
    if (this.#at === -1) return undefined;
    this.#at--;
    return this.#at === -1 ? this.#draft : this.#entries[this.#at];
  }

  /** What is shown is the draft from now on. */
  leave(): void {
    this.#at = -1;
    this.#draft = "";
  }
}
