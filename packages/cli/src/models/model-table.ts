// Models as rows of a table. Where the terminal is narrow, columns are left out, the last first; what is in one is never cut.

import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import { visibleName } from "@stet/protocol/visible";
import { cellWidth } from "@stet/tui/text/width";
import { abilityWords, contextWords, priceWords, searchText, speedWords } from "./model-facts.ts";

export interface ModelRow {
  readonly model: ListedModel;
  readonly provider: ProviderView;
}

/** Favourites first, then in the order of the providers. */
export function modelRows(providers: readonly ProviderView[]): ModelRow[] {
  const rows = providers.flatMap((provider) => provider.models.map((model) => ({ model, provider })));
  return [
    ...rows.filter(({ model }) => model.is_favourite),
    ...rows.filter(({ model }) => !model.is_favourite),
  ];
}

/** Those in which every word occurs, whatever their case. */
export function rowsWith(rows: readonly ModelRow[], words: readonly string[]): ModelRow[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter(Boolean);
  if (wanted.length === 0) return [...rows];
  return rows.filter(({ model, provider }) => {
    const text = searchText(model, provider);
    return wanted.every((word) => text.includes(word));
  });
}

export interface TableOptions {
  readonly width: number;
  readonly current: string;
  readonly style: (style: "bold" | "dim" | "yellow" | "green", text: string) => string;
}

const head = ["model", "context", "$ in/out", "can", "speed here"];
const gap = "  ";

export function modelTable(rows: readonly ModelRow[], { width, current, style }: TableOptions): string {
  const cells = rows.map(({ model, provider }) => [
    visibleName(model.name),
    contextWords(model),
    priceWords(model, provider.is_local),
    abilityWords(model).join(", "),
    speedWords(model),
  ]);
  const widths = head.map((title, column) => {
    const taken = cells.reduce((most, row) => Math.max(most, widthOf(row[column])), 0);
    return taken === 0 ? 0 : Math.max(taken, cellWidth(title));
  });
  // A column that is empty everywhere takes no room.
  const columns = widths.flatMap((cellCount, column) => (cellCount === 0 ? [] : [column]));
  while (columns.length > 1 && tableWidth(columns, widths) > width) columns.pop();
  const line = (mark: string, row: readonly string[]) => {
    const parts = columns.map((column) => {
      const text = row[column] ?? "";
      const filler = " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
      return column === 1 ? filler + text : text + filler;
    });
    return `${mark} ${parts.join(gap)}`.trimEnd();
  };
  const lines = rows.map(({ model }, index) => {
    const mark = model.is_favourite ? "★" : model.name === current ? "●" : " ";
    const text = line(mark, cells[index] ?? []);
    return model.name === current ? style("bold", text) : text;
  });
  return [style("dim", line(" ", head)), ...lines].map((text) => `${text}\n`).join("");
}

function tableWidth(columns: readonly number[], widths: readonly number[]): number {
  return columns.reduce((sum, column) => sum + (widths[column] ?? 0) + gap.length, 0);
}

function widthOf(text = ""): number {
  return cellWidth(text);
}
