// Where a result goes: a new tab named after the source, or a tab that is written over. Always through the turn.

import { Fault, isFault } from "@stet/protocol/fault";
import { tabIn } from "../tabs/tab-in.ts";
import type { TabsContext } from "../tabs/tabs-context.ts";

const maxTries = 1000;

/** A new tab with this title, or with " (2)", " (3)" behind it where the title is taken. Returns its id. */
export function newResultTab(context: TabsContext, title: string, content: string): Promise<string | Fault> {
  return context.turn.step(() => createTab(context, title, content));
}

function createTab({ workspace, turn }: TabsContext, title: string, content: string): string | Fault {
  let refusal: Fault | undefined;
  for (let number = 1; number <= maxTries; number += 1) {
    const name = number === 1 ? title : `${title} (${number})`;
    const created = workspace.tabs.createIn(turn, { title: name, content });
    if (!isFault(created)) return created.tab_id;
    refusal = created;
    if (created.error !== "title_exists") break;
  }
  return refusal ?? new Fault("title_exists", `No title is free for ${title}.`, "Close some of these tabs.");
}

/** The tab's whole text becomes the content. Text that is there already stays. */
export async function overwriteTab(
  context: TabsContext,
  tabId: string,
  content: string,
): Promise<string | Fault> {
  const tab = tabIn(context, tabId);
  if (isFault(tab)) return tab;
  const { document, history } = tab;
  const edits = [{ op: "set", content }] as const;
  const request = { revision: history.revision, policy: { kind: "strict" }, edits, rewrite: true } as const;
  const report = await context.turn.step(() => context.turn.edit(document, request));
  return isFault(report) && report.error !== "no_change" ? report : tab.info.tab_id;
}
