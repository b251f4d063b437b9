// What a key means in the tree, as in every tree: up and down, into a folder and out of it.

import type { TreeRow } from "./file-tree.ts";

export type TreeStep =
  | { readonly do: "move"; readonly to: number }
  | { readonly do: "open" | "close" | "press" | "rename" | "delete" | "menu"; readonly row: TreeRow };

const pageRows = 12;

export function stepOf(
  rows: readonly TreeRow[],
  at: number,
  event: { readonly key: string; readonly shiftKey: boolean },
): TreeStep | undefined {
  const row = rows[at];
  const move = (to: number): TreeStep => ({
    do: "move",
    to: Math.max(0, Math.min(to, rows.length - 1)),
  });
  if (rows.length === 0) return undefined;
  switch (event.key) {
    case "ArrowDown":
      return move(at + 1);
    case "ArrowUp":
      return move(at < 0 ? rows.length - 1 : at - 1);
    case "Home":
      return move(0);
    case "End":
      return move(rows.length - 1);
    case "PageDown":
      return move(at + pageRows);
    case "PageUp":
      return move(at - pageRows);
  }
  if (row === undefined) return undefined;
  switch (event.key) {
    case "ArrowRight":
      if (!row.isFolder) return undefined;
      return row.isExpanded ? move(at + 1) : { do: "open", row };
    case "ArrowLeft":
      if (row.isExpanded) return { do: "close", row };
      return parentOf(rows, at) === undefined ? undefined : move(parentOf(rows, at) ?? at);
    case "Enter":
    case " ":
      return { do: "press", row };
    case "F2":
      return { do: "rename", row };
    case "Delete":
      return { do: "delete", row };
    case "ContextMenu":
      return { do: "menu", row };
    case "F10":
      return event.shiftKey ? { do: "menu", row } : undefined;
  }
  return undefined;
}

function parentOf(rows: readonly TreeRow[], at: number): number | undefined {
  const level = rows[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index -= 1) {
    if ((rows[index]?.level ?? 1) < level) return index;
  }
  return undefined;
}
