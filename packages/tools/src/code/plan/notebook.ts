// Cells of a Jupyter notebook: edited, inserted, deleted. It edits, it does not run anything.
//
// Only the cell's part of the file changes: the rest keeps its bytes, whatever its formatting.

import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { FormattingOptions, JSONPath } from "jsonc-parser";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeTool } from "../code-context.ts";
import { detailsOf } from "../edit/edit-outcome.ts";
import { type Cell, cellsOf, sourceOf } from "../read/notebook.ts";
import { rootPath } from "../root-path.ts";

const schema = z.object({
  action: z.enum(["edit", "insert", "delete"]),
  notebook_path: z.string().min(1),
  cell_index: z
    .number()
    .int()
    .describe("from 0; insert puts the new cell before it, at the end with the number of cells"),
  cell_type: z.enum(["code", "markdown"]).optional().describe("insert: code unless given"),
  content: z.string().optional().describe("edit, insert: the cell's source"),
});

type Request = z.infer<typeof schema>;

export const notebook: CodeTool = (context) =>
  defineTool({
    name: "notebook",
    description: prompt(import.meta.url, "notebook"),
    traits: ["edits", "exclusive"],
    words: ({ action, notebook_path }) => `${capital(cut(action))} a cell of ${cut(notebook_path)}`,
    schema,
    authorise({ notebook_path }, call) {
      const path = rootPath(context.workspace, notebook_path);
      return context.permit({ tool: "notebook", targets: [{ kind: "path", path, access: "write" }] }, call);
    },
    async execute(request): Promise<ToolOutcome | Fault> {
      const path = rootPath(context.workspace, request.notebook_path);
      if (!path.toLowerCase().endsWith(".ipynb"))
        return notANotebook(path, "its name does not end in .ipynb");
      const file = context.files.open(path);
      if (isFault(file)) return file;
      const text = file.history.text.toString();
      const cells = cellsOf(text);
      if (typeof cells === "string") return notANotebook(path, cells);
      const wrong = outOfRange(request, cells.length) ?? withoutContent(request);
      if (wrong !== undefined) return wrong;
      const content = await changed(text, cells, request);
      const results = await context.files.apply([
        {
          kind: "edit",
          file,
          revision: file.history.revision,
          edits: [{ op: "set", content }],
          rewrite: true,
        },
      ]);
      if (isFault(results)) return results;
      const [result] = results;
      const cell = cells[request.cell_index];
      const deleted = cell === undefined ? "" : sourceOf(cell);
      return {
        content: summary(request, cells),
        details: {
          action: request.action,
          cellIndex: request.cell_index,
          cellType: typeOf(request, cells),
          totalCells: cells.length + { edit: 0, insert: 1, delete: -1 }[request.action],
          cellSource: request.action === "delete" ? deleted : request.content,
          ...(result === undefined ? {} : { diff: detailsOf(result).diff }),
        },
      };
    },
  });

function outOfRange({ action, cell_index: index }: Request, count: number): Fault | undefined {
  const last = action === "insert" ? count : count - 1;
  if (index >= 0 && index <= last) return undefined;
  return new Fault(
    "invalid_arguments",
    `There is no place ${index}: the notebook has ${count} cells.`,
    last < 0 ? "Insert a cell first." : `Use a cell_index from 0 to ${last} to ${action}.`,
    { cell_index: index, cells: count },
  );
}

function withoutContent({ action, content }: Request): Fault | undefined {
  if (action === "delete" || content !== undefined) return undefined;
  return new Fault(
    "content_required",
    `To ${action} a cell, its content is needed.`,
    "Give the cell's whole source.",
  );
}

async function changed(text: string, cells: readonly Cell[], request: Request): Promise<string> {
  const { applyEdits, modify } = await import("jsonc-parser");
  const formattingOptions = formatOf(text);
  const { action, cell_index: index, content = "" } = request;
  const apply = (path: JSONPath, value: unknown, isArrayInsertion = false) =>
    applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
  if (action === "delete") return apply(["cells", index], undefined);
  if (action === "edit") return apply(["cells", index, "source"], sourceLines(content));
  const source = sourceLines(content);
  const isCode = typeOf(request, cells) === "code";
  const cell = isCode
    ? { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source }
    : { cell_type: "markdown", metadata: {}, source };
  return apply(["cells", index], cell, true);
}

/** Every line but the last keeps its line break, as notebooks have it. */
function sourceLines(content: string): string[] {
  return content === "" ? [] : content.split(/(?<=\n)/);
}

/** Notebooks are indented by one space unless someone formatted them. */
function formatOf(text: string): FormattingOptions {
  const indent = /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1] ?? " ";
  const isTab = indent.startsWith("\t");
  return { insertSpaces: !isTab, tabSize: isTab ? 1 : indent.length, eol: "\n" };
}

function typeOf({ action, cell_index: index, cell_type }: Request, cells: readonly Cell[]): string {
  return action === "insert" ? (cell_type ?? "code") : (cells[index]?.cell_type ?? "code");
}

function summary(request: Request, cells: readonly Cell[]): string {
  const { action, cell_index: index, notebook_path: path } = request;
  const type = typeOf(request, cells);
  if (action === "edit") return `Replaced the source of ${type} cell ${index} in ${path}.`;
  if (action === "insert")
    return `Inserted a ${type} cell at ${index} in ${path}, which has ${cells.length + 1} cells now.`;
  return `Deleted ${type} cell ${index} of ${path}, which has ${cells.length - 1} cells now.`;
}

function notANotebook(path: string, reason: string): Fault {
  return new Fault(
    "not_readable",
    `${path} is not a notebook: ${reason}.`,
    "Give the path of a .ipynb file; mend a broken one with read :raw and edit.",
    { path },
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
