// Registers: what was yanked and deleted. `"` is the last, `0` the last yank, `1`-`9` the last deletions of lines, `-` the
// last smaller one, `a`-`z` named (`A`-`Z` append), `_` nothing.

export interface Register {
  readonly text: string;
  readonly isLinewise: boolean;
}

export class Registers {
  #values = new Map<string, Register>();

  copy(): Registers {
    const copy = new Registers();
    copy.#values = new Map(this.#values);
    return copy;
  }

  get(name: string | undefined): Register | undefined {
    return this.#values.get(plain(name));
  }

  set(name: string, value: Register): void {
    this.#values.set(plain(name), value);
  }

  yank(name: string | undefined, value: Register): void {
    if (name === "_") return;
    this.#store(name, value);
    if (plain(name) === '"') this.#values.set("0", value);
  }

  /** A deletion of whole lines or over lines shifts the numbered ones. */
  delete(name: string | undefined, value: Register, isSmall: boolean): void {
    if (name === "_") return;
    this.#store(name, value);
    if (!isSmall) {
      for (let number = 9; number > 1; number -= 1) {
        const previous = this.#values.get(String(number - 1));
        if (previous !== undefined) this.#values.set(String(number), previous);
      }
      this.#values.set("1", value);
    } else if (plain(name) === '"') this.#values.set("-", value);
  }

  #store(name: string | undefined, value: Register): void {
    const key = plain(name);
    const isAppended = name !== undefined && /[A-Z]/.test(name);
    const stored = isAppended ? appended(this.#values.get(key), value) : value;
    this.#values.set(key, stored);
    this.#values.set('"', stored);
  }
}

function plain(name: string | undefined): string {
  if (name === undefined || name === "+" || name === "*") return '"';
  return name.toLowerCase();
}

/** Lines end in a line break, so that they can be put behind each other. */
function appended(before: Register | undefined, value: Register): Register {
  if (before === undefined) return value;
  const isLinewise = before.isLinewise || value.isLinewise;
  const ended = ({ text, isLinewise: isEnded }: Register) => (isLinewise && !isEnded ? `${text}\n` : text);
  return { text: ended(before) + ended(value), isLinewise };
}
