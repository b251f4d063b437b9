// Closing a tab. The text of a file stays with the server, saved or not. A document without a file has no other place where
// it could be found again, so whoever closes it without saving can take that back.

import type { ListedTab } from "@stet/protocol/api/tabs";
import type { Desk } from "./desk.ts";

export async function closeTab(desk: Desk, listed: ListedTab): Promise<void> {
  const tab = await asItIs(desk, listed);
  if (tab === undefined) return;
  const isWithoutFile = tab.path === null;
  let kept: string | undefined;
  if (tab.is_dirty) {
    const choice = await desk.dialogs.choose({
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
    if (choice === "save" && !(await desk.save(tab))) return;
    if (choice === "close" && isWithoutFile) kept = await textOf(desk, tab.document);
  }
  const closed = await desk.told(desk.client.call("closeTab", { params: { tab_id: tab.tab_id } }));
  if (closed === undefined) return;
  desk.documents.forget(tab.document);
  await desk.loadTabs();
  if (kept !== undefined) tellClosed(desk, tab.title, kept);
}

/** What was typed a moment ago makes it unsaved, and the list may not know of that yet. Undefined where it cannot be known. */
async function asItIs(desk: Desk, listed: ListedTab): Promise<ListedTab | undefined> {
  const fault = await desk.documents.settle(listed.document);
  if (fault !== undefined && listed.path === null) {
    desk.refuse(fault);
    return undefined;
  }
  const reply = await desk.told(desk.client.call("listTabs"));
  if (reply === undefined) return undefined;
  return reply.tabs.find(({ tab_id }) => tab_id === listed.tab_id) ?? listed;
}

async function textOf(desk: Desk, document: number): Promise<string | undefined> {
  const known = desk.documents.known(document)?.live.text.toString();
  return known ?? (await desk.told(desk.client.call("getDocument", { params: { document } })))?.text;
}

function tellClosed(desk: Desk, title: string, content: string): void {
  const reopen = async () => {
    const tab = await desk.told(desk.client.call("openTab", { body: { title, content } }));
    if (tab === undefined) return;
    await desk.loadTabs();
    desk.views.show({ kind: "document", tab: tab.tab_id });
  };
  desk.notices.tell({
    text: `${title} is closed, and was not saved.`,
    tone: "plain",
    action: { label: "Undo", run: reopen },
  });
}
