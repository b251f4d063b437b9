// The rows of a component to scroll through, over as many rows as it is given: a title, a part of them, and where one is.

import { type Component, cursorMarker, type InputComponent } from "../component.ts";
import { type ActionOf, defaultActionOf } from "../editor/editor-keys.ts";
import type { Input } from "../input/input.ts";
import { stripAnsi } from "../text/ansi.ts";
import { truncateCells } from "../text/slice.ts";
import { OneLine } from "./one-line.ts";

export const pagerActions = {
  "pager.up": { keys: ["up", "k", "ctrl+p"], help: "One row up" },
  "pager.down": { keys: ["down", "j", "ctrl+n", "enter"], help: "One row down" },
  "pager.pageUp": { keys: ["pageUp", "b", "ctrl+b"], help: "One page up" },
  "pager.pageDown": { keys: ["pageDown", "space", "ctrl+f"], help: "One page down" },
  "pager.first": { keys: ["home", "g"], help: "The beginning" },
  "pager.last": { keys: ["end", "shift+g"], help: "The end" },
  "pager.search": { keys: ["/"], help: "Search" },
  "pager.next": { keys: ["n"], help: "The next row that was found" },
  "pager.previous": { keys: ["shift+n"], help: "The row found before" },
  "pager.close": { keys: ["escape", "q", "ctrl+c"], help: "Close" },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export type PagerAction = keyof typeof pagerActions;

export interface PagerOptions {
  readonly title: string;
  readonly content: Component;
  readonly rows: () => number;
  readonly titleStyle?: (text: string) => string;
  readonly hintStyle?: (text: string) => string;
  /** A row that the search found. */
  readonly foundStyle?: (text: string) => string;
  readonly actionOf?: ActionOf<PagerAction>;
}

export class Pager implements InputComponent {
  isFocused = false;
  onClose: () => void = () => {};
  readonly #options: PagerOptions;
  readonly #actionOf: ActionOf<PagerAction>;
  readonly #search = new OneLine();
  #isSearching = false;
  #message = "";
  #top = 0;
  #found: number | undefined;
  #rows: readonly string[] = [];

  constructor(options: PagerOptions) {
    this.#options = options;
    this.#actionOf = options.actionOf ?? defaultActionOf(pagerActions);
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    this.#message = "";
    if (this.#isSearching) return this.#handleSearch(input);
    if (input.kind === "paste") return false;
    const action = this.#actionOf(input.id);
    if (action !== undefined) this.#perform(action);
    return true;
  }

  render(width: number): readonly string[] {
    const { titleStyle = plain, hintStyle = plain, foundStyle = plain, content, title } = this.#options;
    this.#rows = content.render(width);
    const height = this.#height();
    this.#top = Math.max(0, Math.min(this.#top, this.#rows.length - height));
    const shown = this.#rows.slice(this.#top, this.#top + height);
    const body = shown.map((row, index) =>
      this.#top + index === this.#found ? foundStyle(stripAnsi(row)) : row,
    );
    while (body.length < height) body.push("");
    if (!this.#hasFrame()) return body;
    return [titleStyle(truncateCells(title, width)), ...body, this.#footer(width, hintStyle)];
  }

  #footer(width: number, style: (text: string) => string): string {
    if (this.#isSearching)
      return width < 3 ? cursorMarker : `/${this.#search.row(width - 1, this.isFocused)}`;
    const last = Math.min(this.#rows.length, this.#top + this.#height());
    const where = this.#rows.length === 0 ? "empty" : `${this.#top + 1} to ${last} of ${this.#rows.length}`;
    return style(
      truncateCells(this.#message === "" ? `${where} · / searches, q closes` : this.#message, width),
    );
  }

  #perform(action: PagerAction): void {
    const page = Math.max(1, this.#height() - 1);
    if (action === "pager.up") this.#top--;
    else if (action === "pager.down") this.#top++;
    else if (action === "pager.pageUp") this.#top -= page;
    else if (action === "pager.pageDown") this.#top += page;
    else if (action === "pager.first") this.#top = 0;
    else if (action === "pager.last") this.#top = this.#rows.length;
    else if (action === "pager.next") this.#find((this.#found ?? this.#top - 1) + 1, 1);
    else if (action === "pager.previous") this.#find((this.#found ?? this.#top) - 1, -1);
    else if (action === "pager.close") this.onClose();
    else {
      this.#isSearching = true;
      this.#search.setText("");
    }
    this.#top = Math.max(0, Math.min(this.#top, this.#rows.length - this.#height()));
  }

  #handleSearch(input: Input): boolean {
    if (input.kind === "key" && (input.id === "escape" || input.id === "ctrl+c")) this.#isSearching = false;
    else if (input.kind === "key" && input.id === "enter") {
      this.#isSearching = false;
      this.#find(this.#top, 1);
    } else this.#search.handleInput(input);
    return true;
  }

  /** From a row on, around the end. */
  #find(from: number, step: 1 | -1): void {
    const words = this.#search.text.toLowerCase();
    if (words === "") return;
    const count = this.#rows.length;
    for (let tried = 0; tried < count; tried++) {
      const at = (((from + tried * step) % count) + count) % count;
      if (
        !stripAnsi(this.#rows[at] ?? "")
          .toLowerCase()
          .includes(words)
      )
        continue;
      this.#found = at;
      if (at < this.#top || at >= this.#top + this.#height()) this.#top = at - Math.floor(this.#height() / 3);
      return;
    }
    this.#found = undefined;
    this.#message = `Nothing found: ${this.#search.text}`;
  }

  #hasFrame(): boolean {
    return this.#options.rows() >= 4;
  }

  #height(): number {
    return Math.max(1, this.#hasFrame() ? this.#options.rows() - 2 : this.#options.rows());
  }
}

function plain(text: string): string {
  return text;
}
