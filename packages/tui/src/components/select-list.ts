// A list to choose from: typing searches it, the selected row is always in view, the ends are joined.

import { cursorMarker, type InputComponent } from "../component.ts";
import { type ActionOf, defaultActionOf, type EditorAction } from "../editor/editor-keys.ts";
import type { Input } from "../input/input.ts";
import { padCells, truncateCells } from "../text/slice.ts";
import { cellWidth } from "../text/width.ts";
import { fuzzyFilter } from "./fuzzy.ts";
import { OneLine } from "./one-line.ts";

export const selectActions = {
  "list.up": { keys: ["up", "ctrl+p"], help: "The row above; from the first one, the last" },
  "list.down": { keys: ["down", "ctrl+n"], help: "The row below; from the last one, the first" },
  "list.pageUp": { keys: ["pageUp"], help: "One page up" },
  "list.pageDown": { keys: ["pageDown"], help: "One page down" },
  "list.first": { keys: ["home"], help: "The first row" },
  "list.last": { keys: ["end"], help: "The last row" },
  "list.accept": { keys: ["enter"], help: "Take the selected row" },
  "list.cancel": { keys: ["escape", "ctrl+c"], help: "Clear the search; without one, close" },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export type SelectAction = keyof typeof selectActions;

export interface SelectItem<Value> {
  readonly value: Value;
  readonly label: string;
  /** Beside the label, dim. */
  readonly detail?: string | undefined;
  /** What a search looks through beside the label and the detail. */
  readonly words?: string | undefined;
}

/** How a list looks. Each function is given text without a style. */
export interface SelectListStyle {
  readonly selected: (text: string) => string;
  readonly detail: (text: string) => string;
  readonly hint: (text: string) => string;
  /** Before the selected row; the others are indented by as much. */
  readonly pointer: string;
  /** Before the words of a search. */
  readonly searchSign: string;
}

export const plainSelectListStyle: SelectListStyle = {
  selected: (text) => text,
  detail: (text) => text,
  hint: (text) => text,
  pointer: "> ",
  searchSign: "/ ",
};

export interface SelectListOptions<Value> {
  readonly items: readonly SelectItem<Value>[];
  /** How many rows it may take at most, its search and its count among them. */
  readonly maxRows: () => number;
  readonly selected?: number;
  /** Shown where there is nothing to choose from. */
  readonly emptyText?: string;
  readonly noMatchText?: string;
  readonly isSearchable?: boolean;
  readonly style?: SelectListStyle;
  readonly actionOf?: ActionOf<SelectAction>;
  /** The keys that edit what is searched for. */
  readonly editing?: ActionOf<EditorAction>;
}

export class SelectList<Value> implements InputComponent {
  isFocused = false;
  onSelect: (item: SelectItem<Value>) => void = () => {};
  onCancel: () => void = () => {};
  /** Another row is selected. */
  onMove: (item: SelectItem<Value> | undefined) => void = () => {};
  actionOf: ActionOf<SelectAction>;
  readonly #options: SelectListOptions<Value>;
  readonly #style: SelectListStyle;
  readonly #search = new OneLine();
  #items: readonly SelectItem<Value>[];
  #found: readonly SelectItem<Value>[];
  #selected = 0;
  #top = 0;

  constructor(options: SelectListOptions<Value>) {
    this.#options = options;
    this.#style = options.style ?? plainSelectListStyle;
    this.actionOf = options.actionOf ?? defaultActionOf(selectActions);
    if (options.editing !== undefined) this.#search.actionOf = options.editing;
    this.#items = options.items;
    this.#found = options.items;
    this.#selected = clamp(options.selected ?? 0, options.items.length);
  }

  get selectedItem(): SelectItem<Value> | undefined {
    return this.#found[this.#selected];
  }

  get selectedIndex(): number {
    return this.#selected;
  }

  /** What is searched for. */
  get query(): string {
    return this.#search.text;
  }

  /** Replaces the items; the selected one stays selected if it is among them. */
  setItems(items: readonly SelectItem<Value>[]): void {
    const value = this.selectedItem?.value;
    this.#items = items;
    this.#filter();
    const index = this.#found.findIndex((item) => item.value === value);
    this.#selected = clamp(index === -1 ? this.#selected : index, this.#found.length);
  }

  select(index: number): void {
    this.#selected = clamp(index, this.#found.length);
    this.onMove(this.selectedItem);
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    if (input.kind === "key" && this.#handleAction(input.id)) return true;
    if (this.#options.isSearchable === false || !this.#search.handleInput(input)) return false;
    this.#filter();
    this.#selected = 0;
    this.onMove(this.selectedItem);
    return true;
  }

  /** Does what an action says, whichever key it came from. */
  perform(action: SelectAction): void {
    const count = this.#found.length;
    const page = Math.max(1, this.#listRows() - 1);
    if (action === "list.up") this.select(this.#selected === 0 ? count - 1 : this.#selected - 1);
    else if (action === "list.down") this.select(this.#selected === count - 1 ? 0 : this.#selected + 1);
    else if (action === "list.pageUp") this.select(this.#selected - page);
    else if (action === "list.pageDown") this.select(this.#selected + page);
    else if (action === "list.first") this.select(0);
    else if (action === "list.last") this.select(count - 1);
    else if (action === "list.accept") this.#accept();
    else this.#cancel();
  }

  render(width: number): readonly string[] {
    const rows: string[] = [];
    if (this.#showsSearch()) rows.push(this.#searchRow(width));
    if (this.#found.length === 0) {
      const { emptyText = "There is nothing to choose from.", noMatchText = "Nothing fits." } = this.#options;
      rows.push(this.#style.hint(truncateCells(this.#items.length === 0 ? emptyText : noMatchText, width)));
      return rows;
    }
    const height = this.#listRows();
    this.#top = Math.min(this.#top, this.#selected, Math.max(0, this.#found.length - height));
    this.#top = Math.max(this.#top, this.#selected - height + 1);
    const seen = this.#found.slice(this.#top, this.#top + height);
    const labelCells = Math.min(
      Math.max(...seen.map(({ label }) => cellWidth(label))),
      Math.floor(width * 0.6),
    );
    for (const [index, item] of seen.entries())
      rows.push(this.#row(item, this.#top + index === this.#selected, labelCells, width));
    if (this.#showsCount())
      rows.push(this.#style.hint(truncateCells(`${this.#selected + 1} of ${this.#found.length}`, width)));
    return rows;
  }

  #row(item: SelectItem<Value>, isSelected: boolean, labelCells: number, width: number): string {
    const { pointer, selected, detail } = this.#style;
    const room = Math.max(1, width - cellWidth(pointer));
    const label = truncateCells(item.label, item.detail === undefined ? room : Math.min(room, labelCells));
    const start = truncateCells(isSelected ? pointer : " ".repeat(cellWidth(pointer)), width);
    const shown = isSelected ? selected(start + label) : start + label;
    const detailRoom = room - labelCells - 2;
    if (item.detail === undefined || item.detail === "" || detailRoom < 4) return truncateCells(shown, width);
    return `${shown}${padCells("", labelCells - cellWidth(label) + 2)}${detail(truncateCells(item.detail, detailRoom))}`;
  }

  #searchRow(width: number): string {
    const sign = this.#style.searchSign;
    const room = width - cellWidth(sign);
    if (room < 2) return this.isFocused ? cursorMarker : "";
    return this.#style.hint(sign) + this.#search.row(room, this.isFocused);
  }

  #accept(): void {
    const item = this.selectedItem;
    if (item !== undefined) this.onSelect(item);
  }

  #cancel(): void {
    if (this.#search.text === "") {
      this.onCancel();
      return;
    }
    this.#search.setText("");
    this.#filter();
    this.select(0);
  }

  #handleAction(key: string): boolean {
    const action = this.actionOf(key);
    if (action === undefined) return false;
    this.perform(action);
    return true;
  }

  #filter(): void {
    this.#found = fuzzyFilter(
      this.#items,
      this.#search.text,
      ({ label, detail = "", words = "" }) => `${label} ${detail} ${words}`,
    );
  }

  #showsSearch(): boolean {
    return this.#options.isSearchable !== false && this.#options.maxRows() >= 3;
  }

  #showsCount(): boolean {
    const { maxRows } = this.#options;
    return maxRows() >= 4 && this.#found.length > maxRows() - (this.#showsSearch() ? 1 : 0);
  }

  #listRows(): number {
    return Math.max(
      1,
      this.#options.maxRows() - (this.#showsSearch() ? 1 : 0) - (this.#showsCount() ? 1 : 0),
    );
  }
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}
