// A Jupyter notebook as text: each cell's source behind a line `# %% [code] cell:0`. Outputs are left out.

import { Fault } from "@stet/protocol/fault";
import * as z from "zod";

const cellSchema = z.object({
  cell_type: z.string(),
  source: z.union([z.string(), z.array(z.string())]).default(""),
  outputs: z.array(z.unknown()).optional(),
});

const notebookSchema = z.object({ cells: z.array(cellSchema) });

export interface NotebookText {
  readonly text: string;
  readonly cells: number;
  /** Cells with outputs, which the text leaves out. */
  readonly withOutputs: number;
}

export function notebookText(path: string, json: string): NotebookText | Fault {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return invalid(path, error instanceof Error ? error.message : String(error));
  }
  const notebook = notebookSchema.safeParse(parsed);
  if (!notebook.success) {
    return invalid(path, z.prettifyError(notebook.error).split("\n")[0] ?? "its cells are not as expected");
  }
  const { cells } = notebook.data;
  const texts = cells.map(({ cell_type, source }, index) => {
    const content = typeof source === "string" ? source : source.join("");
    const mark = `# %% [${cell_type}] cell:${index}\n`;
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
