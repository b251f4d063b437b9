import { defineTool, type Tool } from "@stet/agent/tool";
import type { TabInfo } from "@stet/workspace/tabs/tabs";
import * as z from "zod";
import { maxAnswerBytes } from "../answer-size.ts";
import { prompt } from "../prompt.ts";
import type { TabsContext } from "./tabs-context.ts";

export function listTabs({ workspace, turn }: TabsContext): Tool {
  return defineTool({
    name: "list_tabs",
    description: prompt(import.meta.url, "list_tabs"),
    traits: ["reads"],
    words: () => "Look at the open tabs",
    schema: z.object({}),
    async execute() {
      const all = workspace.tabs.seenBy(turn);
      const active = all.find((tab) => tab.is_active)?.tab_id ?? null;
      const tabs = fitting(all);
      const note =
        tabs.length < all.length
          ? {
              note: `Only ${tabs.length} of ${all.length} tabs fit one answer; ask the person for the others.`,
            }
          : {};
      return { content: { tabs, active_tab_id: active, ...note }, details: { count: all.length } };
    },
  });
}

/** As many tabs as one answer can hold, and always the active one. */
function fitting(tabs: readonly TabInfo[]): TabInfo[] {
  let room = maxAnswerBytes;
  for (const tab of tabs) if (tab.is_active) room -= size(tab);
  return tabs.filter((tab) => {
    if (tab.is_active) return true;
    room -= size(tab);
    return room >= 0;
  });
}

function size(tab: TabInfo): number {
  return Buffer.byteLength(JSON.stringify(tab)) + 1;
}
