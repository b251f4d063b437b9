// Where a result goes: a new tab named after the source, or a tab that is written over. Always through the turn.

import { join, parse } from "node:path/posix";
import { Fault, isFault } from "@stet/protocol/fault";
import type { TabInfo } from "@stet/workspace/tabs/tabs";
import { tabIn } from "../tabs/tab-in.ts";
import type { TabsContext } from "../tabs/tabs-context.ts";

const maxTries = 1000;

export interface Result {
  readonly source: Pick<TabInfo, "title" | "path">;
  /** What was done to it: the second half of the title. */
  readonly done: string;
  readonly content: string;
  /** Of the file that it may become; the source's unless given. */
  readonly extension?: string;
}

/** A new tab "source - done", with " (2)", " (3)" behind it where the title is taken. Returns its id. */
export function newResultTab(context: TabsContext, result: Result): Promise<string | Fault> {
  return context.turn.step(() => createTab(context, result));
}

function createTab(
  { workspace, turn }: TabsContext,
  { source, done, content, extension }: Result,
): string | Fault {
  const { title } = source;
  const file = parse(source.path ?? title);
  let refusal: Fault | undefined;
  for (let number = 1; number <= maxTries; number += 1) {
    const suffix = ` - ${done}${number === 1 ? "" : ` (${number})`}`;
    const path = join(file.dir, `${file.name}${suffix}${extension ?? file.ext}`);
    const created = workspace.tabs.createIn(turn, { title: `${title}${suffix}`, content, path });
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
