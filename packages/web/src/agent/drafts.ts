// What is being written in each conversation. It outlives a reload, and the window.

const prefix = "stet.draft.";
/** Before a conversation has begun. */
const none = "new";
/** Longer ones stay in memory only: what a browser keeps for a page is small. */
const maxKept = 100_000;

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Undefined in a browser that does not let pages keep anything. */
export function windowStorage(): Kept | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

export class Drafts {
  readonly #known = new Map<string, string>();
  readonly #storage: Kept | undefined;

  constructor(storage: Kept | undefined) {
    this.#storage = storage;
  }

  get(session: string | null): string {
    const key = session ?? none;
    return this.#known.get(key) ?? this.#kept(key) ?? "";
  }

  set(session: string | null, text: string): void {
    const key = session ?? none;
    this.#known.set(key, text);
    try {
      if (text === "" || text.length > maxKept) this.#storage?.removeItem(prefix + key);
      else this.#storage?.setItem(prefix + key, text);
    } catch {
      // A browser that keeps nothing loses it with the window.
    }
  }

  #kept(key: string): string | null {
    try {
      return this.#storage?.getItem(prefix + key) ?? null;
    } catch {
      return null;
    }
  }
}
