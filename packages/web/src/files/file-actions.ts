// What can be done to a file or a folder. Everything can be taken back: what is deleted is kept by the server.

import { type Fault, isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import { type MenuRequest, showMenu } from "../ui/menu.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { fileListOf } from "./file-list.ts";

const [folder, setFolder] = createSignal<string | undefined>();

/** The folder for which the panel asks for the name of a new file; undefined where it does not ask. */
export const newFileIn: Accessor<string | undefined> = folder;

export function askNewFile(inFolder: string | undefined): void {
  setFolder(inFolder);
}

/** As many deletions as a menu shows. */
const maxListed = 30;

export async function createFile(workbench: Workbench, path: string): Promise<Fault | undefined> {
  const made = await workbench.client.call("createFile", { body: { path: path.trim() } });
  if (isFault(made)) return made;
  await fileListOf(workbench).load();
  await workbench.openFile(made.path);
  return undefined;
}

export async function renameFile(workbench: Workbench, from: string, to: string): Promise<Fault | undefined> {
  const moved = await workbench.client.call("renameFile", { body: { from, to } });
  if (isFault(moved)) return moved;
  await Promise.all([fileListOf(workbench).load(), workbench.loadTabs()]);
  return undefined;
}

export async function deleteFile(workbench: Workbench, path: string): Promise<void> {
  const gone = await workbench.ask("deleteFile", { body: { path } });
  if (gone === undefined) return;
  await fileListOf(workbench).load();
  const what = gone.files === 1 ? path : `${path} (${gone.files} files)`;
  workbench.notices.tell({
    text: `${what} is deleted.`,
    tone: "plain",
    action: { label: "Undo", run: () => restore(workbench, gone.deletion_id) },
  });
}

async function restore(workbench: Workbench, deletionId: string): Promise<void> {
  const back = await workbench.ask("restoreFile", { body: { deletion_id: deletionId } });
  if (back === undefined) return;
  await fileListOf(workbench).load();
  workbench.notices.tell({ text: `${back.path} is back.`, tone: "good" });
}

export async function showDeleted(workbench: Workbench, at: MenuRequest["at"]): Promise<void> {
  const reply = await workbench.ask("listDeletions");
  if (reply === undefined) return;
  if (reply.deletions.length === 0) {
    workbench.notices.tell({ text: "Nothing was deleted here.", tone: "plain" });
    return;
  }
  showMenu({
    label: "Bring back what was deleted",
    at,
    entries: reply.deletions.slice(0, maxListed).map((deletion) => ({
      label: `Bring back ${deletion.path}`,
      hint: new Date(deletion.at).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" }),
      run: () => restore(workbench, deletion.deletion_id),
    })),
  });
}

export async function copyPath(workbench: Workbench, path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(path);
    workbench.notices.tell({ text: `The path ${path} is copied.`, tone: "good" });
  } catch {
    workbench.notices.tell({
      text: "The browser does not let this page copy.",
      detail: `The path is ${path}`,
      tone: "bad",
    });
  }
}
