// A Jupyter notebook as text: each cell's source behind a line `# %% [code] cell:0`. Outputs are left out.

import { Fault } from "@stet/protocol/fault";
import * as z from "zod";

const notebookSchema = z.object({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      source: z.union([z.string(), z.array(z.string())]).default(""),
      outputs: z.array(z.unknown()).optional().catch(undefined),
    }),
  ),
});

export type Cell = z.infer<typeof notebookSchema>["cells"][number];

/** The cells of a notebook, or why it is none. */
export function cellsOf(json: string): readonly Cell[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const notebook = notebookSchema.safeParse(parsed);
  return notebook.success ? notebook.data.cells : "it has no list of cells as notebooks have it";
}

export function sourceOf({ source }: Cell): string {
  return typeof source === "string" ? source : source.join("");
}

export interface NotebookText {
  readonly text: string;
  readonly cells: number;
  /** Cells with outputs, which the text leaves out. */
  readonly withOutputs: number;
}

export function notebookText(path: string, json: string): NotebookText | Fault {
  const cells = cellsOf(json);
  if (typeof cells === "string") return invalid(path, cells);
  const texts = cells.map((cell, index) => {
    const content = sourceOf(cell);
    const mark = `# %% [${cell.cell_type}] cell:${index}\n`;
    return content === "" ? mark : `${mark}${content}${content.endsWith("\n") ? "" : "\n"}`;
  });
  const withOutputs = cells.filter(({ outputs }) => outputs !== undefined && outputs.length > 0).length;
  return { text: texts.join("\n"), cells: cells.length, withOutputs };
}

function invalid(path: string, why: string): Fault {
  return new Fault(
    "not_readable",
    `${path} is not a valid notebook: ${why}.`,
    `Read ${path}:raw to see its JSON as it is.`,
    { path },
  );
}
