// The tabs of this window and what can be done with them.

import type { ListedTab } from "@stet/protocol/api/tabs";
import { noteAsked } from "../app/asked-focus.ts";
import { always, commandsOf } from "../app/commands.ts";
import { copyPath } from "../files/file-actions.ts";
import { openCounts } from "../review/open-count.ts";
import { plural } from "../status/word-count.ts";
import { type MenuRequest, showMenu } from "../ui/menu.ts";
import { type View, viewKey } from "../views/views.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { folderHints, placeAfterDrop, untitled } from "./tab-titles.ts";

export interface OpenView {
  readonly key: string;
  readonly view: View;
  readonly title: string;
  /** What tells it from another one of the same title. */
  readonly folder: string;
  /** Everything there is to say of it. */
  readonly label: string;
  /** What is said of it beside its title and folder. */
  readonly marks: string;
  /** Where it shows a document. */
  readonly tab: ListedTab | undefined;
  /** Changes to review. */
  readonly changes: number;
}

export function openViews(workbench: Workbench): OpenView[] {
  const { tabs } = workbench.state;
  const counts = openCounts(workbench);
  const hints = new Map(folderHints(tabs).map((hint, index) => [tabs[index]?.tab_id, hint]));
  return workbench.views.list().flatMap((view): OpenView[] => {
    const key = viewKey(view);
    if (view.kind !== "document") {
      const { title } = view;
      return [{ key, view, title, folder: "", label: title, marks: "", tab: undefined, changes: 0 }];
    }
    const tab = tabs.find((candidate) => candidate.tab_id === view.tab);
    if (tab === undefined) return [];
    const folder = hints.get(tab.tab_id) ?? "";
    const changes = counts.get(tab.document) ?? 0;
    const marks = [
      ...(tab.is_dirty ? ["not saved"] : []),
      ...(changes > 0 ? [`${plural(changes, "change")} to review`] : []),
    ];
    const label = [tab.title, ...(folder === "" ? [] : [`in ${folder}`]), ...marks].join(", ");
    return [{ key, view, title: tab.title, folder, label, marks: marks.join(", "), tab, changes }];
  });
}

export function showView(workbench: Workbench, view: View): void {
  if (view.kind === "document") workbench.activate(view.tab);
  else workbench.views.show(view);
}

export async function closeView(workbench: Workbench, { view, tab }: OpenView): Promise<void> {
  if (tab !== undefined) await workbench.close(tab);
  else workbench.views.close(view);
}

/** Puts a document's tab before the one at a place, or after the last one. */
export async function moveTab(workbench: Workbench, moved: OpenView, before: number): Promise<void> {
  if (moved.tab === undefined) return;
  const { tabs } = workbench.state;
  const from = tabs.findIndex((tab) => tab.tab_id === moved.tab?.tab_id);
  const position = Math.max(0, Math.min(placeAfterDrop(from, before), tabs.length - 1));
  if (position === from) return;
  const params = { tab_id: moved.tab.tab_id };
  await workbench.ask("moveTab", { params, body: { position } });
  await workbench.loadTabs();
}

export function showTabMenu(workbench: Workbench, open: OpenView, at: MenuRequest["at"]): void {
  const others = () => openViews(workbench).filter(({ key }) => key !== open.key);
  const path = open.tab?.path;
  const closeAll = async (views: readonly OpenView[]) => {
    for (const view of views) await closeView(workbench, view);
  };
  showMenu({
    label: open.title,
    at,
    entries: [
      { label: "Close", hint: workbench.commands.keysOf("tab.close"), run: () => closeView(workbench, open) },
      { label: "Close others", isDisabled: others().length === 0, run: () => closeAll(others()) },
      { label: "Close all", run: () => closeAll(openViews(workbench)) },
      ...(path ? ["line" as const, { label: "Copy path", run: () => copyPath(workbench, path) }] : []),
    ],
  });
}

export function addTabCommands(workbench: Workbench): void {
  const current = () => {
    const active = workbench.views.active();
    const list = openViews(workbench);
    return { list, at: list.findIndex(({ key }) => active !== undefined && key === viewKey(active)) };
  };
  const go = (by: number) => {
    const { list, at } = current();
    const next = list[(at + by + list.length) % list.length];
    if (next !== undefined) showView(workbench, next.view);
  };
  const move = (by: number) => {
    const { list, at } = current();
    const open = list[at];
    if (open !== undefined) void moveTab(workbench, open, by > 0 ? at + 2 : at - 1);
  };
  const hasSeveral = () => workbench.views.list().length > 1;
  const command = commandsOf("Tabs");
  workbench.commands.use(
    commandsOf("File")("tab.new", "New document", "Alt-n", always, async () => {
      noteAsked();
      const title = untitled(workbench.state.tabs.map((tab) => tab.title));
      const tab = await workbench.ask("openTab", { body: { title, content: "" } });
      if (tab === undefined) return;
      await workbench.loadTabs();
      workbench.views.show({ kind: "document", tab: tab.tab_id });
    }),
    command("tab.next", "Next tab", "Alt-PageDown", hasSeveral, () => go(1)),
    command("tab.previous", "Previous tab", "Alt-PageUp", hasSeveral, () => go(-1)),
    command("tab.moveRight", "Move the tab to the right", "Alt-Shift-PageDown", hasSeveral, () => move(1)),
    command("tab.moveLeft", "Move the tab to the left", "Alt-Shift-PageUp", hasSeveral, () => move(-1)),
    command("tab.closeOthers", "Close the other tabs", "", hasSeveral, async () => {
      const { list, at } = current();
      for (const open of list.filter((_, index) => index !== at)) await closeView(workbench, open);
    }),
  );
}
