// A path under the root: a folder, an image, a notebook, a document, or text of any size.

import { statSync } from "node:fs";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { type Location, resolveFolder } from "@stet/workspace/files/containment";
import type { CodeContext } from "../code-context.ts";
import { rootPath } from "../root-path.ts";
import { permitPath } from "./permit-path.ts";
import { parseSelector, type SelectedPath } from "./selector.ts";
import { namedFile } from "./sources.ts";
import { withNote } from "./suffix-match.ts";

interface LocalEntry {
  readonly kind: "file" | "folder";
  readonly location: Location;
}

/** Undefined where nothing is there. */
export async function readLocal(
  given: string,
  context: CodeContext,
  call: ToolContext,
): Promise<ToolOutcome | Fault | undefined> {
  const selected = selectedPath(context, rootPath(context.workspace, given));
  if (isFault(selected)) return selected;
  // A name with colons may have been taken for another file when it was asked for.
  const isAsked = selected.path === namedFile(rootPath(context.workspace, given));
  const refusal = isAsked ? undefined : await permitPath(context, selected.path, "read", call);
  if (refusal !== undefined) return refusal;
  const entry = entryAt(context, selected.path);
  if (entry === undefined) return selectorFault(context, selected.path);
  if (isFault(entry)) return entry;
  if (entry.kind === "file") return readFile(context, entry.location, selected, call);
  const { readFolder } = await import("./folder-tree.ts");
  return readFolder(context, entry.location, selected.selector, call);
}

/** Without its selector; a file whose name ends like a selector is taken as it is. */
function selectedPath({ workspace }: CodeContext, path: string): SelectedPath | Fault {
  if (path.includes(":")) {
    const literal = workspace.documents.locate(path);
    if (!isFault(literal) && literal.exists) return { path, selector: undefined, isRaw: false };
  }
  return parseSelector(path);
}

/** Undefined where nothing is there. */
function entryAt({ workspace }: CodeContext, path: string): LocalEntry | Fault | undefined {
  const plain = path.replace(/(?<=.)\/+$/, "");
  const location = workspace.documents.locate(plain);
  if (!isFault(location)) {
    if (!location.exists) return undefined;
    if (plain === path) return { kind: "file", location };
    return new Fault("not_a_file", `${plain} is a file, not a folder.`, `Read ${plain}.`, { path });
  }
  if (location.error !== "not_a_file") return location;
  const folder = resolveFolder(workspace.root, plain);
  return isFault(folder) ? location : { kind: "folder", location: folder };
}

/** What stands behind the colon of an existing path, and is no selector. */
function selectorFault({ workspace }: CodeContext, path: string): Fault | undefined {
  const colon = path.lastIndexOf(":");
  const before = colon > 0 ? workspace.documents.locate(path.slice(0, colon)) : undefined;
  if (before === undefined || isFault(before) || !before.exists) return undefined;
  return new Fault(
    "invalid_line_range",
    `${JSON.stringify(path.slice(colon))} behind ${before.path} is not a selector.`,
    "Use :N, :A-B, :A+COUNT or :raw; lines count from 1.",
    { path },
  );
}

const documentNames = /\.(pdf|docx?|pptx?|xlsx?|rtf|epub)$/i;
const packedDocumentNames = /\.(pdf|docx|pptx|xlsx|epub)$/i;

async function readFile(
  context: CodeContext,
  location: Location,
  selected: SelectedPath,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { path } = location;
  // What is packed has no other raw form than what it says.
  if ((selected.isRaw ? packedDocumentNames : documentNames).test(path)) {
    const { readDocument } = await import("./documents/read-document.ts");
    return readDocument(context, location, selected, call);
  }
  if (!selected.isRaw) {
    const { hasImageName, isTextUnderImageName, readImage } = await import("./image-file.ts");
    if (isTextUnderImageName(context, location)) {
      const outcome = await readPlain(context, location, selected, call);
      return isFault(outcome) ? outcome : withNote(outcome, `[${path} is not an image: it is text]`);
    }
    if (hasImageName(path)) return readImage(context, location, call.signal);
    if (/\.ipynb$/i.test(path)) return readNotebook(context, location, selected);
  }
  return readPlain(context, location, selected, call);
}

async function readPlain(
  context: CodeContext,
  location: Location,
  selected: SelectedPath,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { path } = location;
  const size = attempt("read", path, () => statSync(location.absolute).size);
  if (isFault(size)) return size;
  const { hugeFileBytes, readHuge } = await import("./huge-file.ts");
  if (size > hugeFileBytes && !isUnsaved(context, path)) {
    return readHuge(context, location, { ...selected, limit: context.settings.readLimit }, call);
  }
  const { readText } = await import("./text-file.ts");
  return readText(context, location, selected, call);
}

/** Whether someone has text of the file that is not on disk. */
function isUnsaved({ workspace: { documents } }: CodeContext, path: string): boolean {
  const row = documents.rowAt(path);
  return row !== undefined && documents.unsavedIds().includes(row.id);
}

async function readNotebook(
  context: CodeContext,
  location: Location,
  selected: SelectedPath,
): Promise<ToolOutcome | Fault> {
  const file = context.files.open(location.path);
  if (isFault(file)) return file;
  const { notebookText } = await import("./notebook.ts");
  const notebook = notebookText(file.path, file.history.text.toString());
  if (isFault(notebook)) return notebook;
  const { pagedText } = await import("./paged-text.ts");
  const { path } = file;
  const paged = pagedText(context, notebook.text, { ...selected, source: path });
  const outputs = notebook.withOutputs === 0 ? "" : ` Outputs of ${notebook.withOutputs} cells are left out.`;
  const note = `[A notebook with ${notebook.cells} cells, as text.${outputs} Its lines are not those of the file: change cells with notebook.]`;
  return { content: `${paged.content}\n${note}`, details: { ...paged.details, path, cells: notebook.cells } };
}
