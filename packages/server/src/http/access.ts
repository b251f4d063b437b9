// Authentication of the API: by the token of this start, or by a session that was given in exchange for it.
//
//   token     32 random bytes, generated at every start. As a bearer it works as long as the server runs
//   link      carries the token, or a code that was generated later, to a browser. Each can be exchanged once, for a
//   session   32 other random bytes in a cookie that scripts cannot read. It ends with the server, or after 30 idle days
//
// Only hashes are stored and compared, in constant time. Rate limit: wrong tokens are counted, all callers together, and
// beyond ten in a minute get 429 instead of 401. A right token is always accepted, so the owner cannot be locked out.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Fault } from "@stet/protocol/fault";

const idleLimit = 30 * 24 * 3600 * 1000;
const maxSessions = 100;
const maxCodes = 10;
const codeLife = 3600 * 1000;
const attemptWindow = 60_000;
const maxAttempts = 10;

export interface AccessOptions {
  /** Generated unless given, which only tests do. */
  readonly token?: string;
  readonly now?: () => number;
}

interface Session {
  readonly hash: Buffer;
  lastUsed: number;
}

interface Code {
  readonly hash: Buffer;
  readonly until: number;
}

export class Access {
  readonly token: string;
  readonly #tokenHash: Buffer;
  readonly #now: () => number;
  #sessions: Session[] = [];
  #codes: Code[];
  /** When the latest wrong tokens came, the oldest first. */
  #attempts: number[] = [];

  constructor(options: AccessOptions = {}) {
    this.token = options.token ?? newSecret();
    this.#tokenHash = hashOf(this.token);
    this.#now = options.now ?? Date.now;
    this.#codes = [{ hash: this.#tokenHash, until: Number.POSITIVE_INFINITY }];
  }

  /** Whether a bearer is the token; undefined where it is, a fault otherwise. */
  checkBearer(bearer: string): Fault | undefined {
    if (timingSafeEqual(hashOf(bearer), this.#tokenHash)) return undefined;
    return this.#wrongToken();
  }

  /** Whether a cookie is a living session. Old cookies are not counted as attempts: a page that was left open sends one. */
  checkSession(value: string): Fault | undefined {
    const session = find(this.#sessions, hashOf(value));
    if (session === undefined) return notSignedIn();
    const now = this.#now();
    if (now - session.lastUsed > idleLimit) {
      this.#sessions = this.#sessions.filter((other) => other !== session);
      return notSignedIn();
    }
    session.lastUsed = now;
    return undefined;
  }

  /** A code for another link. It works once, within an hour, and is no bearer. */
  newCode(): string {
    const code = newSecret();
    this.#codes = [...this.#codes, { hash: hashOf(code), until: this.#now() + codeLife }].slice(-maxCodes);
    return code;
  }

  /** Exchanges what a link carried for the value of a session's cookie. */
  exchange(carried: string): string | Fault {
    const hash = hashOf(carried);
    const code = find(this.#codes, hash);
    if (code === undefined) return timingSafeEqual(hash, this.#tokenHash) ? linkUsed() : this.#wrongToken();
    this.#codes = this.#codes.filter((other) => other !== code);
    if (this.#now() > code.until) return linkUsed();
    const value = newSecret();
    this.#sessions = [...this.#sessions, { hash: hashOf(value), lastUsed: this.#now() }].slice(-maxSessions);
    return value;
  }

  endSession(value: string): void {
    const session = find(this.#sessions, hashOf(value));
    this.#sessions = this.#sessions.filter((other) => other !== session);
  }

  #wrongToken(): Fault {
    const now = this.#now();
    this.#attempts = this.#attempts.filter((at) => now - at < attemptWindow);
    const [oldest] = this.#attempts;
    if (oldest !== undefined && this.#attempts.length >= maxAttempts) {
      return new Fault(
        "too_many_attempts",
        `More than ${maxAttempts} wrong tokens came within a minute.`,
        "Wait, then use the token that stet serve printed when it started.",
        { retry_after_seconds: Math.ceil((attemptWindow - (now - oldest)) / 1000) },
      );
    }
    this.#attempts.push(now);
    return new Fault(
      "not_signed_in",
      "That token is not the one of this server.",
      "Each start of stet serve makes a new token: use the newest link.",
    );
  }
}

export const sessionSeconds = idleLimit / 1000;

export function notSignedIn(): Fault {
  return new Fault(
    "not_signed_in",
    "The API needs its token, and this request has neither the token nor a session.",
    "Open the link that stet serve printed, or send the header Authorization: Bearer TOKEN.",
  );
}

function linkUsed(): Fault {
  return new Fault(
    "link_used",
    "This link was used before, or is too old. A link signs one browser in, once.",
    "Press Enter in the terminal where stet serve runs: it prints a new link. Or start stet serve again.",
  );
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes have one length, so they can be compared in constant time. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Looks at all of them, so that the time tells nothing. */
function find<Item extends { readonly hash: Buffer }>(
  items: readonly Item[],
  hash: Buffer,
): Item | undefined {
  let found: Item | undefined;
  for (const item of items) if (timingSafeEqual(item.hash, hash)) found = item;
  return found;
}
