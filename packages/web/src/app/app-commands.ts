// Commands of the window itself. Features add their own.

import { askNewFile, showDeleted } from "../files/file-actions.ts";
import { openPalette } from "../palette/palette-state.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { always, commandsOf } from "./commands.ts";
import type { LeftPanel, Theme } from "./layout.ts";
import { goRegion, toggleRegion } from "./regions.ts";
import { signOut } from "./sign-in.ts";

const panelKeys: readonly (readonly [LeftPanel, string, string])[] = [
  ["files", "Files", "Alt-1"],
  ["search", "Search", "Alt-2"],
  ["outline", "Outline", "Alt-3"],
  ["review", "Review", "Alt-4"],
  ["history", "History", "Alt-5"],
];

export const themes: readonly (readonly [Theme, string])[] = [
  ["system", "As the system has it"],
  ["light", "Light"],
  ["dark", "Dark"],
  ["contrast", "High contrast"],
];

/** For as long as the window lives. */
export function addAppCommands(workbench: Workbench): void {
  const { commands, layout } = workbench;
  const isNoCode = () => !isInCode(workbench);
  const hasTab = () => workbench.activeTab() !== undefined;
  const [go, view] = [commandsOf("Go"), commandsOf("View")];
  const [file, help] = [commandsOf("File"), commandsOf("Help")];
  commands.use(
    ...panelKeys.map(([id, title, keys]) =>
      view(`panel.${id}`, `Show or hide ${title}`, keys, always, () =>
        toggleRegion("panel", () => layout.togglePanel(id)),
      ),
    ),
    go("search.open", "Search in all files", "Mod-Shift-f", always, () => {
      layout.set({ left: "search" });
      requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-search-field]")?.focus());
    }),
    go("palette.files", "Go to a file", "Mod-p", always, () => openPalette("")),
    go("palette.commands", "Run a command by its name", "Mod-k F1", always, () => openPalette(">")),
    go("palette.headings", "Go to a heading", "", hasTab, () => openPalette("@")),
    go("go.next", "Go to the next part of the window", "F6", always, () => goRegion(1)),
    go("go.previous", "Go to the previous part of the window", "Shift-F6", always, () => goRegion(-1)),
    // In code, these keys make a comment.
    help("help.keys", "Keyboard shortcuts", "Mod-/", isNoCode, () =>
      workbench.views.show({ kind: "keys", title: "Keyboard shortcuts" }),
    ),
    file("files.new", "New file in the folder", "", always, () => {
      layout.set({ left: "files" });
      askNewFile("");
    }),
    file("files.deleted", "Bring back a deleted file", "", always, () =>
      showDeleted(workbench, { x: innerWidth / 2 - 160, y: 80 }),
    ),
    view("panel.agent", "Show or hide the agent", "Alt-0", always, () =>
      toggleRegion("agent", () => layout.set({ isAgentOpen: !layout.state.isAgentOpen })),
    ),
    ...themes.map(([theme, title]) =>
      view(`theme.${theme}`, `Use the colour theme: ${title}`, "", always, () => layout.set({ theme })),
    ),
    view("editor.wrap", "Wrap long lines, or not", "Alt-z", always, () =>
      layout.set({ wrapsLines: !layout.state.wrapsLines }),
    ),
    file("app.signOut", "Sign this browser out", "", always, () => leave(workbench)),
    file("file.save", "Save", "Mod-s", hasTab, () => {
      const tab = workbench.activeTab();
      if (tab !== undefined) void workbench.save(tab);
    }),
    file("file.saveAll", "Save all", "Mod-Alt-s", always, () => workbench.saveAll()),
    file(
      "tab.close",
      "Close the tab",
      "Alt-w",
      () => workbench.views.active() !== undefined,
      () => {
        const tab = workbench.activeTab();
        const view = workbench.views.active();
        if (tab !== undefined) void workbench.close(tab);
        else if (view !== undefined) workbench.views.close(view);
      },
    ),
  );
}

function isInCode(workbench: Workbench): boolean {
  const type = workbench.activeTab()?.file_type;
  const isCode = type !== undefined && type !== "markdown" && type !== "txt";
  return isCode && document.activeElement?.closest(".cm-content") !== null;
}

/** What was typed goes to the server first; what cannot go there is a reason to stay. */
async function leave(workbench: Workbench): Promise<void> {
  for (const tab of workbench.state.tabs) {
    const fault = await workbench.documents.settle(tab.document);
    if (fault !== undefined) {
      workbench.refuse(fault);
      return;
    }
  }
  await signOut();
  location.reload();
}
