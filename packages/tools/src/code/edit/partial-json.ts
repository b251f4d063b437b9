// JSON that is cut off: what is there of a tool's arguments while the model still writes them.
//
//   a string    its text so far; a half escape or half a surrogate pair at the cut is left out
//   an array    the items so far, the last one perhaps cut off
//   an object   the fields so far, the last one perhaps cut off; a field without a value is left out
//   the rest    numbers, true, false and null, only once something stands behind them
//
// Text that is no JSON ends what is read, as a cut would. Nothing here throws, and nesting has a limit.

export type PartialJson =
  | { readonly kind: "string"; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: "array"; readonly items: readonly PartialJson[]; readonly isWhole: boolean }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, PartialJson>; readonly isWhole: boolean }
  | { readonly kind: "plain"; readonly value: number | boolean | null; readonly isWhole: true };

const maxDepth = 32;

export function readPartialJson(text: string): PartialJson | undefined {
  return new Reader(text).value(0);
}

export function fieldOf(value: PartialJson | undefined, name: string): PartialJson | undefined {
  return value?.kind === "object" ? value.fields.get(name) : undefined;
}

/** The text of a string field that is closed. */
export function wholeText(value: PartialJson | undefined): string | undefined {
  return value?.kind === "string" && value.isWhole ? value.text : undefined;
}

const escapes = new Map(
  Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "/": "/", "\\": "\\", '"': '"' }),
);

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined where nothing can be told of it yet. */
  value(depth: number): PartialJson | undefined {
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === '"') return this.#string();
    if (depth >= maxDepth) return undefined;
    if (next === "[") return this.#array(depth + 1);
    return next === "{" ? this.#object(depth + 1) : this.#plain();
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #takes(mark: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #string(): PartialJson & { readonly kind: "string" } {
    this.#at += 1;
    let text = "";
    for (;;) {
      const from = this.#at;
      while (this.#at < this.#text.length && this.#text[this.#at] !== '"' && this.#text[this.#at] !== "\\")
        this.#at += 1;
      text += this.#text.slice(from, this.#at);
      if (this.#text[this.#at] === '"') {
        this.#at += 1;
        return { kind: "string", text, isWhole: true };
      }
      const escaped = this.#at < this.#text.length ? this.#escape() : undefined;
      if (escaped === undefined) {
        this.#at = this.#text.length;
        return { kind: "string", text: text.replace(/[\ud800-\udbff]$/, ""), isWhole: false };
      }
      text += escaped;
    }
  }

  /** Undefined where it is cut off or no escape. */
  #escape(): string | undefined {
    const mark = this.#text[this.#at + 1] ?? "";
    const known = escapes.get(mark);
    if (known !== undefined) {
      this.#at += 2;
      return known;
    }
    const code = this.#text.slice(this.#at + 2, this.#at + 6);
    if (mark !== "u" || !/^[0-9a-f]{4}$/i.test(code)) return undefined;
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #array(depth: number): PartialJson {
    this.#at += 1;
    const items: PartialJson[] = [];
    if (this.#takes("]")) return { kind: "array", items, isWhole: true };
    for (;;) {
      const item = this.value(depth);
      if (item === undefined) return { kind: "array", items, isWhole: false };
      items.push(item);
      if (!item.isWhole) return { kind: "array", items, isWhole: false };
      if (this.#takes("]")) return { kind: "array", items, isWhole: true };
      if (!this.#takes(",")) return { kind: "array", items, isWhole: false };
    }
  }

  #object(depth: number): PartialJson {
    this.#at += 1;
    const fields = new Map<string, PartialJson>();
    if (this.#takes("}")) return { kind: "object", fields, isWhole: true };
    for (;;) {
      this.#skipSpace();
      const name = this.#text[this.#at] === '"' ? this.#string() : undefined;
      const value = name?.isWhole === true && this.#takes(":") ? this.value(depth) : undefined;
      if (name === undefined || value === undefined) return { kind: "object", fields, isWhole: false };
      fields.set(name.text, value);
      if (!value.isWhole) return { kind: "object", fields, isWhole: false };
      if (this.#takes("}")) return { kind: "object", fields, isWhole: true };
      if (!this.#takes(",")) return { kind: "object", fields, isWhole: false };
    }
  }

  #plain(): PartialJson | undefined {
    const from = this.#at;
    while (/[-+.\w]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    // Of a number that the text ends with, more digits may come.
    if (this.#at === this.#text.length) return undefined;
    const word = this.#text.slice(from, this.#at);
    if (word === "true" || word === "false") return { kind: "plain", value: word === "true", isWhole: true };
    if (word === "null") return { kind: "plain", value: null, isWhole: true };
    const value = Number(word);
    return word === "" || Number.isNaN(value) ? undefined : { kind: "plain", value, isWhole: true };
  }
}
