// What a key means in a list or a tree of rows, as in every one: up and down, into a row and out of it.

export interface TreeKeyRow {
  /** How deep it is. */
  readonly level: number;
  /** Undefined where nothing is inside. */
  readonly isOpen: boolean | undefined;
}

export type TreeStep =
  | { readonly do: "move"; readonly to: number }
  | { readonly do: "open" | "close" | "press" };

const pageRows = 12;

/** The row to go to; undefined where the key does not go from one to another. */
export function movedTo(key: string, count: number, at: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? count - 1 : at - 1,
    Home: 0,
    End: count - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(to, count - 1));
}

export function treeStep(rows: readonly TreeKeyRow[], at: number, key: string): TreeStep | undefined {
  const to = movedTo(key, rows.length, at);
  if (to !== undefined) return { do: "move", to };
  const row = rows[at];
  if (row === undefined) return undefined;
  if (key === "Enter" || key === " ") return { do: "press" };
  if (key === "ArrowRight" && row.isOpen !== undefined)
    return row.isOpen ? { do: "move", to: Math.min(at + 1, rows.length - 1) } : { do: "open" };
  if (key !== "ArrowLeft") return undefined;
  if (row.isOpen === true) return { do: "close" };
  const above = rows.slice(0, at).findLastIndex(({ level }) => level < row.level);
  return above < 0 ? undefined : { do: "move", to: above };
}
