// Everything that is unsaved goes to disk. What has a file is written together: all of it or nothing. What has none yet is
// asked for its name, one after the other. However many files it is, there is one notice.

import { detailsOf, type Fault, isFault } from "@stet/protocol/fault";
import type { Workbench } from "./workbench.ts";

/** Whether there is nothing left to save. */
export async function saveAll(workbench: Workbench): Promise<boolean> {
  for (const { document } of workbench.state.tabs) {
    const fault = await workbench.documents.settle(document);
    if (fault !== undefined) return workbench.refuse(fault);
  }
  // The server knows what is unsaved, also in documents that have no tab.
  const reply = await workbench.client.call("saveDecided", { body: {} });
  if (isFault(reply)) return refuseSave(workbench, reply);
  await Promise.all([workbench.loadTabs(), workbench.loadReview()]);
  const saved = reply.saved.map(({ document, file_path }) => ({ document, name: nameOf(file_path) }));
  let isComplete = true;
  for (const tab of workbench.state.tabs.filter(({ path, is_dirty }) => path === null && is_dirty)) {
    const written = await workbench.write(tab);
    if (written === undefined) isComplete = false;
    else saved.push({ document: tab.document, name: written.title });
  }
  if (saved.length > 0 || isComplete) {
    const open = openOutside(
      workbench,
      saved.map(({ document }) => document),
    );
    const names = saved.map(({ name }) => name);
    workbench.notices.tell({
      text: savedWords(names, open),
      tone: names.length === 0 ? "plain" : "good",
    });
  }
  return isComplete;
}

/** How many changes of the documents are open and not in their files. */
export function openOutside({ state }: Workbench, documents: readonly number[]): number {
  return state.review.files
    .filter(({ document, is_on_disk }) => !is_on_disk && documents.includes(document))
    .reduce((sum, { hunks }) => sum + hunks.length, 0);
}

/** Documents that are unsaved beside these, where one of them has no tab that tells of it. */
export function unseenUnsaved(workbench: Workbench, saved: readonly number[]): number {
  const others = workbench.unsavedDocuments().filter((document) => !saved.includes(document));
  const isUnseen = (document: number) => !workbench.state.tabs.some((tab) => tab.document === document);
  return others.some(isUnseen) ? others.length : 0;
}

/** `others`: how many more are not saved. */
export function savedWords(names: readonly string[], open: number, others = 0): string {
  const [only] = names;
  if (only === undefined) return "Everything is saved already.";
  const where = names.length === 1 ? "the file" : "the files";
  const still =
    open === 0
      ? ""
      : ` ${open === 1 ? "One change is" : `${open} changes are`} still open and not in ${where}.`;
  const rest =
    others === 0 ? "" : ` ${others === 1 ? "One other file is" : `${others} other files are`} not.`;
  return `${names.length === 1 ? `${only} is` : `${names.length} files are`} saved.${still}${rest}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The files that were changed by others come with their question above the text; the first of them to the front. */
async function refuseSave(workbench: Workbench, fault: Fault): Promise<false> {
  if (fault.error === "external_change") {
    for (const [index, path] of changedPaths(fault).entries()) {
      const known = workbench.state.tabs.find((tab) => tab.path === path);
      const tab = known ?? (await workbench.openFile(path));
      if (tab === undefined) continue;
      if (index === 0) workbench.activate(tab.tab_id);
      workbench.documents.reportConflict(tab.document);
    }
  }
  return workbench.refuse(fault);
}

export function changedPaths(fault: Fault): string[] {
  const { path, differences = [] } = detailsOf(fault, "external_change");
  return [path, ...differences.map((difference) => difference.path)].filter((one) => typeof one === "string");
}
