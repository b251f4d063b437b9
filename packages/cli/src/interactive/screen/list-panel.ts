// A list to choose from under a title, between two lines, with what the keys do below it.

import type { InputComponent } from "@stet/tui/component";
import { type SelectItem, SelectList, type SelectListOptions } from "@stet/tui/components/select-list";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import { wrapText } from "@stet/tui/text/wrap";
import type { Theme } from "../theme/theme.ts";

export interface ListPanelOptions<Value> {
  readonly theme: Theme;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly list: Omit<SelectListOptions<Value>, "maxRows" | "style">;
  readonly screenRows: () => number;
  /** What another key does with the selected row, and the rows after that; undefined where it is none. */
  readonly onKey?: (key: string, value: Value) => Promise<readonly SelectItem<Value>[]> | undefined;
  /** The rows are others now. */
  readonly onRows?: () => void;
}

export function frameRow(theme: Theme, width: number): string {
  return theme.fg("borderAccent", theme.symbol("line").repeat(Math.max(0, width)));
}

export function selectStyle(theme: Theme) {
  return {
    selected: (text: string) => theme.fg("accent", text),
    detail: (text: string) => theme.fg("muted", text),
    hint: (text: string) => theme.fg("dim", text),
    pointer: `${theme.symbol("selected")} `,
    searchSign: "/ ",
  };
}

export class ListPanel<Value> implements InputComponent {
  readonly list: SelectList<Value>;
  readonly #options: ListPanelOptions<Value>;

  constructor(options: ListPanelOptions<Value>) {
    this.#options = options;
    this.list = new SelectList({
      ...options.list,
      maxRows: () => Math.max(3, Math.floor(options.screenRows() / 2) - 4),
      style: selectStyle(options.theme),
    });
  }

  get isFocused(): boolean {
    return this.list.isFocused;
  }

  set isFocused(isFocused: boolean) {
    this.list.isFocused = isFocused;
  }

  handleInput(input: Input): boolean {
    const selected = this.list.selectedItem;
    const { onKey, onRows } = this.#options;
    const rows =
      input.kind === "key" && !input.isRelease && selected !== undefined
        ? onKey?.(input.id, selected.value)
        : undefined;
    if (rows === undefined) return this.list.handleInput(input);
    void rows.then((items) => {
      this.list.setItems(items);
      onRows?.();
    });
    return true;
  }

  render(width: number): readonly string[] {
    const { theme, title, hint } = this.#options;
    const rows = [frameRow(theme, width)];
    if (title !== "")
      for (const row of wrapText(title, Math.max(1, width)))
        rows.push(theme.emphasis("bold", theme.fg("text", row)));
    rows.push(...this.list.render(width));
    if (hint !== undefined) rows.push(theme.fg("dim", truncateCells(hint, width)));
    rows.push(frameRow(theme, width));
    return rows;
  }
}
