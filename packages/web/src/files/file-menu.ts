// The menu of a file or a folder.

import { addContextRow } from "../agent/context.ts";
import { showMenu } from "../ui/menu.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { copyPath, deleteFile, showDeleted } from "./file-actions.ts";
import type { TreeNode } from "./file-tree.ts";

export interface FileMenu {
  readonly workbench: Workbench;
  /** Undefined for the folder as a whole. */
  readonly node: TreeNode | undefined;
  readonly at: { readonly x: number; readonly y: number } | Element;
  /** Where it does not appear at the row itself, the entries name the file. */
  readonly isNamed?: boolean;
  /** Where what was deleted is listed. */
  readonly panel: Element;
  readonly startNew: (folder: string) => void;
  readonly startRename: (path: string) => void;
}

export function showFileMenu({ workbench, node, at, isNamed, panel, startNew, startRename }: FileMenu): void {
  const isFolder = node?.children !== undefined;
  const folder = node === undefined ? "" : isFolder ? node.path : node.path.split("/").slice(0, -1).join("/");
  const deleted = { label: "Recently deleted…", run: () => showDeleted(workbench, panel) };
  const start = { label: folder === "" ? "New file" : `New file in ${folder}`, run: () => startNew(folder) };
  if (node === undefined) {
    showMenu({ label: "Files", at, entries: [start, "line", deleted] });
    return;
  }
  const { path } = node;
  const name = isNamed === true ? ` ${node.name}` : "";
  showMenu({
    label: path,
    at,
    entries: [
      ...(isFolder ? [] : [{ label: `Open${name}`, hint: "Enter", run: () => workbench.openFile(path) }]),
      start,
      { label: `Rename${name}`, hint: "F2", run: () => startRename(path) },
      { label: `Delete${name}`, hint: "Delete", isDangerous: true, run: () => deleteFile(workbench, path) },
      "line" as const,
      ...(isFolder
        ? []
        : [
            {
              label: "Add to the agent's context",
              run: () => addContextRow(workbench, { kind: "file", file_path: path }),
            },
          ]),
      { label: "Copy path", run: () => copyPath(workbench, path) },
      deleted,
    ],
  });
}
