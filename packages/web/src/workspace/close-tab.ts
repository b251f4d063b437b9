// Closing a tab. The text of a file stays with the server, saved or not. A document without a file has no other place where
// it could be found again, so whoever closes it without saving can take that back.

import type { ListedTab } from "@stet/protocol/api/tabs";
import type { Workbench } from "./workbench.ts";

export async function closeTab(workbench: Workbench, listed: ListedTab): Promise<void> {
  const tab = await asItIs(workbench, listed);
  if (tab === undefined) return;
  const isWithoutFile = tab.path === null;
  let kept: string | undefined;
  if (tab.is_dirty) {
    const choice = await workbench.dialogs.choose({
      title: `Save ${tab.title} before closing?`,
      text: isWithoutFile
        ? "It has no file yet. Closed without saving, it is gone."
        : "It has changes that are not in the file. Without saving they stay here, and are shown again when the file is opened.",
      choices: [
        { id: "save", label: "Save and close", isDefault: true },
        { id: "close", label: "Close without saving" },
      ],
    });
    if (choice === undefined) return;
    if (choice === "save" && !(await workbench.save(tab))) return;
    if (choice === "close" && isWithoutFile) kept = await textOf(workbench, tab.document);
  }
  const closed = await workbench.ask("closeTab", { params: { tab_id: tab.tab_id } });
  if (closed === undefined) return;
  workbench.documents.forget(tab.document);
  await workbench.loadTabs();
  if (kept !== undefined) tellClosed(workbench, tab.title, kept);
}

/** What was typed a moment ago makes it unsaved, and the list may not know of that yet. Undefined where it cannot be known. */
async function asItIs(workbench: Workbench, listed: ListedTab): Promise<ListedTab | undefined> {
  const fault = await workbench.documents.settle(listed.document);
  if (fault !== undefined && listed.path === null) {
    workbench.refuse(fault);
    return undefined;
  }
  const reply = await workbench.ask("listTabs");
  if (reply === undefined) return undefined;
  return reply.tabs.find(({ tab_id }) => tab_id === listed.tab_id) ?? listed;
}

async function textOf(workbench: Workbench, document: number): Promise<string | undefined> {
  const known = workbench.documents.known(document)?.live.text.toString();
  return known ?? (await workbench.ask("getDocument", { params: { document } }))?.text;
}

function tellClosed(workbench: Workbench, title: string, content: string): void {
  const reopen = async () => {
    const tab = await workbench.ask("openTab", { body: { title, content } });
    if (tab === undefined) return;
    await workbench.loadTabs();
    workbench.views.show({ kind: "document", tab: tab.tab_id });
  };
  workbench.notices.tell({
    text: `${title} is closed, and was not saved.`,
    tone: "plain",
    action: { label: "Undo", run: reopen },
  });
}
