// Commands of the window itself. Features add their own.

import { askNewFile, showDeleted } from "../files/file-actions.ts";
import { openPalette } from "../palette/palette-state.ts";
import type { Workbench } from "../workspace/workbench.ts";
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
  const hasTab = () => workbench.activeTab() !== undefined;
  commands.use(
    ...panelKeys.map(([id, title, keys]) => ({
      id: `panel.${id}`,
      title: `Show or hide ${title}`,
      group: "View",
      keys: [keys],
      run: () => toggleRegion("panel", () => layout.togglePanel(id)),
    })),
    {
      id: "search.open",
      title: "Search in all files",
      group: "Go",
      keys: ["Mod-Shift-f"],
      run: () => {
        layout.set({ left: "search" });
        requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-search-field]")?.focus());
      },
    },
    {
      id: "palette.files",
      title: "Go to a file",
      group: "Go",
      keys: ["Mod-p"],
      run: () => openPalette(""),
    },
    {
      id: "palette.commands",
      title: "Run a command by its name",
      group: "Go",
      keys: ["Mod-k", "F1"],
      run: () => openPalette(">"),
    },
    {
      id: "palette.headings",
      title: "Go to a heading",
      group: "Go",
      isEnabled: hasTab,
      run: () => openPalette("@"),
    },
    {
      id: "go.next",
      title: "Go to the next part of the window",
      group: "Go",
      keys: ["F6"],
      run: () => goRegion(1),
    },
    {
      id: "go.previous",
      title: "Go to the previous part of the window",
      group: "Go",
      keys: ["Shift-F6"],
      run: () => goRegion(-1),
    },
    {
      id: "help.keys",
      title: "Keyboard shortcuts",
      group: "Help",
      keys: ["Mod-/"],
      // In code, these keys make a comment.
      isEnabled: () => !isInCode(workbench),
      run: () => workbench.views.show({ kind: "keys", title: "Keyboard shortcuts" }),
    },
    {
      id: "files.new",
      title: "New file in the folder",
      group: "File",
      run: () => {
        layout.set({ left: "files" });
        askNewFile("");
      },
    },
    {
      id: "files.deleted",
      title: "Bring back a deleted file",
      group: "File",
      run: () => showDeleted(workbench, { x: innerWidth / 2 - 160, y: 80 }),
    },
    {
      id: "panel.agent",
      title: "Show or hide the agent",
      group: "View",
      keys: ["Alt-0"],
      run: () => toggleRegion("agent", () => layout.set({ isAgentOpen: !layout.state.isAgentOpen })),
    },
    ...themes.map(([theme, title]) => ({
      id: `theme.${theme}`,
      title: `Use the colour theme: ${title}`,
      group: "View",
      run: () => layout.set({ theme }),
    })),
    {
      id: "editor.wrap",
      title: "Wrap long lines, or not",
      group: "View",
      keys: ["Alt-z"],
      run: () => layout.set({ wrapsLines: !layout.state.wrapsLines }),
    },
    { id: "app.signOut", title: "Sign this browser out", group: "File", run: () => leave(workbench) },
    {
      id: "file.save",
      title: "Save",
      group: "File",
      keys: ["Mod-s"],
      isEnabled: hasTab,
      run: () => {
        const tab = workbench.activeTab();
        if (tab !== undefined) void workbench.save(tab);
      },
    },
    {
      id: "file.saveAll",
      title: "Save all",
      group: "File",
      keys: ["Mod-Alt-s"],
      run: () => workbench.saveAll(),
    },
    {
      id: "tab.close",
      title: "Close the tab",
      group: "File",
      keys: ["Alt-w"],
      isEnabled: () => workbench.views.active() !== undefined,
      run: () => {
        const tab = workbench.activeTab();
        const view = workbench.views.active();
        if (tab !== undefined) void workbench.close(tab);
        else if (view !== undefined) workbench.views.close(view);
      },
    },
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
