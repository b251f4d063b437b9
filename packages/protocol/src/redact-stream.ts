// A text that comes in pieces, redacted as it comes: what could be the beginning of a secret is held back until it is over.
//
// A word is passed on when it has ended, redacted together with its line, since what stands before a value can make it a secret.
// A private key is held back to its end. What was passed on never changes, so the pieces together are the redacted text, but for
// a line whose earlier words would only be known as a secret by later ones.

import type { Redact } from "./redact.ts";

/** A line that is longer goes on as a new one. */
const maxLine = 4000;
const maxKey = 20_000;
const keyBegin = "-----BEGIN ";
const keyEnd = /-----END [A-Z0-9 ]{0,80}-----/;

export class RedactedStream {
  readonly #redact: Redact;
  /** The unredacted line so far. */
  #line = "";
  /** What of it was passed on, redacted. */
  #given = "";

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What can be passed on now. */
  add(piece: string): string {
    this.#line += piece;
    const keys = keysIn(this.#line);
    const end = this.#safeEnd(keys);
    let released = this.#release(end);
    const start = this.#lineStart(end, keys);
    if (start > 0 || end > maxLine) this.#forget(start > 0 ? start : end);
    if (this.#line.length > maxLine + maxKey) released += this.end();
    return released;
  }

  /** The rest. */
  end(): string {
    const released = this.#release(this.#line.length);
    this.#line = "";
    this.#given = "";
    return released;
  }

  /** Behind the last word that has ended, and not inside of a key. */
  #safeEnd(keys: readonly Key[]): number {
    let end = (/\s\S*$/.exec(this.#line)?.index ?? -1) + 1;
    for (const { from, to } of keys) {
      if (to === undefined) return Math.min(end, from);
      if (end > from && end < to) end = to;
    }
    return end;
  }

  /** Where the line begins in which `end` lies, or the one with the key in which that would be. */
  #lineStart(end: number, keys: readonly Key[]): number {
    let start = end === 0 ? 0 : this.#line.lastIndexOf("\n", end - 1) + 1;
    for (const { from, to = this.#line.length } of keys.toReversed()) {
      if (start > from && start < to) start = this.#line.lastIndexOf("\n", from) + 1;
    }
    return start;
  }

  #forget(from: number): void {
    const head = this.#redact(this.#line.slice(0, from));
    this.#given = this.#given.startsWith(head) ? this.#given.slice(head.length) : "";
    this.#line = this.#line.slice(from);
  }

  #release(end: number): string {
    const redacted = this.#redact(this.#line.slice(0, end));
    if (!redacted.startsWith(this.#given)) return "";
    const released = redacted.slice(this.#given.length);
    this.#given = redacted;
    return released;
  }
}

interface Key {
  readonly from: number;
  /** Undefined while its end has not come. */
  readonly to: number | undefined;
}

function keysIn(text: string): readonly Key[] {
  const keys: Key[] = [];
  for (let from = text.indexOf(keyBegin); from >= 0; ) {
    const end = keyEnd.exec(text.slice(from));
    const to = end === null ? undefined : from + end.index + end[0].length;
    keys.push({ from, to });
    from = to === undefined ? -1 : text.indexOf(keyBegin, to);
  }
  return keys;
}
